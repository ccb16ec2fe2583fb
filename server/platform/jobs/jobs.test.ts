import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import pg from 'pg';
import Type from 'typebox';
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database.ts';
import { eventually } from '../../../tests/harness/installation.ts';
import { type Log, silentLog } from '../log.ts';
import { createMetrics } from '../metrics.ts';
import { addPoolMetrics, addQueueMetrics } from '../monitoring/queue-metrics.ts';
import { deleteFinishedJobs } from './job-queries.ts';
import { type JobRunner, startJobRunner } from './job-runner.ts';
import { enqueue, enqueueOnce, type JobDefinition } from './jobs.ts';

let testDatabase: TestDatabase;
let admin: pg.Client;
before(async () => {
  testDatabase = await createTestDatabase();
  admin = new pg.Client({ connectionString: testDatabase.adminUrl });
  await admin.connect();
});
beforeEach(() => admin.query('DELETE FROM graphile_worker._private_jobs'));
after(async () => {
  await admin.end();
  await testDatabase.drop();
});

type Job = JobDefinition<object>;
const empty = Type.Object({});
const jobOf = (name: string, run: () => Promise<void>): Job => ({ name, schema: empty, run });

const warnings: string[] = [];
const log = {
  ...silentLog,
  warn: (...said: unknown[]) => warnings.push(String(said.at(-1))),
  error: () => {},
} as never as Log;

const start = (...jobs: Job[]): Promise<JobRunner> =>
  startJobRunner({
    connectionString: testDatabase.appUrl,
    jobs,
    services: {},
    concurrency: 2,
    log,
    ticks: [],
    alone: true,
    graceMs: 100,
  });

const add = (job: Job, key?: string) =>
  testDatabase.database.transaction(null, (tx) => enqueue(tx, job, {}, key === undefined ? {} : { key }));

async function listJobs(): Promise<Array<{ attempts: number; locked: boolean; key: string | null }>> {
  const { rows } = await admin.query(
    'SELECT attempts, locked_at IS NOT NULL AS locked, key FROM graphile_worker._private_jobs ORDER BY id',
  );
  return rows;
}

/** A job that runs until the test ends it. */
function controlledJob(name: string) {
  let runs = 0;
  let settle = Promise.withResolvers<void>();
  const job = jobOf(name, () => {
    runs += 1;
    settle = Promise.withResolvers();
    return settle.promise;
  });
  return {
    job,
    started: (nth: number) => eventually(async () => runs >= nth),
    end: () => settle.resolve(),
    fail: (error: Error) => settle.reject(error),
  };
}

test('the worker of a running job keeps sending heartbeats, so that no other runs the job', async () => {
  const { job, started, end } = controlledJob('long-job');
  const runner = await start(job);
  try {
    await add(job);
    await started(1);
    const { rows } = await admin.query(
      `SELECT h.worker_id IS NOT NULL AS heard FROM graphile_worker._private_jobs
       LEFT JOIN worker_heartbeats h ON h.worker_id = locked_by WHERE locked_by IS NOT NULL`,
    );
    assert.deepEqual(rows, [{ heard: true }]);
  } finally {
    end();
    await runner.stop();
  }
});

test('an interruption costs a job no attempt, a failure costs one', async () => {
  const { job, started, end, fail } = controlledJob('interrupted-job');
  const runner = await start(job);
  try {
    await add(job);
    for (let n = 1; n <= 3; n += 1) {
      await started(n);
      fail(new Error('Connection terminated unexpectedly'));
      await eventually(async () => (await listJobs()).every(({ attempts, locked }) => attempts === 0 && !locked));
    }
    await started(4);
    fail(new Error('A mistake of ours.'));
    await eventually(async () => (await listJobs()).every(({ attempts, locked }) => attempts === 1 && !locked));
    await started(5);
  } finally {
    end();
    await runner.stop();
  }
});

test('a job that is running when its worker stops, however often, waits for the next worker with all its attempts', async () => {
  const { job, started, end } = controlledJob('stopped-job');
  await add(job);
  for (let n = 1; n <= 4; n += 1) {
    const runner = await start(job);
    await started(n);
    await runner.stop();
    assert.deepEqual(await listJobs(), [{ attempts: 0, locked: false, key: null }]);
    await admin.query('UPDATE graphile_worker._private_jobs SET run_at = clock_timestamp()');
  }
  end();
});

test('a worker that loses all connections while jobs end resumes those jobs, and runs new ones', async () => {
  const lost = controlledJob('lost-job');
  const next = controlledJob('next-job');
  const runner = await start(lost.job, next.job);
  const name = pg.escapeIdentifier(new URL(testDatabase.adminUrl).pathname.slice(1));
  const clusterUrl = new URL(testDatabase.adminUrl);
  clusterUrl.pathname = '/postgres';
  const cluster = new pg.Client({ connectionString: clusterUrl.href });
  await cluster.connect();
  const allowConnections = (allowed: boolean) => cluster.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS ${allowed}`);
  const terminate = () =>
    admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE datname = current_database() AND application_name = 'assay worker'`);
  try {
    await add(lost.job);
    await lost.started(1);
    // While connections are refused, the end of a job can't be recorded.
    await allowConnections(false);
    await terminate();
    lost.end();
    await eventually(async () => warnings.some((warning) => warning.includes('taken up again')));
    await allowConnections(true);
    await add(next.job);
    await next.started(1);
    next.end();
    await lost.started(2);
    lost.end();
    await eventually(async () => (await listJobs()).length === 0);
  } finally {
    await cluster.end();
    await runner.stop();
  }
});

test('a job that is requested again while it waits, runs or pauses after a failure is run once', async () => {
  const { job, started, end, fail } = controlledJob('single-job');
  const once = () => testDatabase.database.transaction(null, (tx) => enqueueOnce(tx, job, {}, 'single'));
  await Promise.all([once(), once(), once()]);
  assert.equal((await listJobs()).length, 1);
  const runner = await start(job);
  try {
    await started(1);
    await once();
    assert.deepEqual(await listJobs(), [{ attempts: 1, locked: true, key: 'single' }]);
    fail(new Error('Later.'));
    await eventually(async () => (await listJobs()).every(({ locked }) => !locked));
    await admin.query(`UPDATE graphile_worker._private_jobs SET run_at = clock_timestamp() + interval '1 hour'`);
    await once();
    await started(2);
    fail(new Error('For good.'));
    await eventually(async () => (await listJobs()).every(({ locked }) => !locked));
    await admin.query('UPDATE graphile_worker._private_jobs SET attempts = max_attempts');
    await once();
    await started(3);
    end();
    await eventually(async () => (await listJobs()).length === 0);
  } finally {
    await runner.stop();
  }
});

test('a job that was postponed by a clock that has been set back runs at once', async () => {
  const { job, started, end } = controlledJob('put-off-job');
  await add(job);
  await admin.query(`UPDATE graphile_worker._private_jobs SET run_at = run_at + interval '6 hours'`);
  const runner = await start(job);
  await started(1);
  end();
  await runner.stop();
});

test('a job that has used up its attempts is removed, and one that pauses after a failure stays', async () => {
  const job = jobOf('failing', async () => {});
  await add(job, 'over');
  await add(job, 'resting');
  await admin.query(
    `UPDATE graphile_worker._private_jobs SET attempts = CASE key WHEN 'over' THEN max_attempts ELSE 3 END`,
  );
  await deleteFinishedJobs(testDatabase.database.pool);
  assert.deepEqual(
    (await listJobs()).map(({ key }) => key),
    ['resting'],
  );
});

test('metrics count the jobs by state and say how long the oldest waits; without the database the others remain', async () => {
  const metrics = createMetrics();
  addQueueMetrics(metrics, testDatabase.database);
  addPoolMetrics(metrics, testDatabase.database);
  const held = controlledJob('held');
  const waiting = jobOf('waits', async () => {});
  await add(waiting);
  await testDatabase.database.transaction(null, (tx) => enqueue(tx, waiting, {}, { delayMs: 60_000 }));
  await admin.query(
    `UPDATE graphile_worker._private_jobs SET run_at = run_at - interval '90 seconds' WHERE run_at <= clock_timestamp()`,
  );
  const runner = await start(held.job);
  await add(held.job);
  await held.started(1);
  const text = await metrics.registry.metrics();
  assert.match(text, /^assay_jobs\{name="waits",state="waiting"\} 1$/m);
  assert.match(text, /^assay_jobs\{name="waits",state="delayed"\} 1$/m);
  assert.match(text, /^assay_jobs\{name="held",state="running"\} 1$/m);
  assert.ok(Number(/^assay_oldest_waiting_job_seconds (\S+)$/m.exec(text)![1]) >= 90);
  assert.ok(Number(/^assay_worker_heartbeat_age_seconds (\S+)$/m.exec(text)![1]) < 60);
  assert.match(text, /^assay_database_connections\{state="idle"\} \d+$/m);
  held.end();
  await runner.stop();

  const unavailable = createMetrics();
  const pool = { query: () => Promise.reject(new Error('away')), totalCount: 0, idleCount: 0, waitingCount: 3 };
  addQueueMetrics(unavailable, { pool } as never);
  addPoolMetrics(unavailable, { pool: pool as never });
  const rest = await unavailable.registry.metrics();
  assert.match(rest, /^nodejs_eventloop_lag_seconds /m);
  assert.match(rest, /^assay_database_connections\{state="waiting"\} 3$/m);
  assert.doesNotMatch(rest, /^assay_(jobs|oldest_waiting_job_seconds|worker_heartbeat_age_seconds)\b/m);
});
