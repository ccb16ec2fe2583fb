import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type pg from 'pg';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { eventually } from '../../../tests/harness/installation.ts';
import { ApiError } from '../errors.ts';
import type { ApplicationClient } from './application-client.ts';
import { isDatabaseAway, openDatabase } from './database.ts';
import { setLocal } from './statement.ts';

const testDatabase = await createTestDatabase();
after(() => testDatabase.drop());

test('a transaction that the database ended as idle is 503, and the next one works', async () => {
  const stalled = testDatabase.database.transaction(null, async (tx) => {
    const { rows } = await tx.query<{ pid: number }>({
      text: 'SELECT pg_backend_pid() AS pid',
    });
    await tx.query(setLocal({ idle_in_transaction_session_timeout: '20ms' }));
    // The server closes the connection while the process is busy.
    await eventually(async () => {
      const text = 'SELECT 1 FROM pg_stat_activity WHERE pid = $1';
      return (await testDatabase.database.single(null, { text, values: [rows[0]!.pid] })).length === 0;
    });
    await tx.query({ text: 'SELECT 1' });
  });
  await assert.rejects(stalled, (error) => error instanceof ApiError && error.code === 'unavailable');
  assert.deepEqual(await testDatabase.database.single(null, { text: 'SELECT 1 AS one' }), [{ one: 1 }]);
});

test('PgBouncer’s reports of a server that is unreachable or ends are an outage, other protocol violations are not', () => {
  const reported = (message: string) => isDatabaseAway(Object.assign(new Error(message), { code: '08P01' }));
  for (const message of [
    'server conn crashed?',
    'server login has been failing, cached error: connect failed',
    'query_wait_timeout',
    'pgbouncer cannot connect to server',
    'no more connections allowed (max_client_conn)',
    'invalid server parameter',
  ])
    assert.ok(reported(message), message);
  assert.equal(reported('bind message supplies 1 parameters, but prepared statement "" requires 2'), false);
});

test('a transaction works as its organization and as no other afterwards, and refuses what is not an id', async () => {
  const { database } = testDatabase;
  const statement = { text: `SELECT current_setting('app.org_id', true) AS org, current_user AS role` };
  assert.deepEqual(await database.single('org_1', statement), [{ org: 'org_1', role: 'assay_app' }]);
  assert.deepEqual(await database.single(null, statement), [{ org: '', role: 'assay_app' }]);
  const hostile = ["org_1'; RESET ROLE; --", "org_1\\' OR true --", 'org_1\u0000', 'org_1 ', 'ORG_1', 'org_', '', "'"];
  for (const orgId of hostile) {
    await assert.rejects(database.single(orgId, statement), /is not the id of an organization/);
    await assert.rejects(
      database.transaction(orgId, (tx) => tx.query(statement)),
      /is not the id of an organization/,
    );
  }
  assert.deepEqual(await database.single('org_2', statement), [{ org: 'org_2', role: 'assay_app' }]);
});

test('after a BEGIN that fails, the statements sent with it do not run as the login', async () => {
  const database = openDatabase({ connectionString: testDatabase.adminUrl });
  const client = (await database.pool.connect()) as ApplicationClient & pg.PoolClient;
  try {
    const [begun, read] = await Promise.allSettled([
      client.sendAll(client.begin('BEGIN ISOLATION LEVEL UNKNOWN', 'org_1')),
      client.send({ text: 'SELECT current_user AS role' }),
    ]);
    assert.match(String(begun.status === 'rejected' && begun.reason), /syntax error/);
    assert.deepEqual(read.status === 'fulfilled' && read.value.rows, [{ role: 'assay_app' }]);
  } finally {
    client.release(true);
    await database.close();
  }
});

test('a setting holds any text until the transaction ends', async () => {
  for (const text of ["a'b", 'a\\b', `a"b; RESET ROLE; --`, "\\'; RESET ROLE; --", '$1 :x %s']) {
    const read = { text: `SELECT current_setting('app.changes_before') AS value, current_user AS role` };
    const rows = await testDatabase.database.single(null, read, [setLocal({ 'app.changes_before': text })]);
    assert.deepEqual(rows, [{ value: text, role: 'assay_app' }]);
  }
  assert.throws(() => setLocal({ "x = 'y'; RESET ROLE; --": '' }), /not the name of a setting/);
});

test('a connection of a certain age is replaced, but not within a transaction', async () => {
  const database = openDatabase({ connectionString: testDatabase.appUrl, maxConnections: 1, maxAgeSeconds: 0.05 });
  const readPid = { text: 'SELECT pg_backend_pid() AS pid' };
  const pidOf = (rows: Array<{ pid: number }>) => rows[0]!.pid;
  try {
    const first = await database.transaction(null, async (tx) => {
      const pid = pidOf((await tx.query<{ pid: number }>(readPid)).rows);
      await tx.query({ text: 'SELECT pg_sleep(0.1)' });
      assert.equal(pidOf((await tx.query<{ pid: number }>(readPid)).rows), pid);
      return pid;
    });
    await eventually(async () => pidOf(await database.single<{ pid: number }>(null, readPid)) !== first);
  } finally {
    await database.close();
  }
});
