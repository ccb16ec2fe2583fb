import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const { programsOf } = await import(new URL('../scripts/programs.mjs', import.meta.url).href);
const namesOf = (...files: string[]) => programsOf(files).map(({ name }: { name: string }) => name);

test('all tests need every program, and one file only its own', () => {
  assert.ok(namesOf().includes('soffice') && namesOf().includes('sshd'));
  assert.deepEqual(namesOf('server/findings/record-detections.test.ts'), ['git']);
  assert.deepEqual(namesOf('./server/data-sources/connectors/git-ssh.test.ts'), ['git', 'sshd']);
});

test('a pattern or a folder needs the programs of all its tests', () => {
  assert.ok(namesOf('server/**/*.test.ts').includes('soffice'));
  assert.deepEqual(namesOf('server/platform/rate-limit/*.test.ts'), ['git', 'redis-server']);
  assert.ok(namesOf('server').includes('redis-server'));
});

/** Programs of every Debian (essential or required packages), of Node.js, or of another program's package. */
const alwaysThere = new Set([
  'apt-get',
  'bash',
  'id',
  'mkfifo',
  'mount',
  'npm',
  'sh',
  'ssh-keygen',
  'umount',
  'useradd',
]);

const isTestCode = (path: string) =>
  /\.(test|fixture)\.(ts|mjs)$|^(tests|clients\/[^/]+\/tests)\/.*\.(ts|mjs)$/.test(path);

test('every program that tests start by name is installed for them', () => {
  const root = join(import.meta.dirname, '..');
  const installed = new Set(namesOf());
  const unknown: string[] = [];
  for (const folder of ['server', 'tests', 'clients', 'console', 'docs']) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      const path = join(folder, entry);
      if (path.includes('node_modules') || !isTestCode(path)) continue;
      const text = readFileSync(join(root, path), 'utf8');
      for (const [, name] of text.matchAll(/\b(?:exec|execFile|execute|run|spawn)(?:Sync)?\(\s*'([a-z][a-z0-9.-]*)'/g))
        if (!installed.has(name!) && !alwaysThere.has(name!)) unknown.push(`${path}: ${name}`);
    }
  }
  assert.deepEqual(unknown, []);
});
