import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database.ts';
import { call, createTestNode, type Node } from '../../../tests/harness/identity.ts';
import { createTenant, type Person } from '../../../tests/harness/people.ts';
import { oneFindingRoutes } from '../../decisions/finding-routes.ts';
import { findingRoutes } from '../../findings/routes.ts';
import { newId } from '../../platform/id.ts';
import { silentLog } from '../../platform/log.ts';
import { createKeyring } from '../../platform/sealed.ts';
import { scanRoutes } from '../scans/routes.ts';
import { createImportReader } from './import-reader.ts';
import { type ImportJob, runImport } from './merge-import.ts';
import { importRoutes } from './routes.ts';

let db: TestDatabase;
let node: Node;
before(async () => {
  db = await createTestDatabase();
  node = await createTestNode(
    db.database,
    [...scanRoutes, ...importRoutes, ...findingRoutes, ...oneFindingRoutes],
    undefined,
    {
      imports: createImportReader(db.database, createKeyring('k'.repeat(32))),
    },
  );
});
after(async () => {
  await node.close();
  await db.drop();
});

type Place = Person & { dataSourceId: string };

async function createPlace(): Promise<Place> {
  const tenant = await createTenant(db.database);
  const dataSourceId = newId('ds');
  await db.database.single(tenant.orgId, {
    text: `INSERT INTO data_sources (org_id, id, kind, name, config) VALUES ($1, $2, 'upload', 'pipeline', '{}')`,
    values: [tenant.orgId, dataSourceId],
  });
  return { ...tenant, dataSourceId };
}

const sarif = (rules: string[], invocations: object[] = []) =>
  JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Example Lint' } },
        invocations,
        results: rules.map((ruleId) => ({
          ruleId,
          level: 'error',
          message: { text: `${ruleId} is broken` },
          locations: [{ physicalLocation: { artifactLocation: { uri: 'a.ts' }, region: { startLine: 1 } } }],
        })),
      },
    ],
  });

async function send(place: Place, body: string, query: string, person: Person = place) {
  const response = await node.app.inject({
    method: 'POST',
    url: `/api/v1/data-sources/${place.dataSourceId}/imports?${query}`,
    headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/octet-stream' },
    payload: body,
  });
  return { status: response.statusCode, body: response.json() };
}

async function importFile(place: Place, body: string, query = '') {
  const sent = await send(place, body, query);
  assert.equal(sent.status, 202, JSON.stringify(sent.body));
  const { rows } = await db.database.pool.query<{ id: string; payload: ImportJob }>(
    'SELECT id::text, payload FROM graphile_worker._private_jobs',
  );
  for (const { id, payload } of rows) {
    assert.equal(await runImport({ database: db.database, log: silentLog }, payload), 0);
    await db.database.pool.query('SELECT graphile_worker.complete_jobs(ARRAY[$1::bigint])', [id]);
  }
  return (await call(node, place.token, 'GET', `/scans/${sent.body.id}`)).body;
}

/** Returns everything that an import could leave behind. */
async function stored({ orgId }: Place): Promise<unknown> {
  const tables = ['findings', 'scans', 'scan_targets', 'imports', 'import_batches', 'data_sources', 'push_sources'];
  const state: Record<string, unknown> = {};
  for (const table of tables) {
    const text = `SELECT to_jsonb(t) AS row, xmin::text FROM ${table} t WHERE org_id = $1 ORDER BY 1`;
    state[table] = await db.database.single(orgId, { text, values: [orgId] });
  }
  const { rows } = await db.database.pool.query('SELECT count(*)::int AS jobs FROM graphile_worker._private_jobs');
  return { ...state, rows };
}

test('a dry run returns the format and the effect of the import, and writes nothing', async () => {
  const place = await createPlace();
  await importFile(place, sarif(['a', 'b', 'c', 'gone', 'fixed']));
  const { data } = (await call(node, place.token, 'GET', '/findings?rule=fixed')).body;
  await call(node, place.token, 'PATCH', `/findings/${data[0].id}`, { status: 'resolved' });
  const file = sarif(['a', 'b', 'b', 'c', 'fixed', 'fresh']);
  const before = await stored(place);
  const { status, body } = await send(place, file, 'dry_run=true&close_missing=true');
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([body.format, body.sources, body.results], ['sarif', ['example-lint'], 6]);
  assert.deepEqual(body.findings, { new: 2, seen: 3, reopened: 1, resolved: 1 });
  assert.deepEqual(body.missing.by_severity, { critical: 0, high: 1, medium: 0, low: 0, info: 0 });
  assert.deepEqual([body.missing.count, body.missing.samples.length, body.incomplete], [1, 1, []]);
  assert.match(body.missing.samples[0].title, /gone/);
  assert.deepEqual(await stored(place), before);
  assert.deepEqual((await importFile(place, file, 'close_missing=true')).findings, body.findings);
});

test('a dry run without close_missing still counts what it would close, and an incomplete file closes nothing', async () => {
  const place = await createPlace();
  await importFile(place, sarif(['a', 'b']));
  const without = (await send(place, sarif(['a']), 'dry_run=true')).body;
  assert.deepEqual([without.findings.resolved, without.missing.count], [0, 1]);
  const incomplete = sarif(['a'], [{ executionSuccessful: false }]);
  const cut = (await send(place, incomplete, 'dry_run=true&close_missing=true')).body;
  assert.deepEqual([cut.findings.resolved, cut.missing.count, cut.incomplete.length], [0, 1, 1]);
  const empty = (await send(place, sarif([]), 'dry_run=true&close_missing=true')).body;
  assert.deepEqual([empty.results, empty.findings.resolved], [0, 2]);
});

test('a dry run refuses what an import refuses: a wrong file, an unknown place, and another organization', async () => {
  const place = await createPlace();
  const wrong = await send(place, '{"version": "2.1.0", "runs": [{]}', 'dry_run=true&format=sarif');
  assert.deepEqual([wrong.status, wrong.body.error.code], [400, 'invalid_request']);
  assert.ok(wrong.body.error.details[0].field);
  const stranger = await createTenant(db.database);
  assert.equal((await send(place, sarif(['a']), 'dry_run=true', stranger)).status, 404);
});
