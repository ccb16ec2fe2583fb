import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { silentLog } from '../../server/platform/log.ts';
import { makeTemporaryDirectory, removeAbandonedDirectories } from './temporary-directory.ts';

let parent: string;
const children: ChildProcess[] = [];
before(() => {
  parent = mkdtempSync(join(tmpdir(), 'abandoned-'));
});
after(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(parent, { recursive: true, force: true });
});

/** A process with a temporary directory that contains a file, until the process is killed. */
async function startHolder(): Promise<{ child: ChildProcess; path: string }> {
  const script = `
    import { writeFileSync } from 'node:fs';
    const { makeTemporaryDirectory } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'temporary-directory.ts')))});
    const { path } = await makeTemporaryDirectory(${JSON.stringify(parent)});
    writeFileSync(path + '/file', 'x');
    process.stdout.write(path);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [path] = await once(child.stdout!, 'data');
  return { child, path: String(path) };
}

test('directories of a killed process are removed, those of a running one stay', async () => {
  const [killed, living] = await Promise.all([startHolder(), startHolder()]);
  killed.child.kill('SIGKILL');
  await once(killed.child, 'exit');
  const own = await makeTemporaryDirectory(parent);
  removeAbandonedDirectories(silentLog, parent);
  assert.equal(existsSync(killed.path), false);
  assert.equal(existsSync(join(living.path, 'file')), true);
  assert.equal(existsSync(own.path), true);
  assert.equal(readdirSync(parent).length, 2);
  await own.remove();
  assert.equal(readdirSync(parent).length, 1);
});

test('directories of other users are untouched', () => {
  const others = join(parent, 'assay-other');
  mkdirSync(others);
  // Without a lock, the owner is unknown.
  const unlocked = join(parent, 'assay-work-unlocked');
  mkdirSync(unlocked);
  writeFileSync(join(unlocked, 'file'), 'x');
  removeAbandonedDirectories(silentLog, parent);
  assert.equal(existsSync(others), true);
  assert.equal(existsSync(join(unlocked, 'file')), true);
});
