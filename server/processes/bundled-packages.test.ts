import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '../..');
const hook = join(import.meta.dirname, 'bundled-packages.mjs');
const folder = mkdtempSync(join(tmpdir(), 'assay-bundled-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program in a process that uses the bundles of the hook's tree. */
const run = (hookFile: string, program: string): string =>
  execFileSync(process.execPath, ['--import', pathToFileURL(hookFile).href, '--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  }).trim();

test('every import of a bundled package comes from the bundles, even in child processes', () => {
  const names = ['typebox', 'typebox/value', 'better-auth', 'better-auth/api', '@better-auth/passkey'];
  const resolved = run(hook, `console.log(${JSON.stringify(names)}.map((name) => import.meta.resolve(name)).join())`);
  for (const url of resolved.split(',')) assert.match(url, /\/node_modules\/\.cache\/bundled\/[\w@+-]+\.mjs$/);
  // A process inherits these options from its parent, whether the parent loads the hook through them or through an
  // import.
  const loaded = `await import(${JSON.stringify(pathToFileURL(hook).href)}); console.log(process.execArgv.join(' '))`;
  const withImport = execFileSync(process.execPath, ['--input-type=module', '--eval', loaded], { encoding: 'utf8' });
  for (const options of [run(hook, loaded), withImport])
    assert.equal(options.match(/--import \S+bundled-packages\.mjs/g)?.length, 1, options);
});

test('bundles of other versions than in the lock file, or of other sources, are not used', () => {
  const write = (path: string, content: string) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  };
  const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
  const bundles = 'node_modules/.cache/bundled';
  const source = "import { from } from 'a'; console.log(`the sources with ${from}`);";
  const program = { file: 'program.mjs', sources: ['server/program.ts'], hash: hashOf(source) };
  const index = {
    root: folder,
    lock: hashOf('first'),
    packages: { a: 'a.mjs' },
    programs: { 'server/program.ts': program },
  };
  write(`${bundles}/index.json`, JSON.stringify(index));
  write(`${bundles}/a.mjs`, "export const from = 'the bundle';");
  write(`${bundles}/program.mjs`, "console.log('the program');");
  write('node_modules/a/package.json', '{"name":"a","type":"module","exports":"./a.js"}');
  write('node_modules/a/a.js', "export const from = 'the package';");
  write('package.json', '{"type":"module"}');
  write('server/processes/bundled-packages.mjs', readFileSync(hook, 'utf8'));
  const cases = [
    ['first', source, 'the program'],
    ['first', `${source} // changed`, 'the sources with the bundle'],
    ['second', source, 'the sources with the package'],
  ] as const;
  for (const [lock, text, expected] of cases) {
    write('package-lock.json', lock);
    write('server/program.ts', text);
    const copy = pathToFileURL(join(folder, 'server/processes/bundled-packages.mjs')).href;
    const args = ['--import', copy, join(folder, 'server/program.ts')];
    assert.equal(execFileSync(process.execPath, args, { encoding: 'utf8' }).trim(), expected);
  }
});

test('a tree without tests and benchmarks, like that of the image, has the entries that the server imports', async () => {
  const { findEntries } = await import(pathToFileURL(join(root, 'scripts/bundle-packages.mjs')).href);
  const tree = join(folder, 'image');
  mkdirSync(join(tree, 'server'), { recursive: true });
  writeFileSync(join(tree, 'server/a.ts'), "import Type from 'typebox';\nimport { Value } from 'typebox/value';\n");
  assert.deepEqual(findEntries(tree), ['typebox', 'typebox/value']);
});

test('the programs that run confined come from bundles', () => {
  const { programs } = JSON.parse(readFileSync(join(root, 'node_modules/.cache/bundled/index.json'), 'utf8'));
  const confined = ['scanner', 'server'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /(import|render|checker)-process\.ts$/.test(path))
      .map((path) => `${folder}/${path}`)
      .toSorted(),
  );
  assert.deepEqual(Object.keys(programs).toSorted(), confined);
});
