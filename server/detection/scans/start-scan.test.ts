import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database.ts';
import { insertTenant } from '../../findings/findings.fixture.ts';
import { newId } from '../../platform/id.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { findDetector } from '../registry.ts';
import { cancelTargetsOfDataSource } from '../targets/target-queries.ts';
import { startScan } from './start-scan.ts';

let testDatabase: TestDatabase;
before(async () => {
  testDatabase = await createTestDatabase();
});
after(() => testDatabase.drop());

const transaction = <T>(orgId: string, run: (tx: Db) => Promise<T>) => testDatabase.database.transaction(orgId, run);

async function addRepositories(orgId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('ds')).sort();
  await testDatabase.database.single(orgId, {
    text: `INSERT INTO data_sources (org_id, id, kind, name, address, config)
           SELECT $1, id, 'git_repository', 'r', id, '{}' FROM unnest($2::text[]) AS id`,
    values: [orgId, ids],
  });
  return ids;
}

const addRepository = async (orgId: string) => (await addRepositories(orgId, 1))[0]!;

/** Starts a scan of these data sources, or of all. */
const start = (orgId: string, ...ids: string[]) =>
  transaction(orgId, (tx) => {
    const dataSourceIds = ids.length > 0 ? ids : null;
    const request = { trigger: 'api' as const, requestedBy: null, dataSourceIds };
    return startScan(tx, orgId, { ...request, detector: findDetector('secrets')! });
  });

async function targetsOf(orgId: string, scanId: string): Promise<string[]> {
  const rows = await testDatabase.database.single<{ id: string }>(orgId, {
    text: 'SELECT data_source_id AS id FROM scan_targets WHERE org_id = $1 AND scan_id = $2 ORDER BY 1',
    values: [orgId, scanId],
  });
  return rows.map(({ id }) => id);
}

test('a data source that was added after a scan of all started is scanned by another, separately and with all', async () => {
  const { orgId } = await insertTenant(testDatabase.database);
  const old = await addRepository(orgId);
  const first = await start(orgId);
  const added = await addRepository(orgId);
  const alone = await start(orgId, added);
  assert.deepEqual(await targetsOf(orgId, alone), [added]);
  const all = await start(orgId);
  assert.notEqual(all, first);
  assert.deepEqual(await targetsOf(orgId, all), [old, added].sort());
  // Each request gets the oldest scan that includes its targets.
  assert.deepEqual(
    [await start(orgId), await start(orgId, old), await start(orgId, added), await start(orgId, old, added)],
    [all, first, alone, all],
  );
});

test('one of several concurrent requests for a scan of all starts it, even beside a scan of fewer data sources', async () => {
  const { orgId } = await insertTenant(testDatabase.database);
  await addRepository(orgId);
  const requests = () => Promise.all(Array.from({ length: 5 }, () => start(orgId)));
  const [first, ...others] = new Set(await requests());
  assert.deepEqual(others, []);
  await addRepository(orgId);
  const [second, ...rest] = new Set(await requests());
  assert.deepEqual(rest, []);
  assert.notEqual(second, first);
});

test('a scan of one data source never counts as a scan of all, even if there is only one', async () => {
  const { orgId } = await insertTenant(testDatabase.database);
  const only = await addRepository(orgId);
  const narrow = await start(orgId, only);
  const all = await start(orgId);
  assert.notEqual(all, narrow);
  assert.deepEqual([await start(orgId), await start(orgId, only)], [all, narrow]);
});

test('a scan of all still covers its finished targets, and the remaining ones after a deletion', async () => {
  const { orgId } = await insertTenant(testDatabase.database);
  const [finished, deleted] = (await addRepositories(orgId, 3)) as [string, string, string];
  const scan = await start(orgId);
  await transaction(orgId, async (tx) => {
    await tx.query({
      text: `UPDATE scan_targets SET status = 'completed', started_at = now(), completed_at = now()
             WHERE org_id = $1 AND data_source_id = $2`,
      values: [orgId, finished],
    });
    await tx.query({
      text: 'UPDATE data_sources SET deleted_at = now() WHERE org_id = $1 AND id = $2',
      values: [orgId, deleted],
    });
    await cancelTargetsOfDataSource(tx, orgId, deleted);
  });
  assert.deepEqual([await start(orgId), await start(orgId, finished)], [scan, scan]);
});

test('a scan may name as many data sources as a schedule', async () => {
  const { orgId } = await insertTenant(testDatabase.database);
  const ids = await addRepositories(orgId, 1_000);
  const scan = await start(orgId, ...ids);
  assert.equal(await start(orgId, ...ids), scan);
  assert.deepEqual(await targetsOf(orgId, scan), ids);
});
