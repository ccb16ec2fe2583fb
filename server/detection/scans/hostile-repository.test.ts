import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { sample } from '@assay/scanner/detectors/secrets/sample.ts';
import { scanPath } from '@assay/scanner/path-scan/scan-path.ts';
import { RepositoryFixture } from '../../../tests/harness/repository.ts';
import { ScannedSource } from '../../../tests/harness/scanned-source.ts';
import { fetchRepository } from '../../data-sources/connectors/git.ts';

let fixture: RepositoryFixture;
let source: ScannedSource;
/** Any program that the repository manages to run creates this file. */
let trap: string;
let outside: string;

beforeEach(() => {
  fixture = new RepositoryFixture();
  source = new ScannedSource(fixture);
  outside = mkdtempSync(join(tmpdir(), 'outside-'));
  trap = join(outside, 'ran');
  writeFileSync(join(outside, 'private.txt'), `zzkey-outside0 ${stripe('outside')}\n`);
});
afterEach(() => {
  assert.equal(existsSync(trap), false, 'something of the repository ran');
  for (const made of [fixture, source]) made.remove();
  rmSync(outside, { recursive: true, force: true });
});

const stripe = (name: string) => `sk_${'live'}_${sample('0-9A-Za-z', 24, name)}`;
const scanLocal = () => scanPath(fixture.work, { sources: ['secrets'], signal: AbortSignal.timeout(600_000) });
const pathsOf = (found: Array<{ location: { path: string | null } }>) => found.map((one) => one.location.path).sort();

function plantProgram(path: string) {
  writeFileSync(path, `#!/bin/sh\ntouch '${trap}'\n`);
  chmodSync(path, 0o755);
}

test('hooks, settings, filters and attributes of a repository run no program', async () => {
  fixture.commit({ 'a.txt': `${stripe('a')}\n`, '.gitattributes': '* filter=evil diff=evil\n' });
  const program = join(outside, 'program');
  plantProgram(program);
  for (const hook of [
    'post-checkout',
    'reference-transaction',
    'post-index-change',
    'pre-auto-gc',
    'fsmonitor-watchman',
  ]) {
    plantProgram(join(fixture.work, '.git', 'hooks', hook));
  }
  const settings = {
    'core.fsmonitor': program,
    'core.pager': program,
    'core.sshCommand': program,
    'core.editor': program,
    'core.hooksPath': join(fixture.work, '.git', 'hooks'),
    'core.alternateRefsCommand': program,
    'filter.evil.clean': program,
    'filter.evil.smudge': program,
    'filter.evil.process': program,
    'diff.external': program,
    'diff.evil.textconv': program,
    'diff.evil.command': program,
    'log.showSignature': 'true',
    'gpg.program': program,
    'credential.helper': `!${program}`,
    'uploadpack.packObjectsHook': program,
    'remote.origin.url': `ext::${program}`,
    'core.askPass': program,
    'extensions.partialClone': 'origin',
    'remote.origin.promisor': 'true',
    'core.gitProxy': program,
  };
  execFileSync('git', ['config', '--local', 'core.repositoryFormatVersion', '1'], { cwd: fixture.work });
  for (const [name, value] of Object.entries(settings)) {
    execFileSync('git', ['config', '--local', name, value], { cwd: fixture.work });
  }
  assert.deepEqual(pathsOf((await scanLocal()).findings.map(({ detection }) => detection)), ['a.txt']);
  const signal = AbortSignal.timeout(600_000);
  await fetchRepository({
    url: `file://${fixture.work}`,
    branch: null,
    credential: null,
    directory: join(outside, 'fetched'),
    signal,
    proxyUrl: null,
    allowFile: true,
  });
});

test('submodules are not fetched, whatever their address', async () => {
  const program = join(outside, 'program');
  plantProgram(program);
  fixture.commit({
    '.gitmodules': `[submodule "x"]\n\tpath = x\n\turl = ext::${program}\n`,
    'a.txt': 'zzkey-aaaaaaaa\n',
  });
  const gitlink = fixture.git('rev-parse', 'HEAD');
  fixture.git('update-index', '--add', '--cacheinfo', `160000,${gitlink},x`);
  fixture.git('commit', '--quiet', '--message=Submodule');
  assert.deepEqual(pathsOf(await source.scan()), ['a.txt']);
  assert.equal(source.coverage, 'complete');
});

test('links are not followed, in the history or on disk', async () => {
  fixture.commit({ 'dir/file.txt': 'plain\n', 'dir/private.txt': 'plain\n' });
  symlinkSync(join(outside, 'private.txt'), join(fixture.work, 'link.txt'));
  symlinkSync(outside, join(fixture.work, 'linked'));
  fixture.commit({});
  assert.deepEqual(await source.scan(), []);
  rmSync(join(fixture.work, 'dir'), { recursive: true });
  symlinkSync(outside, join(fixture.work, 'dir'));
  assert.deepEqual((await scanLocal()).findings, []);
  rmSync(join(fixture.work, '.git'), { recursive: true });
  assert.deepEqual((await scanLocal()).findings, []);
});

test('a work tree that claims to be elsewhere is read where it is', async () => {
  fixture.commit({ 'a.txt': 'plain\n' });
  fixture.git('config', 'core.worktree', outside);
  assert.deepEqual((await scanLocal()).findings, []);
});

test('a pipe instead of a file does not block the scan', { skip: process.platform === 'win32' }, async () => {
  fixture.commit({ 'a.txt': 'plain\n' });
  rmSync(join(fixture.work, 'a.txt'));
  execFileSync('mkfifo', [join(fixture.work, 'a.txt')]);
  assert.deepEqual((await scanLocal()).findings, []);
});

test('absurd names stay distinct, are shown harmlessly, and have no special meaning to git', async () => {
  const names = [
    Buffer.from('new\nline.txt'),
    Buffer.from('tab\tquote".txt'),
    Buffer.from('-rf'),
    Buffer.from('--output=x'),
    Buffer.from([0xff, 0xfe, 0x2e, 0x74]),
    Buffer.from([0xff, 0xfd, 0x2e, 0x74]),
    Buffer.from(`${'long'.repeat(60)}`),
    Buffer.from('\x1b[31mred\x07'),
    Buffer.from(':(glob)**'),
    Buffer.from('\x01header'),
    Buffer.from('zz ünïcode 🔑'),
  ];
  for (const [index, name] of names.entries()) fixture.write(name, `zzkey-${String(index).padStart(8, '0')}\n`);
  fixture.commit({});
  const found = await source.scan();
  const paths = pathsOf(found) as string[];
  assert.equal(new Set(paths).size, names.length);
  assert.ok(paths.includes('new\\nline.txt'));
  assert.ok(paths.includes('\\377\\376.t'));
  assert.ok(paths.includes('zz ünïcode 🔑'));
  assert.doesNotMatch(paths.join(''), /[\x00-\x1f]/);
  assert.doesNotMatch(found.map((one) => one.title + one.description.replaceAll('\n', '')).join(''), /[\x00-\x1f]/);
});

test('a message and a name made to look like the listing of a history change nothing', async () => {
  const id = '0'.repeat(40);
  fixture.commit({ [`:100644 100644 ${id} ${id} M`]: 'zzkey-aaaaaaaa\n' }, `x\n\n:100644 100644 ${id} ${id} M`);
  fixture.commit({ 'b.txt': 'zzkey-bbbbbbbb\n' }, `\u0001${id}`);
  assert.equal((await source.scan()).length, 2);
  assert.equal(source.coverage, 'complete');
});

test('a very large file is skipped with a warning, and the rest is searched', async () => {
  fixture.commit({
    'big.txt': Buffer.alloc(70 * 1024 * 1024, 'some text of no interest\n'),
    'a.txt': 'zzkey-aaaaaaaa\n',
  });
  const before = process.memoryUsage().rss;
  assert.deepEqual(pathsOf(await source.scan()), ['a.txt']);
  assert.match(source.warnings.join(), /larger than 64 MiB.*big\.txt \(70 MiB\)/);
  assert.ok(process.memoryUsage().rss - before < 300e6);
  fixture.commit({ 'a.txt': 'changed\n' });
  await source.scan();
  assert.match(source.warnings.join(), /big\.txt/);
});

test('a deep history and a wide tree are searched completely', async () => {
  const stream: string[] = [];
  for (let index = 0; index < 3000; index++) {
    stream.push(`commit refs/heads/deep\ncommitter A <a@example.com> ${1_700_000_000 + index} +0000\ndata 1\nx\n`);
    const content = `zzkey-${String(index % 7).padStart(8, '0')} ${index}\n`;
    stream.push(`M 100644 inline d${index % 10}/f${index}\ndata ${content.length}\n${content}\n`);
  }
  execFileSync('git', ['fast-import', '--quiet'], { cwd: fixture.work, input: stream.join('') });
  fixture.git('symbolic-ref', 'HEAD', 'refs/heads/deep');
  const found = await source.scan();
  assert.equal(found.length, 7);
  assert.equal(
    found.reduce((sum, one) => sum + one.occurrences, 0),
    3000,
  );
  assert.ok(found.every((one) => one.places.length === 100));
});

test('a tree that lists billions of files ends the scan instead of filling the memory', async () => {
  const blob = execFileSync('git', ['hash-object', '-w', '--stdin'], {
    cwd: fixture.work,
    input: 'x',
    encoding: 'utf8',
  });
  let tree = `100644 blob ${blob.trim()}\tf`;
  let id = '';
  for (let level = 0; level < 12; level++) {
    const input = Array.from({ length: 10 }, (_, index) => tree.replace(/\t.*/, `\t${index}`)).join('\n');
    id = execFileSync('git', ['mktree'], { cwd: fixture.work, input: `${input}\n`, encoding: 'utf8' }).trim();
    tree = `040000 tree ${id}\td`;
  }
  const bomb = fixture.git('commit-tree', id, '-m', 'bomb');
  const defused = fixture.git('commit-tree', `${fixture.commit({ 'a.txt': 'x' })}^{tree}`, '-p', bomb, '-m', 'defused');
  for (const head of [bomb, defused]) {
    fixture.git('update-ref', 'refs/heads/main', head);
    const before = process.memoryUsage().rss;
    await assert.rejects(source.scan({ signal: AbortSignal.timeout(3_000) }));
    assert.ok(process.memoryUsage().rss - before < 400e6);
  }
});

test('a directory that only claims to be a repository is still searched', async () => {
  mkdirSync(join(outside, 'odd', '.git'), { recursive: true });
  writeFileSync(join(outside, 'odd', 'a.txt'), `${stripe('a')}\n`);
  const result = await scanPath(join(outside, 'odd'), { sources: ['secrets'], signal: AbortSignal.timeout(600_000) });
  assert.deepEqual(pathsOf(result.findings.map(({ detection }) => detection)), ['a.txt']);
});
