import { EventEmitter } from 'node:events';
import { Logger, run, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { Log } from './log.ts';
import { openPool } from './postgres/application-client.ts';
import type { Db } from './postgres/database.ts';

/**
 * Background work. `run` gets the payload that `schema` describes and the services of the worker; it must be safe to run
 * twice, since a worker that dies leaves its job to another. What it throws is logged, and the job is tried again with
 * growing pauses, `maxAttempts` times in all (25 when not given: three days).
 */
export type JobDefinition<Services, Payload extends TSchema = TSchema> = {
  name: string;
  schema: Payload;
  maxAttempts?: number;
  run(payload: Static<Payload>, services: Services): Promise<void>;
};

/** Has a job done once the caller's transaction has committed. With `key`, a waiting job of that key is replaced. */
export async function enqueue<Payload extends TSchema>(
  tx: Db,
  job: Pick<JobDefinition<never, Payload>, 'name' | 'maxAttempts'>,
  payload: Static<Payload>,
  options: { key?: string; delayMs?: number } = {},
): Promise<void> {
  await tx.query({
    name: 'job_add',
    text: `SELECT graphile_worker.add_job($1, $2::json, job_key => $3, max_attempts => $4,
             run_at => clock_timestamp() + $5 * interval '1 millisecond')`,
    values: [job.name, JSON.stringify(payload), options.key ?? null, job.maxAttempts ?? 25, options.delayMs ?? 0],
  });
}

export type JobRunner = {
  /** Takes no more jobs and waits for the running ones; after `graceMs` they are left for another worker. */
  stop(): Promise<void>;
};

export type JobRunnerOptions<Services> = {
  /** A connection as the application's role; the runner opens a pool of its own. */
  connectionString: string;
  // biome-ignore lint/suspicious/noExplicitAny: a table of jobs holds payloads of every type
  jobs: readonly JobDefinition<Services, any>[];
  services: Services;
  concurrency: number;
  log: Log;
  /** Work done every so often while the runner is up, on every node: guard it in the database. */
  ticks: ReadonlyArray<{ name: string; everyMs: number; run(services: Services): Promise<void> }>;
  graceMs?: number;
  /** No other process works on this database (the embedded one): jobs of runners that died are free at once. */
  alone?: boolean;
};

const heartbeatMs = 5_000;
const deadAfterMs = 30_000;

/** Frees the jobs that workers hold which have not been heard of: a killed process leaves its jobs locked for hours otherwise. */
async function unlockDead(pool: pg.Pool, afterMs: number): Promise<void> {
  await pool.query(
    `SELECT graphile_worker.force_unlock_workers(array_agg(DISTINCT locked_by))
     FROM graphile_worker._private_jobs
     WHERE locked_by IS NOT NULL AND locked_at <= clock_timestamp() - $1 * interval '1 millisecond'
       AND NOT EXISTS (SELECT 1 FROM worker_heartbeats h
                       WHERE h.worker_id = locked_by AND h.beat_at > clock_timestamp() - $1 * interval '1 millisecond')
     HAVING count(*) > 0`,
    [afterMs],
  );
  await pool.query(`DELETE FROM worker_heartbeats WHERE beat_at < clock_timestamp() - interval '1 day'`);
}

async function beat(pool: pg.Pool, workers: Set<string>): Promise<void> {
  await pool.query(
    `INSERT INTO worker_heartbeats (worker_id, beat_at) SELECT unnest($1::text[]), clock_timestamp()
     ON CONFLICT (worker_id) DO UPDATE SET beat_at = excluded.beat_at`,
    [[...workers]],
  );
}

/** Calls `run` every `everyMs`, never twice at once; answers how to stop it, which waits for a call under way. */
function repeat(everyMs: number, run: () => Promise<void>, onError: (error: unknown) => void): () => Promise<void> {
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    running ??= run()
      .catch(onError)
      .finally(() => {
        running = null;
      });
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await running;
  };
}

const quiet = (log: Log) =>
  new Logger(() => (level, message) => {
    if (level === 'error' || level === 'warning') log.warn({ component: 'jobs' }, message);
  });

/** Starts working on jobs. Survives a database that goes away and comes back. */
export async function startJobRunner<Services>(options: JobRunnerOptions<Services>): Promise<JobRunner> {
  const { log, services } = options;
  const pool = openPool({
    connectionString: options.connectionString,
    max: options.concurrency + 3,
    applicationName: 'assay worker',
  });
  const onLost = (error: Error) => log.warn({ err: error }, 'A connection of the job queue was lost.');
  pool.on('error', onLost);
  pool.on('connect', (client) => client.on('error', onLost));
  const workers = new Set<string>();
  const events = new EventEmitter() as unknown as WorkerEvents;
  // Jobs are locked in the name of the pool, not of the worker in it that runs them.
  events.on('pool:create', ({ workerPool }) => workers.add(workerPool.id));
  const taskList = Object.fromEntries(
    options.jobs.map((job) => [
      job.name,
      async (payload: unknown) => {
        try {
          await job.run(Value.Parse(job.schema, payload) as never, services);
        } catch (error) {
          log.error({ err: error, job: job.name }, 'A job failed and is tried again later.');
          throw error;
        }
      },
    ]),
  );
  if (options.alone) await unlockDead(pool, 0);
  const runner = await run({
    pgPool: pool,
    taskList,
    events,
    logger: quiet(log),
    concurrency: options.concurrency,
    noHandleSignals: true,
    pollInterval: 2_000,
    crontab: '',
    gracefulShutdownAbortTimeout: options.graceMs ?? 20_000,
  });
  const warn = (name: string) => (error: unknown) => log.warn({ err: error }, `${name} failed; it runs again soon.`);
  await beat(pool, workers);
  const stops = [
    repeat(heartbeatMs, () => beat(pool, workers), warn('The heartbeat of the worker')),
    repeat(deadAfterMs / 3, () => unlockDead(pool, deadAfterMs), warn('Freeing the jobs of dead workers')),
    ...options.ticks.map((tick) => repeat(tick.everyMs, () => tick.run(services), warn(tick.name))),
  ];
  return {
    async stop() {
      await Promise.all(stops.map((stop) => stop()));
      await runner.stop();
      await pool.end().catch(() => {});
    },
  };
}
