import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const { programsOf, testPrograms } = await import(new URL('../scripts/programs.mjs', import.meta.url).href);
const { inOrder, laneOf, listTests, slowTests } = await import(
  new URL('../scripts/test-files.mjs', import.meta.url).href
);
const namesOf = (...files: string[]) => programsOf(files).map(({ name }: { name: string }) => name);

test('all tests need every program, and a single file only its own', () => {
  assert.ok(namesOf().includes('soffice') && namesOf().includes('sshd'));
  assert.deepEqual(namesOf('server/findings/record-detections.test.ts'), ['git', 'bwrap']);
  assert.deepEqual(namesOf('./server/data-sources/connectors/git-ssh.test.ts'), ['git', 'bwrap', 'sshd']);
});

test('a pattern or a folder needs the programs of all its tests', () => {
  assert.ok(namesOf('server/**/*.test.ts').includes('soffice'));
  assert.deepEqual(namesOf('server/platform/rate-limit/*.test.ts'), ['git', 'bwrap', 'redis-server']);
  assert.ok(namesOf('server').includes('redis-server'));
});

test('each lane installs only what its own tests start', () => {
  const [short, long] = [namesOf(...listTests()), namesOf(...listTests({ long: true }))];
  for (const name of ['soffice', 'mvn', 'rsyslogd', 'testssl'])
    assert.deepEqual([short.includes(name), long.includes(name)], [false, true], name);
});

test('each test that is listed as needing a program exists', () => {
  const root = join(import.meta.dirname, '..');
  const named: string[] = testPrograms.flatMap(({ tests }: { tests: string[] }) => tests);
  assert.deepEqual(
    named.filter((path) => !existsSync(join(root, path))),
    [],
  );
});

test('every test is in a lane, the slowest files exist, and they start first', () => {
  const short: string[] = listTests();
  const long: string[] = listTests({ long: true });
  assert.deepEqual(
    [...short, ...long].filter((path) => /\.long\.test\./.test(path) && !long.includes(path)),
    [],
  );
  assert.ok(short.includes('tests/programs.test.ts') && long.includes('tests/soak/soak.long.test.ts'));
  assert.ok(long.includes('tests/fuzz.test.ts'), 'a long run tries more values of each property');
  const slow = Object.keys(slowTests());
  assert.deepEqual(
    slow.filter((path) => ![...short, ...long].includes(path)),
    [],
    'scripts/slow-tests.json names a test that is not there',
  );
  const seconds: number[] = inOrder(short, slowTests()).map((path: string) => slowTests()[path] ?? 0);
  assert.deepEqual(
    seconds,
    seconds.toSorted((a, b) => b - a),
  );
  assert.deepEqual(
    ['server/decisions/bulk/bulk.test.ts', 'server/contents.test.ts', 'console/filters/filters.test.ts'].map(laneOf),
    ['server/decisions', 'server', 'console'],
  );
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

test('every property is checked within a time box, with the seed of the run', () => {
  const root = join(import.meta.dirname, '..');
  const others = [...new Set<string>([...listTests(), ...listTests({ long: true })])].filter((path) =>
    /\bfc\.(assert|check|sample|statistics)\(/.test(readFileSync(join(root, path), 'utf8')),
  );
  assert.deepEqual(others, [], 'Use checkProperty or sampleValues of tests/harness/properties.ts.');
});

test('every program that tests start by name is installed for them', () => {
  const root = join(import.meta.dirname, '..');
  const installed = new Set(namesOf());
  const unknown: string[] = [];
  for (const folder of ['scanner', 'server', 'tests', 'clients', 'console', 'docs']) {
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
