import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asAdmin, createTestDatabase, type TestDatabase } from '../../tests/harness/database.ts';
import { renewStatistics } from './jobs.ts';

let opened: TestDatabase;
before(async () => {
  opened = await createTestDatabase();
});
after(() => opened.drop());

const read = (text: string) =>
  asAdmin(opened.adminUrl, (client) => client.query(text).then(({ rows }) => rows as Record<string, unknown>[]));

/** Returns the tables with planner statistics on rows and columns. */
const analysed = async () =>
  (
    await read(
      `SELECT relname AS name FROM pg_class c WHERE relname IN ('scans', 'findings', 'audit_events', 'teams') AND relkind = 'r'
         AND reltuples > 0 AND EXISTS (SELECT FROM pg_statistic WHERE starelid = c.oid) ORDER BY 1`,
    )
  ).map(({ name }) => name);

test('tables without statistics after an upgrade of PostgreSQL or a restore get them', async () => {
  await read(`SET session_replication_role = replica;
    INSERT INTO organizations (id, name) VALUES ('org_a', 'A');
    INSERT INTO scans (org_id, id, source, trigger, status, extent)
      SELECT 'org_a', 'scan_' || n, repeat('s', 100), 'api', 'completed', '' FROM generate_series(1, 20000) AS n`);
  // The state after pg_upgrade: without statistics, and without changes since.
  await read(`DELETE FROM pg_statistic WHERE starelid = 'scans'::regclass;
    UPDATE pg_class SET reltuples = -1, relpages = 0 WHERE oid = 'scans'::regclass;
    SELECT pg_stat_reset_single_table_counters('scans'::regclass)`);
  assert.deepEqual(await analysed(), []);
  await renewStatistics(opened);
  assert.deepEqual(await analysed(), ['scans']);
});
