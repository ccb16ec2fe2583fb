import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pg from 'pg';
import { sample } from '../scanner/detectors/secrets/sample.ts';
import { readConfig } from '../server/config/config.ts';
import { receiveImport } from '../server/detection/imports/receive-import.ts';
import { startImport } from '../server/detection/imports/start-import.ts';
import { findDetector } from '../server/detection/registry.ts';
import { findScan } from '../server/detection/scans/queries.ts';
import { startScan } from '../server/detection/scans/start-scan.ts';
import { detectionOf, insertTenant } from '../server/findings/findings.fixture.ts';
import { newId } from '../server/platform/id.ts';
import { createReport } from '../server/reports/create-report.ts';
import { openExport, requestExport } from '../server/reports/exports/exports.ts';
import { findReport } from '../server/reports/queries.ts';
import { takeSnapshotJob } from '../server/reports/take-snapshot.ts';
import { createTestDatabase, type TestDatabase } from './harness/database.ts';
import { recordScan } from './harness/furnished.ts';
import { eventually } from './harness/installation.ts';
import { RepositoryFixture } from './harness/repository.ts';

const results = 5_000;

export let testDatabase: TestDatabase;
export let admin: pg.Client;
let repository: RepositoryFixture;
let dataDirectory: string;
let worker: ChildProcess | undefined;
before(async () => {
  testDatabase = await createTestDatabase();
  admin = new pg.Client({ connectionString: testDatabase.adminUrl });
  await admin.connect();
  repository = new RepositoryFixture();
  repository.commit({ 'a.env': `STRIPE_KEY=sk_${'live'}_${sample('0-9A-Za-z', 24, 'interrupted')}\n` });
  dataDirectory = mkdtempSync(join(tmpdir(), 'assay-interruptions-'));
});
after(async () => {
  await killWorker();
  await admin.end();
  await testDatabase.drop();
  repository.remove();
  rmSync(dataDirectory, { recursive: true, force: true });
});

/** The worker, as run by `assay start`. */
function startWorker(): void {
  worker = fork(fileURLToPath(new URL('../server/processes/worker-process.ts', import.meta.url)));
  const config = readConfig({ ASSAY_DATA_DIR: dataDirectory, LOG_LEVEL: 'silent' });
  const secretKey = 'k'.repeat(40);
  worker.send({ config, databaseUrl: testDatabase.appUrl, secretKey, ownRepositories: [repository.work] });
}

async function killWorker(): Promise<void> {
  if (!worker || worker.exitCode !== null || worker.signalCode !== null) return;
  const exited = once(worker, 'exit');
  worker.kill('SIGKILL');
  await exited;
}

/**
 * Ends the worker with a signal, and terminates its statements that wait for a lock. Otherwise, PostgreSQL would
 * notice the lost client only when it next sends something, and a stopping worker waits for its statements.
 */
async function endWorker(signal: NodeJS.Signals): Promise<void> {
  const ending = worker!;
  ending.kill(signal);
  await eventually(async () => {
    await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                       WHERE datname = current_database() AND application_name = 'assay worker' AND wait_event_type = 'Lock'`);
    return ending.exitCode !== null || ending.signalCode !== null;
  });
  assert.deepEqual([ending.exitCode, ending.signalCode], signal === 'SIGKILL' ? [null, signal] : [0, null]);
}

export const rowsOf = async <Row extends object>(text: string): Promise<Row[]> => (await admin.query<Row>(text)).rows;

const sarif = () =>
  JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Example' } },
        results: Array.from({ length: results }, (_, number) => ({
          ruleId: 'r',
          message: { text: `Problem ${number}` },
          locations: [{ physicalLocation: { artifactLocation: { uri: `src/${number}.ts` } } }],
        })),
      },
    ],
  });

type Work = { orgId: string; importId: string; scanId: string; reportId: string; exportedId: string };

/** Starts an import, a scan, a report, and an export of another report. */
export async function requestWork(): Promise<Work> {
  const { database } = testDatabase;
  const { orgId, userId, dataSourceId } = await insertTenant(database);
  await recordScan(database, orgId, dataSourceId, [detectionOf('one'), detectionOf('two')]);
  const report = { title: 'R', filters: {}, createdBy: userId, scheduledReportId: null, mail: null };
  const exportedId = await database.transaction(orgId, (tx) => createReport(tx, orgId, report));
  await takeSnapshotJob.run({ org_id: orgId, report_id: exportedId }, { database });
  const body = (async function* () {
    yield Buffer.from(sarif());
  })();
  const received = await receiveImport(database, orgId, body, { keyedHash: (value) => value });
  const repositoryId = newId('ds');
  const config = JSON.stringify({ url: pathToFileURL(repository.work).href, branch: null });
  return database.transaction(orgId, async (tx) => {
    await tx.query({
      text: `INSERT INTO data_sources (org_id, id, kind, name, config) VALUES ($1, $2, 'git_repository', 'code', $3)`,
      values: [orgId, repositoryId, config],
    });
    const job = await startImport(tx, orgId, { dataSourceId, requestedBy: null, closeMissing: false }, received);
    const detector = findDetector('secrets')!;
    const scan = { detector, trigger: 'api' as const, requestedBy: null, dataSourceIds: [repositoryId] };
    const scanId = await startScan(tx, orgId, scan);
    const reportId = await createReport(tx, orgId, report);
    await requestExport(tx, orgId, exportedId, 'csv');
    return { orgId, importId: job.scan_id, scanId, reportId, exportedId };
  });
}

/** Prevents findings, snapshots and exports from being stored until `release`, so that all work stays in progress. */
async function holdUp(): Promise<{ release(): Promise<void> }> {
  const holder = new pg.Client({ connectionString: testDatabase.adminUrl });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE findings, report_batches, report_export_pieces IN EXCLUSIVE MODE');
  return { release: () => holder.end() };
}

/** Waits until the import, the scan, the snapshot and the export are all running for the nth time. */
async function underWay(nth: number, { orgId, importId, exportedId }: Work): Promise<void> {
  await eventually(async () => {
    const targets = await rowsOf<{ attempt: number }>(`SELECT attempt FROM scan_targets WHERE org_id = '${orgId}'`);
    const exports = await rowsOf<{ attempt: number }>(
      `SELECT attempt FROM report_exports WHERE report_id = '${exportedId}'`,
    );
    const held = await rowsOf<{ waiting: number }>(
      `SELECT count(*)::integer AS waiting FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND application_name = 'assay worker'`,
    );
    return (
      importId !== '' &&
      [...targets, ...exports].every(({ attempt }) => attempt >= nth) &&
      // The import (one or two batches at a time), the snapshot and the export; the scan may still be reading.
      held[0]!.waiting >= 3
    );
  });
}

/**
 * Interrupts the worker repeatedly, each time by two graceful stops and a kill, while all kinds of work are in
 * progress.
 */
export function testInterruptions(times: number): void {
  const signals = Array.from({ length: times }, (_, index) => (index % 3 === 2 ? 'SIGKILL' : 'SIGTERM'));
  test(`an import, a scan, a report and an export whose worker is stopped or killed ${times} times are completed, with no duplicates`, async () => {
    const { database } = testDatabase;
    const work = await requestWork();
    const hold = await holdUp();
    for (const [index, signal] of signals.entries()) {
      startWorker();
      await underWay(index + 1, work);
      const [job] = await rowsOf<{ attempts: number }>(
        'SELECT max(attempts)::integer AS attempts FROM graphile_worker._private_jobs',
      );
      assert.equal(job!.attempts, 1, `${index} interruptions cost attempts`);
      await endWorker(signal);
    }
    await hold.release();
    startWorker();
    const { orgId } = work;
    const scans = await eventually(async () => {
      const found = await database.transaction(orgId, (tx) =>
        Promise.all([work.importId, work.scanId].map((id) => findScan(tx, orgId, id))),
      );
      return found.every((scan) => scan?.completedAt) && found;
    });
    const figures = scans.map((scan) => [scan!.status, scan!.new, scan!.seen, scan!.reopened, scan!.resolved]);
    assert.deepEqual(figures, [
      ['completed', results, 0, 0, 0],
      ['completed', 1, 0, 0, 0],
    ]);
    const report = await eventually(async () => {
      const found = await database.transaction(orgId, (tx) => findReport(tx, orgId, work.reportId));
      return found?.status !== 'pending' && found;
    });
    assert.equal(report.status, 'ready');
    const file = await openExport(database, orgId, work.exportedId, 'csv', { waitMs: 600_000 });
    let text = '';
    for await (const piece of file!.content) text += piece;
    assert.equal(text.trim().split('\r\n').length, 3, text);
    const [left] = await rowsOf<Record<string, number>>(
      `SELECT (SELECT count(*) FROM findings WHERE org_id = '${orgId}')::integer AS findings,
       (SELECT count(*) FROM imports WHERE org_id = '${orgId}')::integer AS imports,
       (SELECT count(*) FROM import_batches WHERE org_id = '${orgId}')::integer AS batches,
       (SELECT sum(count) FROM finding_counts WHERE org_id = '${orgId}')::integer AS counted`,
    );
    assert.deepEqual(left, { findings: results + 3, imports: 0, batches: 0, counted: results + 3 });
    await eventually(async () => (await rowsOf('SELECT 1 FROM graphile_worker._private_jobs')).length === 0);
    await killWorker();
  });
}
