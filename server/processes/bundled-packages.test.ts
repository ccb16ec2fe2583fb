import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';

const hook = join(import.meta.dirname, 'bundled-packages.mjs');
const folder = mkdtempSync(join(tmpdir(), 'assay-bundled-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program in a process that uses the bundles of the hook's tree. */
const run = (hookFile: string, program: string): string =>
  execFileSync(process.execPath, ['--import', pathToFileURL(hookFile).href, '--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  }).trim();

test('every import of a bundled package comes from the bundles, and so do those in processes that are started', () => {
  const names = ['typebox', 'typebox/value', 'better-auth', 'better-auth/api', '@better-auth/passkey'];
  const resolved = run(hook, `console.log(${JSON.stringify(names)}.map((name) => import.meta.resolve(name)).join())`);
  for (const url of resolved.split(',')) assert.match(url, /\/node_modules\/\.cache\/bundled\/[\w@+-]+\.mjs$/);
  // A process gets these options from the one that starts it, whether that has the hook by them or by an import.
  const loaded = `await import(${JSON.stringify(pathToFileURL(hook).href)}); console.log(process.execArgv.join(' '))`;
  const withImport = execFileSync(process.execPath, ['--input-type=module', '--eval', loaded], { encoding: 'utf8' });
  for (const options of [run(hook, loaded), withImport])
    assert.equal(options.match(/--import \S+bundled-packages\.mjs/g)?.length, 1, options);
});

test('bundles of other versions than those of the lock file are not used', () => {
  const bundles = join(folder, 'node_modules', '.cache', 'bundled');
  mkdirSync(bundles, { recursive: true });
  mkdirSync(join(folder, 'server', 'processes'), { recursive: true });
  copyFileSync(hook, join(folder, 'server', 'processes', 'bundled-packages.mjs'));
  writeFileSync(join(bundles, 'a.mjs'), "export const from = 'the bundle';");
  const lock = createHash('sha256').update('first').digest('hex');
  writeFileSync(join(bundles, 'index.json'), JSON.stringify({ lock, bundles: { a: 'a.mjs' } }));
  mkdirSync(join(folder, 'node_modules', 'a'));
  writeFileSync(join(folder, 'node_modules', 'a', 'package.json'), '{"name":"a","type":"module","exports":"./a.js"}');
  writeFileSync(join(folder, 'node_modules', 'a', 'a.js'), "export const from = 'the package';");
  writeFileSync(join(folder, 'server', 'b.mjs'), "import { from } from 'a'; console.log(from);");
  const load = () =>
    run(
      join(folder, 'server', 'processes', 'bundled-packages.mjs'),
      `await import(${JSON.stringify(pathToFileURL(join(folder, 'server', 'b.mjs')).href)})`,
    );
  for (const [content, expected] of [
    ['first', 'the bundle'],
    ['second', 'the package'],
  ] as const) {
    writeFileSync(join(folder, 'package-lock.json'), content);
    assert.equal(load(), expected);
  }
});
