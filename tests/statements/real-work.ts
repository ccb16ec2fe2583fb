import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { loadDataset } from '../../bench/dataset.ts';
import { listQuestions, valuesOf } from '../../bench/growth-questions.ts';
import { createNetworkPolicy } from '../../scanner/platform/egress/network-policy.ts';
import { generateSarif } from '../../scanner/readers/testing/generate-sarif.fixture.ts';
import { readConfig } from '../../server/config/config.ts';
import { createSampleRepository } from '../../server/detection/sample-repository/sample-repository.ts';
import type { FeedLocations } from '../../server/detection/services.ts';
import { readChanges } from '../../server/events/event-feeds.ts';
import { facetFields, findNamed } from '../../server/findings/figures/facet-queries.ts';
import { hasMoreFindings } from '../../server/findings/live-columns/column-queries.ts';
import { LiveColumns } from '../../server/findings/live-columns/live-columns.ts';
import { Snapshots } from '../../server/findings/live-columns/snapshots.ts';
import { createLifecycle } from '../../server/platform/lifecycle.ts';
import { silentLog } from '../../server/platform/log.ts';
import { createInstruments } from '../../server/platform/metrics.ts';
import { openRooms } from '../../server/processes/open-rooms.ts';
import { runWorker } from '../../server/processes/run-worker.ts';
import { cellTicks, ticks, type WorkerServices } from '../../server/worker.ts';
import { AdvisoryDirectory, osvAdvisory } from '../harness/advisories.ts';
import type { Application } from '../harness/application.ts';
import { asAdmin } from '../harness/database.ts';
import { type Furnished, furnish, succeeded } from '../harness/furnished.ts';
import { eventually } from '../harness/installation.ts';
import type { Person } from '../harness/people.ts';
import { bodyOf, callerOf, callRoute, pathOf, requiredQuery, routes } from '../harness/requests.ts';

const advisoryCount = 3_000;

/** Writes feeds of advisories and of exploitation data, a few of which concern the findings of the dataset. */
function writeFeeds(): { locations: FeedLocations; remove(): void } {
  const numbers = Array.from({ length: advisoryCount }, (_, number) => number);
  const advisories = new AdvisoryDirectory();
  advisories.put(
    'npm',
    numbers.map((number) =>
      osvAdvisory(`GHSA-${number}`, 'npm', number === 0 ? 'minimist' : `package-${number}`, '9.0.0', {
        aliases: [`CVE-2020-${10_000 + number}`],
      }),
    ),
  );
  const epss = join(advisories.directory, 'epss.csv.gz');
  const scores = numbers.map((number) => `CVE-${number < 5 ? 2024 : 2020}-${10_000 + number},0.5,0.9`);
  writeFileSync(epss, gzipSync(['cve,epss,percentile', ...scores].join('\n')));
  const kev = join(advisories.directory, 'kev.json');
  writeFileSync(kev, JSON.stringify({ vulnerabilities: [{ cveID: 'CVE-2024-10001', dateAdded: '2026-01-01' }] }));
  return {
    locations: { advisories: advisories.directory, epss, kev },
    remove: () => advisories.remove(),
  };
}

/** Findings of both organizations. */
const findingCount = 100_000;

/** Creates two organizations with one resource of each kind, years of findings and the related rows. */
export async function createOrganizations(app: Application): Promise<[Furnished, Furnished]> {
  const [one, other] = [await furnish(app, 'one0marker'), await furnish(app, 'other0marker')];
  const sizes = { memberCount: 30, dataSourceCount: 240 };
  await asAdmin(app.adminUrl, async (client) => {
    // Figures that the dataset computes from all findings.
    const computed = ['counts', 'flows', 'coverage', 'history', 'recomputations'];
    for (const name of computed) await client.query(`DELETE FROM finding_${name}`);
    await loadDataset(client, { orgId: one.orgId, ...sizes }, findingCount, 0.5, [{ orgId: other.orgId, ...sizes }]);
  });
  return [one, other];
}

/** Calls every route according to its description: first the read-only ones. */
async function callRoutes(app: Application, furnished: Furnished): Promise<void> {
  const rank = { GET: 0, POST: 1, PUT: 1, PATCH: 2, DELETE: 3 } as Record<string, number>;
  for (const route of routes.toSorted((a, b) => rank[a.method]! - rank[b.method]!)) {
    const query = requiredQuery(route);
    await callRoute(
      app,
      route,
      callerOf(route, furnished),
      `${pathOf(route, furnished)}${query && `?${query}`}`,
      bodyOf(route),
    );
  }
  // The event stream may be closed before it has read anything.
  await readChanges(app.database, furnished.orgId, null);
}

/** Lists, facets and groups under each filter, and lists under pairs of filters. */
async function readFindings(app: Application, { token, orgId }: Person): Promise<void> {
  const { values, questions } = await asAdmin(app.adminUrl, async (client) => ({
    values: await valuesOf(client, orgId),
    questions: await listQuestions(client, orgId),
  }));
  const get = (path: string, query: Record<string, string>) =>
    app.call(token, 'GET', `${path}?${new URLSearchParams(query)}`);
  for (const [index, { filters, sort }] of questions.entries()) {
    if (index % 25 !== 0) continue;
    const { next_cursor } = succeeded(await get('/findings', { ...filters, sort }));
    if (next_cursor) succeeded(await get('/findings', { ...filters, sort, next_cursor }));
  }
  for (const [name, both] of Object.entries(values)) {
    for (const value of both) {
      succeeded(await get('/findings/facets', { field: facetFields.join(), [name]: value }));
      for (const by of ['rule', 'data_source', 'package'])
        succeeded(await get('/findings/groups', { by, [name]: value }));
    }
  }
}

/** Results of pip-audit: a vulnerability with an alias, and one without. */
const aliasedPackages = {
  dependencies: [
    {
      name: 'django',
      version: '1.0',
      vulns: [
        { id: 'PYSEC-2099-9', fix_versions: ['1.1'], aliases: ['CVE-2099-0009'], description: 'Debug is on.' },
        { id: 'PYSEC-2099-10', fix_versions: ['1.1'], aliases: [], description: 'Debug stays on.' },
      ],
    },
  ],
} as const;

/**
 * Scans, imports, changes findings in bulk, undoes that, writes reports and removes a data source, with a worker
 * beside it.
 */
async function work(app: Application, { token, email }: Person): Promise<void> {
  const post = async (path: string, json?: object) => {
    const headers = { 'idempotency-key': randomUUID() };
    const send = () => app.call(token, 'POST', path, { json, headers });
    const first = succeeded(await send());
    assert.deepEqual(succeeded(await send()), first);
    return first;
  };
  const get = async (path: string) => succeeded(await app.call(token, 'GET', path));
  const until = (path: string, isDone: (body: { status: string }) => boolean) =>
    eventually(async () => isDone(await get(path)), 600_000);
  const hasEnded = ({ status }: { status: string }) => !['queued', 'pending', 'running', 'undoing'].includes(status);

  const upload = await post('/data-sources', { kind: 'upload', name: 'pipeline' });
  const importFile = async (raw: string) => {
    const headers = { 'content-type': 'application/json' };
    const send = (query: string) =>
      app.call(token, 'POST', `/data-sources/${upload.id}/imports?close_missing=true${query}`, { raw, headers });
    succeeded(await send('&dry_run=true'));
    const sent = await send('');
    await until(`/scans/${succeeded(sent).id}`, hasEnded);
    return succeeded(sent).id;
  };
  await importFile(await text(generateSarif(5_000)));
  const scan = await importFile(await text(generateSarif(4_000)));
  await get(`/findings?scan=${scan}:seen`);
  await importFile(JSON.stringify(aliasedPackages));
  await get(`/findings?identifier=${aliasedPackages.dependencies[0].vulns[0].id}`);
  await get(`/audit-events?actor=${encodeURIComponent(email)}&target=pipeline`);
  await get(`/scans?data_source=${upload.id}`);
  const [{ id }] = (await get('/findings?limit=1')).data;
  succeeded(await app.call(token, 'PATCH', `/findings/${id}`, { json: { assignee: email } }));
  await get(`/findings?owner=${encodeURIComponent(email)}`);
  const directory = join(app.repositories, 'sample');
  await createSampleRepository(directory);
  const config = { url: pathToFileURL(directory).href };
  const repository = await post('/data-sources', { kind: 'git_repository', name: 'sample', config });
  for (const source of ['secrets', 'secrets', 'dependencies']) {
    const scan = await post(`/detection-sources/${source}/scan?data_source=${repository.id}`);
    await until(`/scans/${scan.id}`, hasEnded);
  }
  for (const change of [
    { filter: { severity: ['low'] }, status: 'triaged', add_tags: ['owasp'] },
    { filter: { severity: ['medium'] }, remove_tags: ['team-1'], status: 'false_positive', comment: 'Not reached.' },
  ]) {
    const { operation } = succeeded(await app.call(token, 'PATCH', '/findings', { json: change }));
    await until(`/bulk-operations/${operation.id}`, hasEnded);
    await post(`/bulk-operations/${operation.id}/undo`);
    await until(`/bulk-operations/${operation.id}`, hasEnded);
  }
  succeeded(await app.call(token, 'DELETE', `/data-sources/${upload.id}`));
}

/** Runs the periodic work of a worker. */
async function runTicks(services: WorkerServices): Promise<void> {
  for (const tick of [...cellTicks, ...ticks]) await tick.run(services);
}

/** Loads columns, like the API's thread, and applies a change of findings and of a data source to them. */
async function followInColumns({ database }: Application, { orgId, dataSourceId }: Furnished): Promise<void> {
  assert.ok(await hasMoreFindings(database, orgId, 2_000));
  const directory = mkdtempSync(join(tmpdir(), 'assay-columns-'));
  const open = () =>
    new LiveColumns({ database, snapshots: new Snapshots(database, directory), report: assert.fail }, 1_000_000_000);
  const [live, next] = [open(), open()];
  await eventually(() => live.read(orgId));
  await live.refresh();
  for (const text of [
    'UPDATE findings SET epss = 0.5 WHERE org_id = $1 AND number < 5000',
    'UPDATE data_sources SET tags = tags WHERE org_id = $1 AND id = $2',
  ])
    await database.single(orgId, { text, values: text.includes('$2') ? [orgId, dataSourceId] : [orgId] });
  assert.ok(await live.read(orgId));
  assert.ok((await findNamed(database, orgId, ['data_source'], '')).data_source?.includes(dataSourceId));
  await next.start();
  assert.deepEqual(next.usage.organizations, [orgId]);
  rmSync(directory, { recursive: true });
}

/** Runs the everyday work of the service in this process. */
export async function doRealWork(app: Application, furnished: Furnished): Promise<void> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'assay-work-'));
  const lifecycle = createLifecycle(silentLog);
  const secretKey = 'k'.repeat(40);
  const feeds = writeFeeds();
  try {
    const one = furnished.people.owner;
    await readFindings(app, one);
    const config = readConfig({
      DATABASE_URL: app.appUrl,
      ASSAY_DATA_DIR: dataDirectory,
      ASSAY_SECRET_KEY: secretKey,
      ASSAY_LOCAL_REPOSITORIES: app.repositories,
    });
    const options = { config, databaseUrl: app.appUrl, secretKey, ownRepositories: [], log: silentLog, lifecycle };
    const services = {
      database: app.database,
      log: silentLog,
      networkPolicy: createNetworkPolicy({ allowed: [] }),
      ...openRooms(config, silentLog),
      feeds: feeds.locations,
      stopping: new AbortController().signal,
      backups: null,
      headChannels: [{ name: 'log', destination: null, send: async () => null }],
    } as unknown as WorkerServices;
    await runTicks(services);
    await runWorker({ ...options, alone: false, figures: createInstruments() });
    await work(app, one);
    await followInColumns(app, furnished);
    await callRoutes(app, furnished);
    await runTicks(services);
  } finally {
    await lifecycle.stop();
    feeds.remove();
    rmSync(dataDirectory, { recursive: true, force: true });
  }
}
