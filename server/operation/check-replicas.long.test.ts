import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestDatabase } from '../../tests/harness/database.ts';
import { eventually } from '../../tests/harness/installation.ts';
import { createReplicatedDatabase, type ReplicatedDatabase } from '../../tests/harness/replicated-database.ts';
import type { CheckInput } from './check.ts';
import { checkReplicas } from './check-replicas.ts';

let servers: ReplicatedDatabase;
let opened: TestDatabase;
before(async () => {
  servers = await createReplicatedDatabase();
  opened = await servers.open();
});
after(async () => {
  await opened.drop();
  await servers.remove();
});

const check = (urls = [servers.replica.url('assay', 'owner')], maxLagMs = 500) =>
  checkReplicas({ database: opened.database, replicas: { urls, maxLagMs } } as CheckInput);

const write = () => opened.asAdmin('CREATE TABLE written (); DROP TABLE written');

/** Changes a setting of the running standby. */
async function set(name: string, value: string): Promise<void> {
  await servers.replica.admin.query(`ALTER SYSTEM SET ${name} = '${value}'`);
  await servers.replica.admin.query('SELECT pg_reload_conf()');
}

async function unset(name: string): Promise<void> {
  await servers.replica.admin.query(`ALTER SYSTEM RESET ${name}`);
  await servers.replica.admin.query('SELECT pg_reload_conf()');
}

const follows = { state: 'ok', summary: '1 of 1 replicas follow.', action: null };

test('a standby that follows is fine, even if its last transaction is old', async () => {
  await servers.catchUp();
  assert.deepEqual(await check(), follows);
  await write();
  assert.deepEqual(await check(undefined, 0), follows);
});

test('a lagging standby is reported with its lag and what to look at', async () => {
  await set('recovery_min_apply_delay', '1h');
  // The standby reloads its settings asynchronously.
  const { summary, action } = await eventually(async () => {
    await write();
    const found = await check(undefined, 0);
    return found.state === 'warning' && found;
  });
  assert.match(summary, /^Localhost is \d+ seconds? behind\.$/i);
  assert.match(action!, /long queries.* The primary serves its reads meanwhile\.$/);
  await unset('recovery_min_apply_delay');
  await servers.catchUp();
  assert.deepEqual(await check(), follows);
});

test('a standby whose replay was paused is reported with the statement that resumes it', async () => {
  await servers.replica.admin.query('SELECT pg_wal_replay_pause()');
  const { state, summary, action } = await check();
  assert.deepEqual([state, summary], ['warning', 'Localhost has paused its replay.']);
  const [, statement] = /"(SELECT [^"]*)"/.exec(action!)!;
  await servers.replica.admin.query(statement!);
  assert.deepEqual(await check(), follows);
});

test('a standby that has lost the primary is reported before any data is missing there', async () => {
  const own = await servers.replica.admin.query('SHOW primary_conninfo');
  await set('primary_conninfo', '');
  const { action } = await eventually(async () => {
    const found = await check();
    return found.summary === 'Localhost is not connected to the primary.' && found;
  });
  assert.match(action!, /primary_conninfo.*pg_basebackup/);
  await set('primary_conninfo', own.rows[0].primary_conninfo.replaceAll("'", "''"));
  await eventually(async () => (await check()).state === 'ok');
});

test('a disconnected standby that the primary keeps WAL for is reported, whether it is read from or not', async () => {
  await servers.primary.admin.query(`SELECT pg_create_physical_replication_slot('spare', true)`);
  const { state, summary, action } = await check([]);
  assert.equal(state, 'warning');
  assert.match(summary, /^The standby of the replication slot spare is disconnected, and the primary keeps 0\.\d GB/);
  const [, statement] = /"(SELECT [^"]*)"/.exec(action!)!;
  await servers.primary.admin.query(statement!);
  assert.deepEqual(await check([]), { state: 'ok', summary: 'There are no replicas.', action: null });
});

test('a server that is not a standby, and an unavailable one, are reported', async () => {
  const { state, summary, action } = await check([
    servers.primary.url('assay', 'owner'),
    'postgresql://nobody@127.0.0.1:9/assay',
  ]);
  assert.deepEqual([state, summary], ['warning', 'Localhost is not a standby; 127.0.0.1:9 does not respond.']);
  assert.match(action!, /DATABASE_READ_URL.*network to it/);
});
