import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { scanAdditions } from '../../server/detection/scan-additions.ts';
import { RepositoryFixture } from '../../tests/harness/repository.ts';
import { sample } from '../detectors/secrets/sample.ts';
import type { Changes } from './changes.ts';
import { scanPath } from './scan-path.ts';

let fixture: RepositoryFixture;
beforeEach(() => {
  fixture = new RepositoryFixture();
});
afterEach(() => fixture.remove());

const stripe = (name: string) => `sk_${'live'}_${sample('0-9A-Za-z', 24, name)}\n`;
const dockerfile = (image: string) => `FROM ${image}:latest\nUSER app\n`;

async function scan(changes: Changes | null, sources = ['secrets', 'infrastructure']) {
  const signal = AbortSignal.timeout(600_000);
  const result = await scanPath(fixture.work, { sources, signal, changes, additions: scanAdditions() });
  const nameOf = ({ source, detection: { location } }: (typeof result.findings)[number]) =>
    `${source} ${location.path}:${location.start_line}`;
  return { ...result, found: result.findings.map(nameOf).sort(), accepted: result.ignored.map(nameOf).sort() };
}
const staged = { staged: true, indexFile: null } as const;

test('staged files are scanned in the form that git would commit, without their earlier findings', async () => {
  fixture.commit({ 'old.txt': stripe('old'), 'moved.txt': `a\nb\nc\n${stripe('moved')}`, 'other.txt': 'x\n' });
  fixture.git('mv', 'moved.txt', 'here.txt');
  fixture.write('old.txt', `one line more\n${stripe('old')}${stripe('second')}`);
  fixture.write('Dockerfile', dockerfile('node'));
  fixture.git('add', '--all');
  fixture.write('old.txt', stripe('not staged'));
  fixture.write('other.txt', stripe('not staged either'));
  const result = await scan(staged);
  assert.deepEqual(result.found, ['infrastructure Dockerfile:1', 'secrets old.txt:3']);
  assert.deepEqual(result.warnings, []);
  fixture.git('commit', '--quiet', '--message=All');
  assert.deepEqual((await scan(staged)).found, []);
});

test('the first commit, and a partial commit with a separate index, are scanned before they are created', async () => {
  fixture.write('a.txt', stripe('a'));
  assert.deepEqual((await scan(staged)).found, []);
  fixture.git('add', 'a.txt');
  assert.deepEqual((await scan(staged)).found, ['secrets a.txt:1']);
  fixture.git('commit', '--quiet', '--message=First');
  fixture.write('b.txt', stripe('b'));
  fixture.git('add', '--intent-to-add', 'b.txt');
  const hook = join(fixture.work, '.git', 'hooks', 'pre-commit');
  writeFileSync(hook, '#!/bin/sh\ncp "$GIT_INDEX_FILE" .git/kept-index\nexit 1\n', { mode: 0o755 });
  assert.throws(() => fixture.git('commit', '--quiet', '--message=Second', 'b.txt'));
  assert.deepEqual((await scan({ staged: true, indexFile: '.git/kept-index' })).found, ['secrets b.txt:1']);
});

test('since a branch, commits, uncommitted and new files are scanned, including a secret that was added and removed', async () => {
  fixture.commit({ 'old.txt': stripe('old'), 'docker/Dockerfile': dockerfile('node') });
  fixture.git('checkout', '--quiet', '-b', 'feature');
  fixture.commit({ 'gone.txt': stripe('gone') });
  fixture.git('rm', '--quiet', 'gone.txt');
  fixture.git('mv', 'docker', 'images');
  fixture.commit({ 'committed.txt': stripe('committed'), 'old.txt': `more\n${stripe('old')}` });
  fixture.git('checkout', '--quiet', 'main');
  fixture.commit({ 'main.txt': stripe('main') });
  fixture.git('checkout', '--quiet', 'feature');
  fixture.write('new.txt', stripe('new'));
  const { found } = await scan({ diff: 'main' });
  assert.deepEqual(found, ['secrets committed.txt:1', 'secrets gone.txt:1', 'secrets new.txt:1']);
  assert.deepEqual((await scan({ diff: 'HEAD' })).found, ['secrets new.txt:1']);
  fixture.write('committed.txt', stripe('not committed'));
  const ofCommits = ['secrets committed.txt:1', 'secrets gone.txt:1'];
  for (const diff of ['main..HEAD', 'main..', 'main...feature'])
    assert.deepEqual((await scan({ diff })).found, ofCommits);
  fixture.git('stash', '--quiet', '--include-untracked');
  fixture.git('checkout', '--quiet', 'main');
  assert.deepEqual((await scan({ diff: 'main..feature' })).found, ofCommits, 'of a branch that is not checked out');
  assert.deepEqual((await scan({ diff: 'feature..main' })).found, ['secrets main.txt:1']);
});

test('commits that cannot be compared are refused with the reason', async () => {
  fixture.commit({ 'sub/a.txt': 'a\n' });
  await assert.rejects(scan({ diff: '--all' }), /There is no commit --all here/);
  await assert.rejects(scan({ diff: 'HEAD..--all' }), /There is no commit --all here/);
  await assert.rejects(scan({ diff: 'a..b..c' }), /write it as BASE\.\.HEAD/);
  const signal = AbortSignal.timeout(600_000);
  for (const path of [join(fixture.work, 'sub'), `file://${fixture.work}`]) {
    await assert.rejects(scanPath(path, { sources: ['secrets'], signal, changes: staged }), /work tree/);
  }
});

test('a comment with a rule and a reason accepts a finding on its line or the next, in every source with lines', async () => {
  const ignore = (rule: string) => `# ${'assay:ignore'} ${rule} Known to us.\n`;
  fixture.commit({
    'two.txt': `${ignore('stripe-access-token')}${stripe('two')}${stripe('three')}`,
    'base/Dockerfile': `# ${'assay:ignore'} dockerfile-base-latest\n${dockerfile('node')}`,
    Dockerfile: `${ignore('DOCKERFILE-base-latest')}${dockerfile('node')}`,
    'app.py': `import os\nfrom flask import request\n\ndef run():\n    ${ignore('python-command-injection, B605')}    os.system(request.args['x'])\n`,
  });
  const { found, accepted, warnings, ignored } = await scan(null, ['secrets', 'infrastructure', 'code', 'bandit']);
  assert.deepEqual(found, ['infrastructure base/Dockerfile:2', 'secrets two.txt:3']);
  assert.deepEqual(accepted, ['bandit app.py:6', 'code app.py:6', 'infrastructure Dockerfile:2', 'secrets two.txt:2']);
  assert.deepEqual(warnings, [
    'base/Dockerfile, line 1: the comment has no effect. Write "assay:ignore rule-id reason".',
  ]);
  for (const { detection } of ignored) {
    const { status, reason } = detection.suppression!;
    assert.deepEqual([status, reason], ['accepted_risk', 'Ignored in the code: Known to us.']);
  }
});

test('a comment at one location of a secret does not accept it at another', async () => {
  const comment = `# ${'assay:ignore'} stripe-access-token Known to us.\n`;
  fixture.commit({ 'a.txt': stripe('a'), 'b.txt': stripe('a') });
  fixture.commit({ 'a.txt': `${comment}${stripe('a')}` });
  assert.equal((await scan(null, ['secrets'])).found.length, 1);
  fixture.commit({ 'b.txt': `${comment}${stripe('a')}` });
  assert.deepEqual((await scan(null, ['secrets'])).found, []);
  fixture.commit({ 'a.txt': 'gone\n', 'b.txt': 'gone\n' });
  assert.deepEqual((await scan(null, ['secrets'])).found, []);
});
