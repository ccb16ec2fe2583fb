import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { scanAdditions } from '../../server/detection/scan-additions.ts';
import { AdvisoryDirectory, osvAdvisory } from '../../tests/harness/advisories.ts';
import { RepositoryFixture } from '../../tests/harness/repository.ts';
import { sample } from '../detectors/secrets/sample.ts';
import { fileSources } from './path-sources.ts';
import { scanPath } from './scan-path.ts';

const additions = scanAdditions();
let fixture: RepositoryFixture;
beforeEach(() => {
  fixture = new RepositoryFixture();
});
afterEach(() => fixture.remove());

const stripe = (name: string) => `sk_${'live'}_${sample('0-9A-Za-z', 24, name)}\n`;

async function scan(path = fixture.work, branch: string | null = null) {
  const signal = AbortSignal.timeout(600_000);
  const { findings, warnings, target } = await scanPath(path, { sources: ['secrets'], signal, branch, additions });
  const places = findings.map(
    ({ detection: { location } }) => `${location.path} ${location.commit?.slice(0, 7) ?? '-'}`,
  );
  return { places: places.sort(), warnings, target, findings };
}

test('a work tree is scanned with uncommitted changes and with its history', async () => {
  const old = fixture.commit({ 'old.txt': stripe('old'), 'kept.txt': stripe('kept'), '.gitignore': 'ignored.txt\n' });
  fixture.commit({ 'old.txt': 'gone\n' });
  fixture.write('untracked.txt', stripe('untracked'));
  fixture.write('kept.txt', `moved down\n${stripe('kept')}`);
  fixture.write('ignored.txt', stripe('ignored'));
  const { places, findings } = await scan();
  assert.deepEqual(places, [`kept.txt ${old.slice(0, 7)}`, `old.txt ${old.slice(0, 7)}`, 'untracked.txt -']);
  const kept = findings.find(({ detection }) => detection.location.path === 'kept.txt')!;
  assert.equal(kept.detection.location.start_line, 2);
  assert.equal(kept.detection.occurrences, 1);
});

test('a directory without git, one inside a work tree, and a single file are scanned as files', async () => {
  fixture.commit({ 'a/b/deep.txt': stripe('deep') });
  fixture.commit({ 'a/b/deep.txt': stripe('newer') });
  for (const [path, expected] of [
    [join(fixture.work, 'a'), 'b/deep.txt -'],
    [join(fixture.work, 'a', 'b', 'deep.txt'), 'deep.txt -'],
  ] as const) {
    assert.deepEqual((await scan(path)).places, [expected]);
  }
  rmSync(join(fixture.work, '.git'), { recursive: true });
  mkdirSync(join(fixture.work, 'node_modules'));
  writeFileSync(join(fixture.work, 'node_modules', 'x.txt'), stripe('other'));
  const { places, warnings } = await scan();
  assert.deepEqual(places, ['a/b/deep.txt -']);
  assert.deepEqual(warnings, ['Not read: a folder of installed packages, such as node_modules.']);
});

test('every source reports the number of skipped files of installed packages, and the ecosystems without advisories', async () => {
  const lockfile = { lockfileVersion: 3, packages: { 'node_modules/left': { version: '1.0.0' } } };
  fixture.commit({
    'a.js': 'console.log(1);\n',
    Dockerfile: 'FROM scratch\n',
    'package-lock.json': JSON.stringify(lockfile),
    'requirements.txt': 'flask==1.0\n',
    'node_modules/left/index.js': 'console.log(2);\n',
    'node_modules/left/Dockerfile': 'FROM scratch\n',
    'node_modules/left/package-lock.json': JSON.stringify(lockfile),
    '.terraform/modules/a/main.tf': 'resource "a" "b" {}\n',
  });
  const feed = new AdvisoryDirectory();
  feed.put('npm', [osvAdvisory('GHSA-1', 'npm', 'left', '9.0.0')]);
  const { warnings, findings } = await scanPath(fixture.work, {
    sources: ['dependencies', 'code', 'infrastructure'],
    advisories: feed.directory,
    signal: AbortSignal.timeout(600_000),
  });
  feed.remove();
  assert.equal(findings.filter(({ source }) => source === 'dependencies').length, 1);
  assert.deepEqual(warnings.sort(), [
    'No advisories of PyPI are loaded: 1 package was not checked (requirements.txt). Load them with "assay advisories sync".',
    'Not checked by code: 1 file of installed packages, such as node_modules/left/index.js.',
    'Not checked by dependencies: 1 file of installed packages, such as node_modules/left/package-lock.json.',
    'Not checked by infrastructure: 2 files of installed packages, such as .terraform/modules/a/main.tf.',
  ]);
});

test('a bare repository, a linked work tree and a file URL are scanned with their history', async () => {
  const first = fixture.commit({ 'a.txt': stripe('a') });
  fixture.git('branch', 'side');
  fixture.commit({ 'a.txt': 'gone\n', 'b.txt': stripe('b') });
  const expected = [`a.txt ${first.slice(0, 7)}`];
  fixture.git('clone', '--quiet', '--bare', '.', '../bare.git');
  assert.equal((await scan(join(fixture.root, 'bare.git'))).places.length, 2);
  fixture.git('worktree', 'add', '--quiet', '../linked', 'side');
  assert.deepEqual((await scan(join(fixture.root, 'linked'))).places, expected);
  const byUrl = await scan(`file://${fixture.work}`, 'side');
  assert.deepEqual(byUrl.places, expected);
  assert.equal(byUrl.target.name, 'work');
});

test('a shallow clone is scanned as far as it goes, with a warning', async () => {
  fixture.commit({ 'a.txt': stripe('a') });
  fixture.commit({ 'a.txt': 'gone\n', 'b.txt': stripe('b') });
  fixture.git('clone', '--quiet', '--depth=1', `file://${fixture.work}`, '../shallow');
  const { places, warnings } = await scan(join(fixture.root, 'shallow'));
  assert.equal(places.length, 1);
  assert.match(warnings.join(), /shallow clone/);
});

test('a repository without a commit, and one with SHA-256, are scanned', async () => {
  fixture.write('a.txt', stripe('a'));
  assert.deepEqual((await scan()).places, ['a.txt -']);
  rmSync(join(fixture.work, '.git'), { recursive: true });
  fixture.git('init', '--quiet', '--object-format=sha256', '--initial-branch=main');
  const commit = fixture.commit({});
  fixture.commit({ 'a.txt': 'gone\n' });
  assert.deepEqual((await scan()).places, [`a.txt ${commit.slice(0, 7)}`]);
  assert.deepEqual((await scan(`file://${fixture.work}`)).places, [`a.txt ${commit.slice(0, 7)}`]);
});

test('a repository with missing objects is refused: a result without its history would close findings', async () => {
  fixture.commit({ 'a.txt': stripe('one') });
  const objects = join(fixture.work, '.git', 'objects');
  for (const name of readdirSync(objects)) rmSync(join(objects, name), { recursive: true });
  await assert.rejects(scan(), /objects are missing from the repository/);
});

test('the same secret has the same fingerprint in every scan and location', async () => {
  fixture.commit({ 'a.txt': stripe('a') });
  const [first] = (await scan()).findings;
  fixture.git('mv', 'a.txt', 'b.txt');
  fixture.commit({});
  const [second] = (await scan()).findings;
  assert.equal(second!.detection.fingerprint, first!.detection.fingerprint);
});

test('an installed scanner scans files on disk, and a bare repository', async () => {
  fixture.commit({ 'src/app.py': 'eval(x)\n' });
  fixture.write('new.py', 'import pickle\n');
  const signal = AbortSignal.timeout(600_000);
  const onDisk = await scanPath(fixture.work, { sources: ['bandit'], signal, additions });
  const places = onDisk.findings.map(
    ({ source, detection }) => `${source} ${detection.rule.id} ${detection.location.path}`,
  );
  assert.deepEqual(places.sort(), ['bandit B307 src/app.py', 'bandit B403 new.py']);
  const bare = await scanPath(`file://${fixture.work}`, { sources: ['bandit'], signal, additions });
  assert.deepEqual(
    bare.findings.map(({ detection }) => detection.rule.id),
    ['B307'],
  );
});

test('gaps in coverage are reported for each source, and none after a complete scan', async () => {
  fixture.commit({
    'a/app.py': 'print(1)\n',
    'b/app.py': 'print(2)\n',
    'b/package-lock.json': '{ "lockfileVersion"',
  });
  fixture.commit({ 'b/app.py': 'print(3)\n' });
  const coverageOf = async (path: string) =>
    (await scanPath(path, { sources: fileSources, signal: AbortSignal.timeout(600_000) })).coverage;
  const nothing = { partial: [], uncovered: [] };
  assert.deepEqual(await coverageOf(fixture.work), [
    { source: 'secrets', ...nothing },
    { source: 'dependencies', partial: [], uncovered: ['b/package-lock.json'] },
    { source: 'code', ...nothing },
    { source: 'infrastructure', ...nothing },
  ]);
  const copies = { shallow: ['--depth=1'], sparse: ['--sparse'], partial: ['--filter=blob:none', '--no-checkout'] };
  const reasons: Record<string, string[]> = {};
  fixture.git('config', 'uploadpack.allowFilter', 'true');
  for (const [name, options] of Object.entries(copies)) {
    const copy = join(fixture.root, name);
    fixture.git('clone', '--quiet', ...options, `file://${fixture.work}`, copy);
    if (name === 'sparse') fixture.git('-C', copy, 'sparse-checkout', 'set', 'a');
    reasons[name] = (await coverageOf(name === 'partial' ? join(copy, '.git') : copy))[0]!.partial;
  }
  assert.match(reasons.shallow!.join(), /shallow clone/);
  assert.deepEqual(reasons.sparse, ['2 file(s) of the repository are not checked out here (sparse checkout).']);
  assert.match(reasons.partial!.join(), /4 file version\(s\) are missing from the repository/);
});
