import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { RepositoryFixture } from '../../tests/harness/repository.ts';
import { followRenames, type KnownPaths } from './renames.ts';

let fixture: RepositoryFixture;
beforeEach(() => {
  fixture = new RepositoryFixture();
});
afterEach(() => fixture.remove());

const text = (seed: string) => Array.from({ length: 20 }, (_, line) => `${seed} ${line}\n`).join('');
const known = (paths: KnownPaths) => Object.fromEntries([...paths].sort());

const follow = (head: string, past: { head: string; paths: KnownPaths } | null = null) =>
  followRenames(
    { gitDirectory: join(fixture.work, '.git'), home: fixture.root, timeoutMs: 60_000 },
    ...[head, past, ['*.py']],
  );

function rename(from: string, to: string): string {
  fixture.git('mv', from, to);
  return fixture.commit({});
}

test('a file is identified by its first path after any number of renames, in one pass or step by step', async () => {
  const first = fixture.commit({ 'a.py': text('a'), 'x.py': text('x') });
  const second = rename('a.py', 'b.py');
  const third = rename('b.py', 'c.py');
  const before = await follow(second, { head: first, paths: await follow(first) });
  assert.deepEqual(known(before), { 'b.py': 'a.py' });
  assert.deepEqual(known(await follow(third, { head: second, paths: before })), { 'c.py': 'a.py' });
  assert.deepEqual(known(await follow(third)), { 'c.py': 'a.py' });
});

test('a file that gets its first name back, or is deleted, leaves nothing behind', async () => {
  fixture.commit({ 'a.py': text('a'), 'x.py': text('x') });
  rename('a.py', 'b.py');
  rename('x.py', 'y.py');
  fixture.git('rm', '--quiet', 'y.py');
  const head = rename('b.py', 'a.py');
  assert.deepEqual(known(await follow(head)), {});
});

test('a new file at the first path of another file gets a separate identity', async () => {
  fixture.commit({ 'a.py': text('a') });
  rename('a.py', 'b.py');
  const head = fixture.commit({ 'a.py': text('new') });
  assert.deepEqual(known(await follow(head)), { 'a.py': 'a.py\n2', 'b.py': 'a.py' });
});

test('renames in a merge count, and those of a force-push are found by comparing trees', async () => {
  const first = fixture.commit({ 'a.py': text('a'), 'x.py': text('x') });
  fixture.git('checkout', '--quiet', '-b', 'side');
  rename('a.py', 'b.py');
  fixture.git('checkout', '--quiet', 'main');
  fixture.commit({ 'y.py': text('y') });
  fixture.git('merge', '--quiet', '--no-edit', 'side');
  const merged = fixture.git('rev-parse', 'HEAD');
  const paths = await follow(merged);
  assert.deepEqual(known(paths), { 'b.py': 'a.py' });
  fixture.git('reset', '--quiet', '--hard', first);
  fixture.git('mv', 'a.py', 'b.py');
  const forced = rename('x.py', 'z.py');
  assert.deepEqual(known(await follow(forced, { head: merged, paths })), { 'b.py': 'a.py', 'z.py': 'x.py' });
});

test('a remembered commit that no longer exists causes no failure', async () => {
  fixture.commit({ 'a.py': text('a') });
  const head = rename('a.py', 'b.py');
  const paths: KnownPaths = new Map([['q.py', 'r.py']]);
  assert.deepEqual(known(await follow(head, { head: '1'.repeat(40), paths })), { 'b.py': 'a.py' });
});
