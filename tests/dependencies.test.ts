import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { AdvisoryDirectory, osvAdvisory } from './harness/advisories.ts';
import { HostedInstallation } from './harness/installation.ts';
import { RepositoryFixture } from './harness/repository.ts';

const lockfile = (packages: Record<string, string>) =>
  JSON.stringify(
    {
      lockfileVersion: 3,
      packages: Object.fromEntries(
        Object.entries(packages).map(([name, version]) => [`node_modules/${name}`, { version }]),
      ),
    },
    null,
    2,
  );

describe('vulnerable dependencies, from an empty installation to an upgrade', () => {
  const repository = new RepositoryFixture('shop');
  const feed = new AdvisoryDirectory();
  const installation = new HostedInstallation({ ASSAY_LOCAL_REPOSITORIES: repository.root });
  let dataSourceId = '';

  const sync = () => JSON.parse(installation.command('advisories', 'sync', '--from', feed.directory, '--json'));
  const scan = () => installation.scan(`?data_source=${dataSourceId}`, 'dependencies');
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts what it reads of a response
  const list = async (status = 'new'): Promise<any[]> =>
    (await installation.ask('GET', `/findings?source=dependencies&status=${status}&sort=-severity&limit=200`)).data;
  const shown = async (status?: string) =>
    (await list(status)).map(({ rule, location }) => `${rule.id} ${location.package.name} ${location.path}`).sort();

  before(async () => {
    repository.commit({
      'web/package-lock.json': lockfile({ left: '1.0.0', right: '1.0.0', clean: '9.0.0' }),
      'api/Cargo.lock': '[[package]]\nname = "time"\nversion = "0.1.43"\n',
      'broken/go.mod': 'this is no go.mod\n',
    });
    feed.put('npm', [
      osvAdvisory('GHSA-left-left-left', 'npm', 'left', '1.2.0', {
        aliases: ['CVE-2026-1'],
        severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }],
        database_specific: { cwe_ids: ['CWE-1321'] },
      }),
      osvAdvisory('GHSA-rigt-rigt-rigt', 'npm', 'right', '2.0.0'),
    ]);
    feed.put('crates.io', [osvAdvisory('RUSTSEC-2020-1', 'crates.io', 'time', '0.2.0', { aliases: ['CVE-2020-1'] })]);
    await installation.start();
    const config = { url: pathToFileURL(repository.work).href };
    dataSourceId = (await installation.ask('POST', '/data-sources', { name: 'shop', kind: 'git_repository', config }))
      .id;
  });
  after(async () => {
    await installation.remove();
    feed.remove();
    repository.remove();
  });

  test('without advisories the source is unavailable, and says how to load them', async () => {
    const { data } = await installation.ask('GET', '/detection-sources');
    const source = data.find((one: { type: string }) => one.type === 'dependencies');
    assert.equal(source.status, 'unavailable');
    assert.match(source.status_reason, /assay advisories sync --from/);
    const refused = await installation.call('POST', '/detection-sources/dependencies/scan');
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'detection_source_unavailable']);
  });

  test('the command loads advisories while the server is running', async () => {
    const { archives } = sync();
    assert.deepEqual(
      archives.map((one: { ecosystem: string; counts: { added: number } }) => [one.ecosystem, one.counts.added]),
      [
        ['crates.io', 1],
        ['npm', 2],
      ],
    );
    assert.ok(sync().archives.every((one: { unchanged: boolean }) => one.unchanged));
  });

  test('a scan finds each vulnerability of each package, and reports what it could not read', async () => {
    const result = await scan();
    assert.equal(result.status, 'completed', JSON.stringify(result.errors));
    assert.match(JSON.stringify(result), /broken\/go\.mod could not be read as a Go module: Line 1 /);
    assert.deepEqual(await shown(), [
      'CVE-2020-1 time api/Cargo.lock',
      'GHSA-left-left-left left web/package-lock.json',
      'GHSA-rigt-rigt-rigt right web/package-lock.json',
    ]);
    const [mostSevere] = await list();
    assert.deepEqual(
      [mostSevere.severity, mostSevere.cvss_score, mostSevere.location.start_line],
      ['critical', 9.8, 4],
    );
    assert.deepEqual(mostSevere.identifiers, ['GHSA-left-left-left', 'CVE-2026-1', 'CWE-1321']);
    assert.deepEqual(mostSevere.location.package, {
      ecosystem: 'npm',
      name: 'left',
      version: '1.0.0',
      fixed_version: '1.2.0',
      purl: 'pkg:npm/left@1.0.0',
    });
  });

  test('a second scan finds the same vulnerabilities, and changes nothing', async () => {
    const before = await list();
    assert.deepEqual((await scan()).findings, { new: 0, seen: 3, reopened: 0, resolved: 0 });
    assert.deepEqual(
      (await list()).map(({ id, updated_at }) => [id, updated_at]),
      before.map(({ id, updated_at }) => [id, updated_at]),
    );
  });

  test('an upgrade resolves its findings; a lockfile that can no longer be read leaves its findings unchanged', async () => {
    repository.commit({
      'web/package-lock.json': lockfile({ left: '1.2.0', right: '1.0.0', clean: '9.0.0' }),
      'api/Cargo.lock': '<<<<<<< HEAD\n',
    });
    assert.equal((await scan()).findings.resolved, 1);
    assert.deepEqual(await shown('resolved'), ['GHSA-left-left-left left web/package-lock.json']);
    assert.equal((await shown()).length, 2);
    repository.git('rm', '--quiet', 'api/Cargo.lock');
    repository.commit({});
    assert.equal((await scan()).findings.resolved, 1);
    assert.deepEqual(await shown(), ['GHSA-rigt-rigt-rigt right web/package-lock.json']);
  });

  test('a withdrawn advisory resolves its findings, and a new one opens others', async () => {
    feed.put('npm', [
      osvAdvisory('GHSA-rigt-rigt-rigt', 'npm', 'right', '2.0.0', { withdrawn: '2026-02-01T00:00:00Z' }),
      osvAdvisory('GHSA-clea-clea-clea', 'npm', 'clean', '10.0.0'),
    ]);
    sync();
    const { findings } = await scan();
    assert.deepEqual([findings.new, findings.resolved], [1, 1]);
    assert.deepEqual(await shown(), ['GHSA-clea-clea-clea clean web/package-lock.json']);
  });

  test("characters that cannot be stored, and UTF-16, don't keep a scan from ending", async () => {
    const utf16 = Buffer.from(`\uFEFF${lockfile({ clean: '9.0.0', 'lod\0ash': '1.0.0' })}`, 'utf16le');
    repository.commit({
      'windows/package-lock.json': utf16,
      'windows/base/package-lock.json': Buffer.from(utf16).swap16(),
      'odd/Pipfile.lock': '{"default": \0}',
      'cut/Pipfile.lock': '\0{}',
    });
    const result = await scan();
    assert.equal(result.status, 'completed', JSON.stringify(result.errors));
    assert.equal(result.findings.new, 2);
    assert.match(JSON.stringify(result), /odd\/Pipfile\.lock could not be read as a \w+/);
  });
});
