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

test('a server that accepts no more connections on its socket, such as a stopped one, is away', () => {
  assert.ok(isDatabaseAway(Object.assign(new Error('connect EAGAIN /run/.s.PGSQL.5432'), { code: 'EAGAIN' })));
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

test('of statements that are sent together, those before a failed one succeed, those after it fail, and all run again', async () => {
  const echo = (value: unknown, name = 'test_echo') => ({ name, text: 'SELECT $1::integer AS value', values: [value] });
  const divide = { name: 'test_divide', text: 'SELECT 1 / $1::integer AS value', values: [0] };
  const unknown = { name: 'test_unknown', text: 'SELECT $1::integer AS value FROM no_such_table', values: [1] };
  const unsendable = echo({ toPostgres: () => assert.fail('This value can’t be sent.') });
  const other = (value: number) => echo(value, 'test_other');
  const check = async (statements: Array<{ text: string; values: unknown[] }>, expected: unknown[]) => {
    let outcomes: unknown[] = [];
    const ended = testDatabase.database.transaction(null, async (tx) => {
      const settled = await Promise.allSettled(statements.map((statement) => tx.query<{ value: number }>(statement)));
      outcomes = settled.map((one) => (one.status === 'fulfilled' ? one.value.rows[0]!.value : one.reason.code));
    });
    if (expected.includes('25P02')) await assert.rejects(ended, /was rolled back/);
    else await ended;
    assert.deepEqual(outcomes, expected);
  };
  await check([echo(1), echo(2), other(3)], [1, 2, 3]);
  await check([echo(1), divide, other(3)], [1, '22012', '25P02']);
  await check([unsendable, other(3)], ['ERR_ASSERTION', 'ERR_ASSERTION']);
  await check([echo(4), unsendable, other(3)], [4, 'ERR_ASSERTION', 'ERR_ASSERTION']);
  await check([unknown, other(5)], ['42P01', '25P02']);
  await check([other(5), { ...divide, values: [1] }, echo(6)], [5, 1, 6]);
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

test('a connection keeps the statements that it used last, within a limit, and prepares the others again', async () => {
  const database = openDatabase({ connectionString: testDatabase.appUrl, maxConnections: 1 });
  const run = async (number: number) => {
    const text = `SELECT ${number} AS value, '${'x'.repeat(10_000)}' AS long`;
    const [row] = await database.single<{ value: number }>(null, { name: `statement_${number}`, text, values: [] });
    assert.equal(row!.value, number);
  };
  const kept = () =>
    database.single<{ name: string }>(null, {
      text: `SELECT name FROM pg_prepared_statements WHERE name LIKE 'statement_%'`,
    });
  try {
    for (let number = 0; number < 40; number++) {
      await run(number);
      await run(0);
      assert.ok((await kept()).length <= 16);
    }
    const names = (await kept()).map(({ name }) => name);
    assert.ok(
      names.includes('statement_0') && names.includes('statement_39') && !names.includes('statement_1'),
      `${names}`,
    );
    await run(1);
  } finally {
    await database.close();
  }
});
