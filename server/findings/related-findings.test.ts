import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { problemOf } from '@assay/scanner/contract/fingerprint.ts';
import { startApplication } from '../../tests/harness/application.ts';
import { addDataSource } from '../../tests/harness/finding-set.ts';
import { recordScan, succeeded } from '../../tests/harness/furnished.ts';
import { createTenant } from '../../tests/harness/people.ts';
import { detectionOf } from './findings.fixture.ts';
import { recompute } from './policy/recompute.ts';

const app = await startApplication();
const { database } = app;
after(() => app.close());

const place = { identifiers: ['CWE-89'], path: 'a.ts', startLine: 3, ecosystem: null, packageName: null, purl: null };
const lodash = {
  ...place,
  identifiers: ['GHSA-jf85-cpcp-j695', 'CVE-2019-10744'],
  ecosystem: 'npm',
  packageName: 'lodash',
};

test('a problem is a package with its advisory, or a file, a line and a weakness, however a tool spells them', () => {
  const same = (a: object, b: object) => problemOf({ ...lodash, ...a }) === problemOf({ ...lodash, ...b });
  assert.ok(same({ identifiers: ['CWE-400', 'cve-2019-10744'], ecosystem: 'NPM', path: 'x', startLine: null }, {}));
  assert.ok(!same({ identifiers: ['CVE-2019-10745'] }, {}));
  assert.ok(!same({ packageName: 'underscore' }, {}));
  // Ecosystems and names as Grype, Trivy, OSV-Scanner and Snyk write them.
  const [group, artifact] = ['org.apache.logging.log4j', 'log4j-core'];
  const purl = `pkg:maven/${group}/${artifact}@2.14.1?type=jar`;
  for (const [left, right] of [
    [
      { ecosystem: 'maven', packageName: artifact, purl },
      { ecosystem: 'Maven', packageName: `${group}:${artifact}` },
    ],
    [
      { ecosystem: 'golang', packageName: 'golang.org/x/net' },
      { ecosystem: 'Go', packageName: 'golang.org/x/net' },
    ],
    [
      { ecosystem: 'npm', packageName: '@babel/core', purl: 'pkg:npm/%40babel/core@7.0.0' },
      { ecosystem: 'yarn', packageName: '@babel/core' },
    ],
    [
      { ecosystem: 'pip', packageName: 'Jinja_2' },
      { ecosystem: 'PyPI', packageName: 'jinja-2' },
    ],
    [
      { ecosystem: 'deb', packageName: 'openssl', purl: 'pkg:deb/debian/openssl@3.0?distro=debian-12' },
      { ecosystem: 'Debian:12', packageName: 'openssl' },
    ],
  ] as const)
    assert.ok(same(left, right), JSON.stringify(left));
  assert.ok(!same({ ecosystem: 'npm', packageName: 'requests' }, { ecosystem: 'pypi', packageName: 'requests' }));
  assert.ok(same({ purl: 'pkg:npm/%zz' }, { packageName: '%zz' }), 'a purl that is not one');
  assert.equal(problemOf({ ...lodash, identifiers: ['CWE-400'] }), null);
  const samePlace = (changes: object) => problemOf({ ...place, ...changes }) === problemOf(place);
  assert.ok(samePlace({ identifiers: ['cwe-89', 'CVE-2026-1'] }));
  for (const changes of [{ path: 'b.ts' }, { startLine: 4 }, { identifiers: ['CWE-79'] }])
    assert.ok(!samePlace(changes));
  for (const changes of [{ path: null }, { startLine: null }, { identifiers: [] }])
    assert.equal(problemOf({ ...place, ...changes }), null);
});

test('findings of other sources about the same problem are related, and with `unique` one of them is listed', async () => {
  const owner = await createTenant(database);
  const [first, second] = [
    await addDataSource(app, owner.token, 'first'),
    await addDataSource(app, owner.token, 'second'),
  ];
  const record = (dataSourceId: string, source: string, keys: string[]) =>
    recordScan(
      database,
      owner.orgId,
      dataSourceId,
      keys.map((key) => {
        const { location } = detectionOf(key);
        return detectionOf(`${key} by ${source}`, { location, identifiers: [key === 'other' ? 'CWE-1' : 'CWE-89'] });
      }),
      { source },
    );
  await record(first, 'semgrep', ['a', 'b', 'other']);
  await record(first, 'bandit', ['a', 'b']);
  await record(first, 'codeql', ['a']);
  await record(second, 'bandit', ['a']);
  const list = async (query = '') => succeeded(await app.call(owner.token, 'GET', `/findings?limit=200${query}`)).data;
  const idOf = new Map<string, string>();
  for (const { title, data_source, id } of await list()) idOf.set(`${title.slice(8)} in ${data_source.name}`, id);
  const related = async (key: string) => {
    const { related } = succeeded(await app.call(owner.token, 'GET', `/findings/${idOf.get(key)}`));
    return [...idOf].flatMap(([name, id]) => (related.includes(id) ? [name] : [])).sort();
  };
  const assertRelated = async () => {
    assert.deepEqual(await related('a by bandit in first'), ['a by codeql in first', 'a by semgrep in first']);
    assert.deepEqual(await related('b by bandit in first'), ['b by semgrep in first']);
    assert.deepEqual([await related('other by semgrep in first'), await related('a by bandit in second')], [[], []]);
  };
  await assertRelated();
  const shown = async (query: string) =>
    (await list(query)).map(({ title }: { title: string }) => title.slice(8)).sort();
  const unique = ['a by bandit', 'a by semgrep', 'b by semgrep', 'other by semgrep'];
  assert.deepEqual(await shown('&unique=true'), unique);
  assert.deepEqual(await shown('&unique=true&sort=-priority'), unique);
  assert.equal((await shown('&unique=false')).length, 7);
  const { total } = succeeded(await app.call(owner.token, 'GET', '/findings/facets?field=source&unique=true'));
  assert.equal(total, 4);
  // If one finding is closed and the other open, the open one is shown.
  const json = { status: 'false_positive' };
  succeeded(await app.call(owner.token, 'PATCH', `/findings/${idOf.get('b by semgrep in first')}`, { json }));
  assert.deepEqual(await shown('&unique=true&status=new'), [...unique.slice(0, 2), 'b by bandit', 'other by semgrep']);
  // The job that recomputes findings sets it too.
  await database.single(owner.orgId, {
    text: 'UPDATE findings SET problem = NULL WHERE org_id = $1',
    values: [owner.orgId],
  });
  await database.single(owner.orgId, { text: 'DELETE FROM finding_recomputations' });
  while ((await recompute(database, owner.orgId)) !== 'done');
  await assertRelated();
});
