import assert from 'node:assert/strict';
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
