import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { readConfig } from '../server/config/config.ts';
import { receiveImport } from '../server/detection/imports/receive-import.ts';
import { startImport } from '../server/detection/imports/start-import.ts';
import { findScan } from '../server/detection/scans/queries.ts';
import { insertTenant } from '../server/findings/findings.fixture.ts';
import { type Database, openDatabase } from '../server/platform/postgres/database.ts';
import { migrate } from '../server/platform/postgres/migrate.ts';
import { eventually } from './harness/installation.ts';
import { createOwnPostgres, type OwnPostgres } from './soak/own-postgres.ts';

const results = 20_000;

let parent: string;
let postgres: OwnPostgres;
let database: Database;
let worker: ChildProcess | undefined;
let output = '';
before(async () => {
  parent = mkdtempSync(join(tmpdir(), 'assay-acknowledged-imports-'));
  postgres = await createOwnPostgres(parent, { environment: {} });
  await postgres.create();
  await migrate({ adminUrl: postgres.databaseUrl });
  database = openDatabase({ connectionString: postgres.databaseUrl });
});
after(async () => {
  await killWorker();
  await database?.close();
  await postgres.remove();
  rmSync(parent, { recursive: true, force: true });
});

async function startWorker(): Promise<void> {
  worker = fork(fileURLToPath(new URL('../server/processes/worker-process.ts', import.meta.url)), { silent: true });
  for (const stream of [worker.stdout!, worker.stderr!]) {
    stream.on('data', (text) => {
      output += text;
    });
  }
  const config = readConfig({ ASSAY_DATA_DIR: join(parent, 'data'), LOG_LEVEL: 'warn' });
  worker.send({ config, databaseUrl: postgres.databaseUrl, secretKey: 'k'.repeat(40), ownRepositories: [] });
  await once(worker, 'message');
}

async function killWorker(): Promise<void> {
  if (!worker || worker.exitCode !== null || worker.signalCode !== null) return;
  const exited = once(worker, 'exit');
  worker.kill('SIGKILL');
  await exited;
}

async function* sarif() {
  yield Buffer.from('{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"Example"}},"results":[');
  for (let number = 0; number < results; number += 1) {
    const location = { physicalLocation: { artifactLocation: { uri: `src/${number}.ts` } } };
    const result = { ruleId: 'r', message: { text: `Problem ${number}` }, locations: [location] };
    yield Buffer.from(`${number === 0 ? '' : ','}${JSON.stringify(result)}`);
  }
  yield Buffer.from(']}]}');
}

/** Prevents findings from being stored until the returned function is called. */
async function holdUp(): Promise<() => Promise<void>> {
  const holder = new pg.Client({ connectionString: postgres.adminUrl });
  holder.on('error', () => {});
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE findings IN EXCLUSIVE MODE');
  return () => holder.end();
}

/** Receives the file and acknowledges it, as the API does before it responds with 202. */
async function acknowledge() {
  const { orgId, dataSourceId } = await insertTenant(database);
  const received = await receiveImport(database, orgId, sarif(), { keyedHash: (value) => value });
  const job = await database.transaction(orgId, (tx) =>
    startImport(tx, orgId, { dataSourceId, requestedBy: null, closeMissing: false }, received),
  );
  const find = () => database.transaction(orgId, (tx) => findScan(tx, orgId, job.scan_id));
  const countIn = async (table: 'findings' | 'import_batches') => {
    const statement = { text: `SELECT 1 FROM ${table} WHERE org_id = $1`, values: [orgId] };
    return (await database.transaction(orgId, (tx) => tx.query(statement))).rowCount;
  };
  return { find, countIn };
}

test('an import that was acknowledged is completed once, although PostgreSQL and the worker are killed before its merge and during it', async () => {
  const { service } = postgres;
  const { find, countIn } = await acknowledge();
  // PostgreSQL had no time to write its tables: what it keeps is in its log.
  await service.kill({ all: true });
  await service.start();
  assert.equal((await eventually(find)).status, 'queued');
  await holdUp();
  await startWorker();
  await eventually(async () => (await find())?.status === 'running');
  await Promise.all([service.kill({ all: true }), killWorker()]);
  await service.start();
  await startWorker();
  const scan = await eventually(async () => {
    const found = await find();
    return found?.completedAt && found;
  });
  assert.deepEqual([scan.status, scan.new, scan.seen], ['completed', results, 0], output);
  assert.equal(await countIn('findings'), results);
  await eventually(async () => (await countIn('import_batches')) === 0);
  await killWorker();
});

test('an import that was acknowledged is completed once the full disk has room again', async (context) => {
  const { disk } = postgres;
  if (!disk) return context.skip('only root on Linux can mount the small disk that it needs');
  await startWorker();
  output = '';
  const release = await holdUp();
  const { find, countIn } = await acknowledge();
  await eventually(async () => (await find())?.status === 'running');
  disk.fill();
  await release();
  await eventually(async () => output.includes('A job was interrupted'));
  disk.free();
  const scan = await eventually(async () => {
    // A server that can't write its log exits; its supervisor restarts it.
    if (!postgres.service.isRunning) await postgres.service.start();
    const found = await find();
    return found?.completedAt && found;
  });
  assert.deepEqual([scan.status, scan.new, scan.seen], ['completed', results, 0], output);
  assert.equal(await countIn('findings'), results);
});
