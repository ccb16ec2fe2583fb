import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { AdvisoryDirectory, osvAdvisory } from '../../../tests/harness/advisories.ts';
import { RepositoryFixture } from '../../../tests/harness/repository.ts';
import { directoryAdvisories } from '../../advisories/directory-advisories.ts';
import { findVulnerabilities } from './find-vulnerabilities.ts';
import { readManifests } from './read-manifests.ts';
import { openTree } from './repository-source.ts';

let fixture: RepositoryFixture;
beforeEach(() => {
  fixture = new RepositoryFixture();
});
afterEach(() => fixture.remove());

async function read(files: Record<string, string | Uint8Array>) {
  const head = fixture.commit(files);
  const repository = {
    gitDirectory: `${fixture.work}/.git`,
    home: fixture.root,
    signal: AbortSignal.timeout(600_000),
    timeoutMs: 60_000,
  };
  return readManifests(await openTree(repository, head));
}

test('every manifest of a tree is read, and an unreadable one is reported with its path', async () => {
  const { manifests, warnings, unreadable } = await read({
    'a/yarn.lock': 'left@^1.0.0:\n  version "1.0.0"\n',
    'b/go.mod': 'nonsense\n',
    'c/Cargo.lock': '[[package]]\nname = "x"\nversion = "1"\n',
    'c/node_modules/x/yarn.lock': 'left@^1.0.0:\n  version "1.0.0"\n',
    'd/big/package-lock.json': Buffer.alloc(33 * 1024 * 1024, 32),
    'e/package.json': '{}',
  });
  assert.deepEqual(
    manifests.map(({ path, dependencies }) => [path, dependencies.length]),
    [
      ['a/yarn.lock', 1],
      ['c/Cargo.lock', 1],
    ],
  );
  assert.deepEqual(unreadable, ['b/go.mod', 'd/big/package-lock.json']);
  assert.deepEqual(warnings, [
    'b/go.mod could not be read as a Go module: Line 1 does not begin with a go.mod directive.',
    'd/big/package-lock.json is larger than 32 MiB and was not read.',
  ]);
});

test('a package in an included file is one finding in that file, for any number of including manifests', async () => {
  const { manifests, warnings } = await read({
    'requirements.txt': '-r requirements/base.txt\n-r ../outside.txt\nflask==1.0\n',
    'requirements-dev.txt': '-r requirements/base.txt\n-c lists/limits.txt\n',
    'requirements/base.txt': '# base\ndjango==3.0\n',
    'lists/limits.txt': 'jinja2==2.0\n',
  });
  assert.deepEqual(warnings, ['requirements.txt: The included file ../outside.txt is missing.']);
  const feed = new AdvisoryDirectory();
  feed.put(
    'PyPI',
    ['django', 'flask', 'jinja2'].map((name) => osvAdvisory(`PYSEC-${name}`, 'PyPI', name, '9')),
  );
  const found: string[] = [];
  for await (const { location } of findVulnerabilities(manifests, directoryAdvisories(feed.directory))) {
    found.push(`${location.package!.name} ${location.path}:${location.start_line}`);
  }
  feed.remove();
  assert.deepEqual(found.sort(), [
    'django requirements/base.txt:2',
    'flask requirements.txt:3',
    'jinja2 lists/limits.txt:1',
  ]);
});

test('installed packages of a distribution are read with its release', async () => {
  const { manifests } = await read({
    'rootfs/etc/os-release': 'NAME="Debian"\nID=debian\nVERSION_ID="12"\n',
    'rootfs/var/lib/dpkg/status':
      'Package: libcurl4\nStatus: install ok installed\nSource: curl (7.88.1-10)\nVersion: 7.88.1-10+b1\n',
  });
  assert.deepEqual(manifests[0]!.dependencies, [
    { ecosystem: 'Debian:12', name: 'curl', version: '7.88.1-10', line: 1 },
  ]);
});
