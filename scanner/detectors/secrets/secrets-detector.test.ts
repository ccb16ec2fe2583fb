import assert from 'node:assert/strict';
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../tests/harness/properties.ts';
import { RepositoryFixture } from '../../../tests/harness/repository.ts';
import { forEachTest, ScannedSource, testKeyedHash } from '../../../tests/harness/scanned-source.ts';
import { noAdvisories } from '../../advisories/no-advisories.ts';
import { createSecretsDetector } from './create-detector.ts';
import { sharedHash } from './identity.ts';

let fixture: RepositoryFixture;
let source: ScannedSource;
forEachTest(undefined, (created) => {
  ({ fixture, source } = created);
});

const secret = (name: string) => `zzkey-${name.padEnd(8, '0')}`;
const place = (path: string, line: number, commit: string | null) => ({
  path,
  start_line: line,
  end_line: line,
  commit,
});

test('a secret in any number of locations is one finding, with the commit that introduced it', async () => {
  const first = fixture.commit({ 'a.txt': `x\n${secret('one')}\n`, 'clean.txt': 'nothing\n' });
  const second = fixture.commit({ 'b/c.txt': `${secret('one')} ${secret('two')}\n` });
  const found = await source.scan();
  assert.equal(source.coverage, 'complete');
  assert.equal(found.length, 2);
  const moved = found.find((detection) => detection.occurrences === 2)!;
  assert.deepEqual(moved.places, [place('b/c.txt', 1, second), place('a.txt', 2, first)]);
  assert.equal(moved.location.path, 'b/c.txt');
  assert.equal(moved.location.commit, second);
  assert.match(moved.fingerprint, /^v1:/);
  const two = found.find((detection) => detection.occurrences === 1)!;
  assert.equal(two.location.start_column, 16);
});

test('a secret that is no longer in the newest tree stays a finding, at its last location', async () => {
  const first = fixture.commit({ 'a.txt': `${secret('one')}\n` });
  fixture.commit({ 'a.txt': `moved\ndown\n${secret('one')}\n` });
  fixture.commit({ 'a.txt': 'gone\n' });
  const [found, ...more] = await source.scan();
  assert.equal(more.length, 0);
  assert.deepEqual(found!.places, [place('a.txt', 3, first)]);
});

test('renaming a file keeps the finding and moves its location', async () => {
  fixture.commit({ 'old.txt': `${secret('one')}\n` });
  const [before] = await source.scan();
  fixture.git('mv', 'old.txt', 'new.txt');
  const renamed = fixture.commit({});
  const [after, ...more] = await source.scan();
  assert.equal(more.length, 0);
  assert.equal(after!.fingerprint, before!.fingerprint);
  assert.equal(after!.location.path, 'new.txt');
  assert.equal(after!.location.commit, renamed);
  assert.equal(after!.places[1]!.path, 'old.txt');
});

test('a rescan reads only new commits, and reports every finding', async () => {
  for (let index = 0; index < 5; index++) fixture.commit({ [`${index}.txt`]: `${secret(`n${index}`)}\n` });
  assert.equal((await source.scan()).length, 5);
  assert.equal(source.messages.length, 5);
  assert.equal((await source.scan()).length, 5);
  assert.equal(source.messages.length, 0);
  fixture.commit({ 'new.txt': `${secret('new')}\n` });
  assert.equal((await source.scan()).length, 6);
  assert.equal(source.messages.length, 1);
});

test('a force-push removes a secret only when no reachable commit contains it', async () => {
  fixture.commit({ 'a.txt': `${secret('stays')}\n` });
  fixture.commit({ 'a.txt': `${secret('goes')}\n` });
  assert.equal((await source.scan()).length, 2);
  fixture.git('reset', '--quiet', '--hard', 'HEAD~1');
  fixture.commit({ 'a.txt': 'another end\n' });
  const found = await source.scan();
  assert.deepEqual(
    found.map((detection) => detection.fingerprint),
    [`v1:${testKeyedHash(sharedHash(`test-token\0${secret('stays')}`))}`],
  );
});

test('a lost, truncated, altered or mismatched state is not used', async () => {
  fixture.commit({ 'a.txt': `${secret('one')}\n`, 'b.txt': `${secret('two')}\n` });
  const expected = await source.scan();
  const file = join(source.directory, 'secrets-state.ndjson');
  const state = readFileSync(file, 'utf8');
  const damages = [
    () => rmSync(file),
    () => truncateSync(file, state.length - 80),
    () => truncateSync(file, 0),
    () => writeFileSync(file, state.replace('"startLine":1', '"startLine":7')),
    () => writeFileSync(file, state.split('\n').toSpliced(1, 1).join('\n')),
    () => writeFileSync(file, Buffer.from([0, 255, 1])),
  ];
  for (const damage of damages) {
    damage();
    assert.deepEqual(await source.scan(), expected);
    assert.ok(source.messages.length > 0);
  }
  const other = (value: string | Uint8Array) => testKeyedHash(`other ${value}`);
  const rekeyed = await source.scan({ keyedHash: other });
  assert.notEqual(rekeyed[0]!.fingerprint, expected[0]!.fingerprint);
});

test('neither the state nor a detection contains a secret in plain text', async () => {
  fixture.commit({ 'a.txt': `key = "${secret('visible1')}"\n` }, `message with ${secret('visible2')}`);
  const found = await source.scan();
  assert.equal(found.length, 2);
  assert.doesNotMatch(JSON.stringify(found), /visible/);
  assert.doesNotMatch(readFileSync(join(source.directory, 'secrets-state.ndjson'), 'utf8'), /visible/);
});

test('optionally, other branches and tags are searched, and their own findings disappear with them', async () => {
  fixture.commit({ 'a.txt': `${secret('main')}\n` });
  fixture.git('checkout', '--quiet', '-b', 'feature/one');
  const onBranch = fixture.commit({ 'b.txt': `${secret('branch')}\n` });
  fixture.git('checkout', '--quiet', '--detach');
  fixture.commit({ 'c.txt': `${secret('tagged')}\n` });
  fixture.git('tag', '--annotate', '--message=One', 'v1');
  fixture.git('tag', 'file', fixture.git('rev-parse', 'HEAD:a.txt'));
  fixture.git('checkout', '--quiet', 'main');
  const paths = async (allBranches: boolean) =>
    (await source.scan({ allBranches })).map(({ location }) => location.path).sort();
  assert.deepEqual(await paths(false), ['a.txt']);
  assert.deepEqual(await paths(true), ['a.txt', 'b.txt', 'c.txt']);
  assert.ok(
    source.messages.some((message) => /of 2$/.test(message)),
    'only the commits of the others are new',
  );
  fixture.git('tag', '--delete', 'v1');
  assert.deepEqual(await paths(true), ['a.txt', 'b.txt']);
  fixture.git('branch', '--quiet', '--delete', '--force', 'feature/one');
  fixture.git('branch', 'feature', onBranch);
  assert.deepEqual(await paths(true), ['a.txt', 'b.txt']);
  assert.deepEqual(await paths(false), ['a.txt']);
});

test('a secret in a commit message is found', async () => {
  const commit = fixture.commit({ 'a.txt': 'x\n' }, `Subject\n\nBody with ${secret('told')}`);
  const [found] = await source.scan();
  assert.deepEqual(found!.places, [place(null as never, 3, commit)]);
  assert.equal(found!.location.path, null);
});

test('secrets that only a merge introduced, or that a merge restored, are found', async () => {
  fixture.commit({ 'a.txt': 'base\n' });
  fixture.git('checkout', '--quiet', '-b', 'side');
  fixture.commit({ 'side.txt': `${secret('side')}\n` });
  fixture.git('checkout', '--quiet', 'main');
  fixture.commit({ 'main.txt': 'main\n' });
  fixture.git('merge', '--quiet', '--no-commit', 'side');
  const merge = fixture.commit({ 'evil.txt': `${secret('evil')}\n` }, 'Merge');
  const found = await source.scan();
  const commits = Object.fromEntries(found.map((detection) => [detection.location.path, detection.location.commit]));
  assert.equal(commits['evil.txt'], merge);
  assert.equal(commits['side.txt'], fixture.git('rev-parse', 'side'));

  fixture.commit({ 'evil.txt': 'clean\n' });
  await source.scan();
  fixture.git('merge', '--quiet', '--strategy=ours', '--no-commit', '--allow-unrelated-histories', 'side');
  fixture.git('checkout', '--quiet', merge, '--', 'evil.txt');
  fixture.git('commit', '--quiet', '--allow-empty', '--message=Take it back');
  const again = await source.scan();
  const evil = again.find((detection) => detection.location.path === 'evil.txt')!;
  assert.equal(evil.location.commit, merge);
});

test('an abort ends the scan and leaves the state unchanged', async () => {
  fixture.commit({ 'a.txt': `${secret('one')}\n` });
  await source.scan();
  const before = readFileSync(join(source.directory, 'secrets-state.ndjson'), 'utf8');
  fixture.commit({ 'b.txt': `${secret('two')}\n` });
  await assert.rejects(source.scan({ signal: AbortSignal.abort() }));
  assert.equal(readFileSync(join(source.directory, 'secrets-state.ndjson'), 'utf8'), before);
});

test('a damaged repository fails the scan, and the next one starts from a fresh copy', async () => {
  fixture.commit({ 'a.txt': `${secret('one')}\n` });
  await source.scan();
  const git = join(source.directory, 'git', 'repository.git');
  rmSync(join(source.directory, 'secrets-state.ndjson'));
  const blob = fixture.git('rev-parse', 'HEAD:a.txt');
  rmSync(join(git, 'objects', blob.slice(0, 2), blob.slice(2)));
  await source.scan();
  assert.equal(source.coverage, 'partial');
  assert.equal((await source.scan()).length, 1);
  assert.equal(source.coverage, 'complete');
});

test('for any continuation of the history, a rescan reports the same as a first scan', async () => {
  const names = ['a.txt', 'b.txt', 'c/d.txt'];
  const contents = ['clean\n', `${secret('one')}\n`, `x\n${secret('one')} ${secret('two')}\n`, `${secret('three')}\n`];
  const step = fc.oneof(
    fc.record({
      do: fc.constant('commit' as const),
      path: fc.constantFrom(...names),
      content: fc.constantFrom(...contents),
    }),
    fc.record({ do: fc.constant('delete' as const), path: fc.constantFrom(...names) }),
    fc.record({ do: fc.constantFrom('rewind' as const, 'scan' as const, 'branch' as const, 'merge' as const) }),
  );
  await checkProperty(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
      const repository = new RepositoryFixture();
      const lasting = new ScannedSource(repository);
      repository.commit({ 'start.txt': 'x\n' });
      repository.git('branch', 'side');
      for (const action of steps) {
        if (action.do === 'commit') repository.commit({ [action.path]: action.content });
        if (action.do === 'delete') {
          repository.git('rm', '--quiet', '--ignore-unmatch', action.path);
          repository.commit({});
        }
        if (action.do === 'rewind') repository.git('reset', '--quiet', '--hard', 'HEAD^0~0');
        if (action.do === 'rewind' && repository.git('rev-list', '--count', 'HEAD') !== '1') {
          repository.git('reset', '--quiet', '--hard', 'HEAD~1');
        }
        if (action.do === 'branch') repository.git('branch', '--force', 'side');
        if (action.do === 'merge') repository.git('merge', '--quiet', '--strategy-option=theirs', '--no-edit', 'side');
        if (action.do === 'scan') await lasting.scan();
      }
      const fresh = new ScannedSource(repository);
      const seen = (await lasting.scan()).map(comparable);
      assert.deepEqual(seen, (await fresh.scan()).map(comparable));
      for (const source of [repository, lasting, fresh]) source.remove();
    }),
    { numRuns: 12 },
  );
});

/**
 * The first of several equal commits in parallel branches may differ, but not the findings and their current locations.
 */
function comparable({ fingerprint, occurrences, places }: Awaited<ReturnType<ScannedSource['scan']>>[number]) {
  return { fingerprint, occurrences, places: places.map(({ path, start_line }) => `${path}:${start_line}`).sort() };
}

test('the detector reports whether git is installed', async () => {
  assert.equal(await createSecretsDetector([]).unavailableReason(noAdvisories), null);
});

test('a shallow clone is searched as far as it goes and closes no findings; its whole history is searched later', async () => {
  fixture.commit({ 'a.txt': `${secret('one')}\n` });
  const head = fixture.commit({ 'a.txt': 'gone\n', 'b.txt': `${secret('two')}\n` });
  const shallow = join(fixture.work, '.git', 'shallow');
  writeFileSync(shallow, `${head}\n`);
  assert.equal((await source.scan()).length, 1);
  assert.equal(source.coverage, 'partial');
  rmSync(shallow);
  assert.equal((await source.scan()).length, 2);
  assert.equal(source.coverage, 'complete');
});
