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
let database: Database | undefined;
let worker: ChildProcess | undefined;
let output = '';
before(async () => {
  parent = mkdtempSync(join(tmpdir(), 'assay-disk-full-'));
  postgres = await createOwnPostgres(parent, { environment: {} });
});
after(async () => {
  if (worker?.exitCode === null && worker.kill('SIGKILL')) await once(worker, 'exit');
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

test('an import that was acknowledged is completed once the full disk has room again', async (context) => {
  const { disk } = postgres;
  if (!disk) return context.skip('only root on Linux can mount the small disk that it needs');
  await postgres.create();
  await migrate({ adminUrl: postgres.databaseUrl });
  database = openDatabase({ connectionString: postgres.databaseUrl });
  const opened = database;
  const { orgId, dataSourceId } = await insertTenant(opened);
  await startWorker();
  const release = await holdUp();
  const received = await receiveImport(opened, orgId, sarif(), { keyedHash: (value) => value });
  const job = await opened.transaction(orgId, (tx) =>
    startImport(tx, orgId, { dataSourceId, requestedBy: null, closeMissing: false }, received),
  );
  const find = () => opened.transaction(orgId, (tx) => findScan(tx, orgId, job.scan_id));
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
  const { rowCount } = await opened.transaction(orgId, (tx) =>
    tx.query({ text: 'SELECT 1 FROM findings WHERE org_id = $1', values: [orgId] }),
  );
  assert.equal(rowCount, results);
});
