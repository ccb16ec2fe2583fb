import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createNetworkPolicy } from '@assay/scanner/platform/egress/network-policy.ts';
import { AdvisoryDirectory, osvAdvisory } from '../../../tests/harness/advisories.ts';
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database.ts';
import { call, createTestNode, type Node } from '../../../tests/harness/identity.ts';
import { createTenant } from '../../../tests/harness/people.ts';
import { oneFindingRoutes } from '../../decisions/finding-routes.ts';
import { decisionRoutes } from '../../decisions/routes.ts';
import { findingRoutes } from '../../findings/routes.ts';
import { newId } from '../../platform/id.ts';
import { silentLog } from '../../platform/log.ts';
import { createKeyring } from '../../platform/sealed.ts';
import { openFeed } from '../advisories/open-feed.ts';
import { syncAdvisories } from '../advisories/sync.ts';
import { createImportReader } from './import-reader.ts';
import { type ImportJob, runImport } from './merge-import.ts';
import { importRoutes } from './routes.ts';

const advisory = 'GHSA-2222-3333-4444';
const url = `https://github.com/advisories/${advisory}`;
const fixed = '1.2.0';
const title = 'left-pad reads past the end';

let testDatabase: TestDatabase;
let node: Node;
before(async () => {
  testDatabase = await createTestDatabase();
  const { database } = testDatabase;
  node = await createTestNode(
    database,
    [...importRoutes, ...findingRoutes, ...oneFindingRoutes, ...decisionRoutes],
    undefined,
    { imports: createImportReader(database, createKeyring('k'.repeat(32))) },
  );
  const feed = new AdvisoryDirectory();
  feed.put('npm', [osvAdvisory(advisory, 'npm', 'left-pad', fixed)]);
  const policy = createNetworkPolicy({ allowed: [] });
  const signal = new AbortController().signal;
  await syncAdvisories({ database, feed: openFeed(feed.directory, policy), signal });
  feed.remove();
});
after(async () => {
  await node.close();
  await testDatabase.drop();
});

const purlOf = (version: string) => `pkg:npm/left-pad@${version}`;

/** The results of each tool for left-pad at a version, as the tool writes them. From the fixed version on, there are none. */
const files: Record<string, (version: string, isAffected: boolean) => object> = {
  grype: (version, isAffected) => ({
    matches: isAffected
      ? [
          {
            vulnerability: {
              ...{ id: advisory, dataSource: url, namespace: 'github:language:javascript', severity: 'High' },
              ...{ urls: [], description: title, cvss: [], advisories: [] },
              fix: { versions: [fixed], state: 'fixed' },
            },
            relatedVulnerabilities: [],
            matchDetails: [{ type: 'exact-direct-match', matcher: 'javascript-matcher' }],
            artifact: {
              ...{
                id: '6d1f5a',
                name: 'left-pad',
                version,
                type: 'npm',
                language: 'javascript',
                licenses: [],
                cpes: [],
              },
              ...{ purl: purlOf(version), upstreams: [], locations: [{ path: '/package-lock.json' }] },
            },
          },
        ]
      : [],
    source: { type: 'directory', target: '/srv/shop' },
    distro: { name: '', version: '', idLike: null },
    descriptor: { name: 'grype', version: '0.100.0' },
  }),
  trivy: (version, isAffected) => ({
    ...{ SchemaVersion: 2, ArtifactName: '.', ArtifactType: 'filesystem' },
    Results: [
      {
        ...{ Target: 'package-lock.json', Class: 'lang-pkgs', Type: 'npm' },
        ...(isAffected && {
          Vulnerabilities: [
            {
              ...{ VulnerabilityID: advisory, PkgID: `left-pad@${version}`, PkgName: 'left-pad' },
              ...{ PkgIdentifier: { PURL: purlOf(version), UID: version }, InstalledVersion: version },
              ...{ FixedVersion: fixed, Status: 'fixed', SeveritySource: 'ghsa', PrimaryURL: url },
              ...{ DataSource: { ID: 'ghsa', Name: 'GitHub Security Advisory npm', URL: url } },
              ...{ Title: title, Severity: 'HIGH', References: [url] },
            },
          ],
        }),
      },
    ],
  }),
  'npm audit of npm 6': (version, isAffected) => ({
    ...{ actions: [], muted: [], runId: `run-${version}` },
    advisories: isAffected
      ? {
          1654: {
            ...{ id: 1654, module_name: 'left-pad', title, severity: 'high', cves: [], cwe: 'CWE-125', url },
            ...{ github_advisory_id: advisory, vulnerable_versions: `<${fixed}`, patched_versions: `>=${fixed}` },
            ...{ overview: title, recommendation: `Upgrade to ${fixed}`, references: url },
            findings: [{ version, paths: ['left-pad'], dev: false, optional: false, bundled: false }],
          },
        }
      : {},
    metadata: { vulnerabilities: { high: isAffected ? 1 : 0 }, dependencies: 1, totalDependencies: 1 },
  }),
  'npm audit': (_version, isAffected) => ({
    auditReportVersion: 2,
    vulnerabilities: isAffected
      ? {
          'left-pad': {
            ...{ name: 'left-pad', severity: 'high', isDirect: true, effects: [], range: `<${fixed}` },
            via: [
              {
                ...{ source: 1654, name: 'left-pad', dependency: 'left-pad', title, url, severity: 'high' },
                ...{ cwe: ['CWE-125'], cvss: { score: 7.5, vectorString: null }, range: `<${fixed}` },
              },
            ],
            ...{ nodes: ['node_modules/left-pad'], fixAvailable: true },
          },
        }
      : {},
    metadata: { vulnerabilities: { high: isAffected ? 1 : 0, total: isAffected ? 1 : 0 } },
  }),
  'osv-scanner': (version, isAffected) => ({
    results: isAffected
      ? [
          {
            source: { path: '/srv/shop/package-lock.json', type: 'lockfile' },
            packages: [
              {
                package: { name: 'left-pad', version, ecosystem: 'npm' },
                vulnerabilities: [osvAdvisory(advisory, 'npm', 'left-pad', fixed)],
                groups: [{ ids: [advisory], aliases: [advisory], max_severity: '7.5' }],
              },
            ],
          },
        ]
      : [],
    experimental_config: { licenses: { summary: false, allowlist: null } },
  }),
  'dependencies, of a bill of materials': (version) => ({
    ...{ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 },
    metadata: { tools: { components: [{ type: 'application', name: 'cyclonedx-npm', version: '4.0.0' }] } },
    components: [
      { type: 'library', name: 'left-pad', version, purl: purlOf(version), 'bom-ref': `shop|left-pad@${version}` },
    ],
  }),
};

async function createPlace() {
  const { database } = testDatabase;
  const { orgId, token } = await createTenant(database);
  const dataSourceId = newId('ds');
  await database.single(orgId, {
    text: `INSERT INTO data_sources (org_id, id, kind, name, config) VALUES ($1, $2, 'upload', 'pipeline', '{}')`,
    values: [orgId, dataSourceId],
  });
  const read = async (path: string) => (await call(node, token, 'GET', path)).body;
  return {
    /** Imports a file that closes what it no longer has, and runs the waiting jobs like a worker. */
    async importFile(file: object) {
      const response = await node.app.inject({
        method: 'POST',
        url: `/api/v1/data-sources/${dataSourceId}/imports?close_missing=true`,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
        payload: JSON.stringify(file),
      });
      assert.equal(response.statusCode, 202, response.body);
      const { rows } = await database.pool.query<{ id: string; payload: ImportJob }>(
        'SELECT id::text, payload FROM graphile_worker._private_jobs',
      );
      for (const { id, payload } of rows) {
        assert.equal(await runImport({ database, log: silentLog }, payload), 0);
        await database.pool.query('SELECT graphile_worker.complete_jobs(ARRAY[$1::bigint])', [id]);
      }
    },
    async finding() {
      const { data } = await read('/findings');
      assert.equal(data.length, 1);
      const { id, status, resolution, decision, location } = data[0];
      return { id, status, resolution, decision, version: location.package.version };
    },
    history: async (id: string) => (await read(`/findings/${id}/history`)).data as Array<{ changes: object[] }>,
    decisions: async (status: string) => (await read(`/decisions?status=${status}`)).data,
    async accept(id: string) {
      const json = { status: 'accepted_risk', comment: 'It runs at build time only.' };
      assert.equal((await call(node, token, 'PATCH', `/findings/${id}`, json)).status, 200);
    },
  };
}

for (const [tool, fileOf] of Object.entries(files))
  test(`${tool}: an accepted left-pad 1.0.0 is the same finding with the same decision as 1.0.1, and resolved as ${fixed}`, async () => {
    // npm 7 and later don't report the installed version.
    const knowsVersion = tool !== 'npm audit';
    const place = await createPlace();
    await place.importFile(fileOf('1.0.0', true));
    const first = await place.finding();
    assert.deepEqual([first.status, first.version], ['new', knowsVersion ? '1.0.0' : null]);
    await place.accept(first.id);
    const accepted = await place.finding();
    assert.deepEqual([accepted.status, accepted.decision.outcome], ['accepted_risk', 'accepted_risk']);
    const before = await place.history(first.id);
    await place.importFile(fileOf('1.0.1', true));
    assert.deepEqual(await place.finding(), { ...accepted, version: knowsVersion ? '1.0.1' : null });
    const added = (await place.history(first.id)).slice(before.length).map(({ changes }) => changes);
    const line = { field: 'package_version', from: '1.0.0', to: '1.0.1' };
    assert.deepEqual(added, knowsVersion ? [[line]] : []);
    const [decision, ...others] = await place.decisions('active');
    assert.deepEqual([decision.id, decision.reason, others], [accepted.decision.id, 'It runs at build time only.', []]);
    await place.importFile(fileOf(fixed, false));
    const last = await place.finding();
    assert.deepEqual([last.id, last.status, last.resolution], [first.id, 'resolved', 'fixed']);
    // It returns: the decision holds again.
    await place.importFile(fileOf('1.0.1', true));
    const { status, decision: again } = await place.finding();
    assert.deepEqual([status, again.id], ['accepted_risk', decision.id]);
  });
