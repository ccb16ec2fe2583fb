import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createNetworkPolicy } from '@assay/scanner/platform/egress/network-policy.ts';
import { AdvisoryDirectory, type OsvAdvisory, osvAdvisory } from '../../../tests/harness/advisories.ts';
import { startApplication } from '../../../tests/harness/application.ts';
import { addDataSource } from '../../../tests/harness/finding-set.ts';
import { recordScan, succeeded } from '../../../tests/harness/furnished.ts';
import { createTenant, type Person } from '../../../tests/harness/people.ts';
import { detectionOf } from '../../findings/findings.fixture.ts';
import { recompute } from '../../findings/policy/recompute.ts';
import { openFeed } from './open-feed.ts';
import { syncAdvisories } from './sync.ts';

const app = await startApplication();
const { database } = app;
const feed = new AdvisoryDirectory();
after(async () => {
  await app.close();
  feed.remove();
});

await database.single(null, {
  text: 'INSERT INTO known_exploited (cve, added_on) VALUES ($1, $2)',
  values: ['CVE-2021-44228', '2021-12-10'],
});

/** Replaces the content of the feed. */
async function load(...advisories: OsvAdvisory[]): Promise<void> {
  feed.put('npm', advisories);
  const policy = createNetworkPolicy({ allowed: [] });
  const signal = AbortSignal.timeout(60_000);
  await syncAdvisories({ database, feed: openFeed(feed.directory, policy), signal });
}

const version = (id: string, modified: string, ...aliases: string[]) =>
  osvAdvisory(id, 'npm', 'minimist', '9.0.0', { aliases, modified });

type Place = { owner: Person; dataSource: string };

async function createPlace(): Promise<Place> {
  const owner = await createTenant(database);
  return { owner, dataSource: await addDataSource(app, owner.token, 'shop') };
}

/** Reports a vulnerable package under these identifiers, like the tool of this name. */
async function report({ owner, dataSource }: Place, source: string, ...identifiers: string[]): Promise<void> {
  const { location } = detectionOf(source);
  const named = { ecosystem: 'npm', name: 'log4j', version: '2.14.1', fixed_version: '2.17.0', purl: null };
  const detection = detectionOf(`${source} ${identifiers}`, {
    title: `Seen by ${source}`,
    description: '',
    location: { ...location, package: named },
    identifiers,
  });
  await recordScan(database, owner.orgId, dataSource, [detection], { source });
}

const follow = async ({ owner }: Place) => {
  while ((await recompute(database, owner.orgId)) !== 'done');
};

const get = async ({ owner }: Place, path: string) => succeeded(await app.call(owner.token, 'GET', path));

/** Lists the sources of the findings that a query selects. */
const sources = async (place: Place, query: string): Promise<string[]> =>
  (await get(place, `/findings?${query}`)).data.map(({ source }: { source: string }) => source).sort();

const relatedOf = async (place: Place, source: string): Promise<string[]> => {
  const { data } = await get(place, '/findings?limit=200');
  const { id } = data.find((finding: { source: string }) => finding.source === source);
  const { related } = await get(place, `/findings/${id}`);
  return data.flatMap((finding: { id: string; source: string }) =>
    related.includes(finding.id) ? [finding.source] : [],
  );
};

const [cve, ghsa, pysec] = ['CVE-2021-44228', 'GHSA-jfh8-c2jp-5v3q', 'PYSEC-2021-99'] as const;

/** Asserts that two findings are one problem under each of its names. */
async function assertOne(place: Place, names: string[]): Promise<void> {
  for (const name of names) {
    assert.deepEqual(await sources(place, `identifier=${name}`), ['grype', 'npm-audit'], name);
    assert.deepEqual(await sources(place, `identifier=-${name}`), ['other'], name);
    assert.deepEqual(await sources(place, `q=${name}`), ['grype', 'npm-audit'], name);
    assert.deepEqual(
      await sources(place, `q=LOG4J%20${name.toLowerCase()}%20seen&sort=relevance`),
      ['grype', 'npm-audit'],
      name,
    );
    assert.deepEqual(await sources(place, `q=${name}%20nowhere`), [], name);
    const { total } = await get(place, `/findings/facets?field=source&q=${name}`);
    assert.equal(total, 2);
  }
  assert.deepEqual([await relatedOf(place, 'npm-audit'), await relatedOf(place, 'grype')], [['grype'], ['npm-audit']]);
  assert.deepEqual(await sources(place, 'kev=true'), ['grype', 'npm-audit']);
  assert.equal((await sources(place, `unique=true&identifier=${names[0]}`)).length, 1);
  const groups = await get(place, '/findings/groups?by=package&unique=true');
  assert.equal(groups.data[0].count, 2);
}

test('a CVE and its alias in a feed are one problem: either is found by both, they are related, and groups count them once', async () => {
  await load();
  const place = await createPlace();
  await report(place, 'grype', cve);
  await report(place, 'npm-audit', ghsa);
  await report(place, 'other', 'CVE-2021-45046');
  assert.deepEqual(await sources(place, `identifier=${ghsa}`), ['npm-audit']);
  assert.deepEqual(await relatedOf(place, 'npm-audit'), []);
  await load(version(ghsa, '1', cve, pysec), version(pysec, '1', ghsa));
  await follow(place);
  await assertOne(place, [cve, ghsa, pysec, ghsa.toLowerCase()]);
  // Later reports join at once.
  const later = await createPlace();
  for (const [source, name] of [
    ['npm-audit', ghsa],
    ['other', 'CVE-2021-45046'],
    ['grype', cve],
  ] as const)
    await report(later, source, name);
  await assertOne(later, [cve, ghsa]);
  // An alias that the feed withdraws no longer joins them.
  await load(version(ghsa, '2'), version(pysec, '1', ghsa));
  await follow(place);
  assert.deepEqual(await sources(place, `identifier=${ghsa}`), ['npm-audit']);
  assert.deepEqual([await relatedOf(place, 'npm-audit'), await relatedOf(place, 'grype')], [[], []]);
});

test('an alias that a result states joins earlier findings of its organization, and none of another', async () => {
  await load();
  const [place, other] = [await createPlace(), await createPlace()];
  for (const each of [place, other]) {
    await report(each, 'npm-audit', ghsa);
    await report(each, 'other', 'CVE-2021-45046');
  }
  await report(other, 'grype', cve);
  await report(place, 'grype', ghsa, cve);
  await follow(place);
  await follow(other);
  await assertOne(place, [cve, ghsa]);
  assert.deepEqual(await sources(other, `identifier=${cve}`), ['grype']);
  assert.deepEqual(await sources(other, `q=${ghsa}`), ['npm-audit']);
  assert.deepEqual(await relatedOf(other, 'grype'), []);
});

test('wrong aliases join nothing: of two CVEs, against the feed, or over a bulletin on several', async () => {
  await load(version(ghsa, '1', cve));
  const place = await createPlace();
  await report(place, 'trivy', cve);
  await report(place, 'osv', 'CVE-2021-45046');
  await report(place, 'npm-audit', ghsa);
  // The feed contradicts the first identifier, and the second names two.
  await report(place, 'hostile', ghsa, 'CVE-2021-45046');
  await report(place, 'bulletin', 'GHSA-aaaa-bbbb-cccc', cve, 'CVE-2021-45046');
  await report(place, 'late', 'GHSA-aaaa-bbbb-cccc');
  await follow(place);
  const named = (name: string) => sources(place, `identifier=${name}`);
  assert.deepEqual(await named('CVE-2021-45046'), ['bulletin', 'hostile', 'osv']);
  assert.deepEqual(await named(cve), ['bulletin', 'hostile', 'npm-audit', 'trivy']);
  assert.deepEqual(await named('GHSA-aaaa-bbbb-cccc'), ['bulletin', 'late']);
  assert.deepEqual(await relatedOf(place, 'late'), []);
  assert.ok(!(await relatedOf(place, 'npm-audit')).includes('osv'));
});
