import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { inSpan, type SpanDescription } from '@assay/scanner/platform/tracing.ts';
import { Logger, type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import { Value } from 'typebox/value';
import { isInterruption, pauseAfter } from '../interruption.ts';
import type { Log } from '../log.ts';
import { openPool } from '../postgres/application-client.ts';
import {
  deleteFinishedJobs,
  freeJobs,
  freeJobsOfDead,
  giveAttemptBack,
  listIdleJobs,
  listSigns,
  renewLocks,
  upsertHeartbeats,
  wakeOverslept,
} from './job-queries.ts';
import { type JobDefinition, withoutTrace } from './jobs.ts';
import { SilentWorkers } from './silent-workers.ts';

/** The locks of a runner on its jobs. */
class JobLocks {
  /** Jobs are locked under the name of one of the library's worker pools. Each start creates a new pool. */
  readonly workers = new Set<string>();
  /** Ids of the jobs that are running in this process. */
  readonly running = new Set<string>();
  #idle = new Set<string>();

  /**
   * Unlocks jobs that are locked under our name but don't run here: their end could not be recorded because the
   * database was unavailable. A job that was just locked looks the same briefly, so a job must be seen twice.
   */
  async freeIdle(pool: pg.Pool): Promise<void> {
    const idle = await listIdleJobs(pool, [...this.workers], [...this.running]);
    const twice = idle.filter((id) => this.#idle.has(id) && !this.running.has(id));
    this.#idle = new Set(idle);
    if (twice.length > 0) await freeJobs(pool, [...this.workers], twice);
  }
}

export type JobRunner = {
  /** Stops accepting jobs and waits for the running ones. After `graceMs` they are left to another worker. */
  stop(): Promise<void>;
  /** Returns the time since the last heartbeat. */
  heartbeatAgeMs(): number;
};

export type JobRunnerOptions<Services> = {
  /** A connection URL for the application's role. The runner opens its own pool. */
  connectionString: string;
  // biome-ignore lint/suspicious/noExplicitAny: a table of jobs holds payloads of every type
  jobs: readonly JobDefinition<Services, any>[];
  services: Services;
  concurrency: number;
  log: Log;
  /** Work that runs periodically on every node. Its statements must prevent doing it twice. */
  ticks: ReadonlyArray<{ name: string; everyMs: number; run(services: Services): Promise<void> }>;
  graceMs?: number;
  /**
   * Whether no other process uses this database, as with the embedded one. Jobs of dead runners are then unlocked at
   * once.
   */
  alone?: boolean;
  /** Counts and times each job when it ends. Absent in tests that don't check it. */
  onJobEnd?(job: string, outcome: JobOutcome, elapsedMs: number): void;
};

export type JobOutcome = 'done' | 'failed' | 'interrupted';

const heartbeatMs = 5_000;
const deadAfterMs = 30_000;
const restartPauseMs = 1_000;
const closeWithinMs = 1_000;
const defaultGraceMs = 20_000;

/**
 * Calls `run` every `everyMs`, never concurrently. Returns a function that stops this and waits for a running call.
 */
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

function openQueuePool({ connectionString, concurrency, log }: JobRunnerOptions<never>): pg.Pool {
  const pool = openPool({
    connectionString,
    max: concurrency + 3,
    applicationName: 'assay worker',
    connectionTimeoutMs: 10_000,
    queryTimeoutMs: 10_000,
    // A crash of the database server may undo that a job was taken or ended: it then runs again, as after a crash of
    // the worker. What the job did was committed before.
    settings: { synchronous_commit: 'off' },
  });
  const onLost = (error: Error) => log.warn({ err: error }, 'A connection of the job queue was lost.');
  pool.on('error', onLost);
  pool.on('connect', (client) => client.on('error', onLost));
  return pool;
}

/** State shared by the parts of a runner. */
type Parts<Services> = {
  options: JobRunnerOptions<Services>;
  pool: pg.Pool;
  locks: JobLocks;
  stopping: AbortSignal;
};

/** Gives the attempt of an interrupted job back as soon as the database is available. */
async function giveBack({ pool, stopping }: Parts<never>, jobId: string, error: unknown): Promise<void> {
  const pauseMs = pauseAfter(error);
  for (;;) {
    try {
      return await giveAttemptBack(pool, jobId, pauseMs);
    } catch {
      // A stopping worker leaves the job locked: the next one unlocks it.
      if (stopping.aborted) return;
      await delay(restartPauseMs, undefined, { signal: stopping }).catch(() => {});
    }
  }
}

/** Returns the library's task for each job. */
function taskListOf<Services>(parts: Parts<Services>): TaskList {
  const { options, locks, stopping } = parts;
  const { log, services } = options;
  const runJob = async (job: (typeof options.jobs)[number], id: string, given: unknown): Promise<void> => {
    const { payload, parent } = withoutTrace(given);
    const describe = (): SpanDescription => ({
      name: `job ${job.name}`,
      kind: 'consumer',
      attributes: { 'assay.job.name': job.name },
      // A job without a trace starts one.
      parent: parent ?? {},
    });
    const startedAt = performance.now();
    let outcome: JobOutcome = 'done';
    try {
      await inSpan(describe, () => job.run(Value.Parse(job.schema, payload) as never, services));
    } catch (error) {
      outcome = stopping.aborted || isInterruption(error) ? 'interrupted' : 'failed';
      if (outcome === 'interrupted') {
        log.warn({ err: error, job: job.name }, 'A job was interrupted and will be resumed soon.');
        await giveBack(parts as Parts<never>, id, error);
      } else {
        log.error({ err: error, job: job.name }, 'A job failed and is tried again later.');
      }
      throw error;
    } finally {
      options.onJobEnd?.(job.name, outcome, performance.now() - startedAt);
    }
  };
  const taskOf =
    (job: (typeof options.jobs)[number]) => async (given: unknown, helpers: { job: { id: string | number } }) => {
      const id = String(helpers.job.id);
      locks.running.add(id);
      try {
        await runJob(job, id, given);
      } finally {
        locks.running.delete(id);
      }
    };
  return Object.fromEntries(options.jobs.map((job) => [job.name, taskOf(job)]));
}

type StartedRunner = { runner: Runner; ended: Promise<void> };

/** Starts the library's runner. The runner stops when it can't record the end of a job; `ended` then resolves. */
async function startRunner<Services>(
  { options, pool, locks }: Parts<Services>,
  taskList: TaskList,
): Promise<StartedRunner> {
  const events = new EventEmitter() as unknown as WorkerEvents;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  events.on('pool:create', ({ workerPool }) => locks.workers.add(workerPool.id));
  events.on('pool:gracefulShutdown', () => end());
  const runner = await run({
    pgPool: pool,
    taskList,
    events,
    logger: quiet(options.log),
    concurrency: options.concurrency,
    noHandleSignals: true,
    pollInterval: 2_000,
    crontab: '',
    gracefulShutdownAbortTimeout: options.graceMs ?? defaultGraceMs,
    // Without a delay, however short, a failure to record the end of a job becomes an unhandled rejection.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  });
  runner.promise.catch(() => {}).finally(end);
  return { runner, ended };
}

/**
 * Keeps a runner going until `stopping` aborts. `all` contains the current runner, the last one, and stopped ones
 * with running jobs.
 */
async function keepRunning(start: () => Promise<StartedRunner>, stopping: AbortSignal, log: Log) {
  let current = await start();
  const all = [current.runner];
  const startAgain = async (): Promise<StartedRunner | null> => {
    for (;;) {
      await delay(restartPauseMs, undefined, { signal: stopping }).catch(() => {});
      if (stopping.aborted) return null;
      const started = await start().catch(() => null);
      if (started !== null) return started;
    }
  };
  const supervise = async () => {
    for (;;) {
      await Promise.race([current.ended, aborted(stopping)]);
      if (stopping.aborted) return;
      log.warn('The job queue was interrupted; it is taken up again.');
      const next = await startAgain();
      if (next === null) return;
      current = next;
      all.push(next.runner);
    }
  };
  return { all, supervised: supervise() };
}

/** Starts running jobs. Survives an outage of the database. */
export async function startJobRunner<Services>(options: JobRunnerOptions<Services>): Promise<JobRunner> {
  const { log, services, graceMs = defaultGraceMs } = options;
  const pool = openQueuePool(options as JobRunnerOptions<never>);
  const locks = new JobLocks();
  const stopping = new AbortController();
  const parts = { options, pool, locks, stopping: stopping.signal };
  if (options.alone) await freeJobsOfDead(pool, null);
  const taskList = taskListOf(parts);
  const runners = await keepRunning(() => startRunner(parts, taskList), stopping.signal, log);
  let heartbeatAt = performance.now();
  const sendHeartbeat = async () => {
    await upsertHeartbeats(pool, [...locks.workers]);
    heartbeatAt = performance.now();
    await renewLocks(pool, [...locks.running]);
    await locks.freeIdle(pool);
  };
  const silent = new SilentWorkers(deadAfterMs);
  const cleanUp = async () => {
    const dead = silent.look(await listSigns(pool, deadAfterMs));
    if (dead.length > 0) await freeJobsOfDead(pool, dead);
    await wakeOverslept(pool);
    await deleteFinishedJobs(pool);
  };
  const warn = (name: string) => (error: unknown) => log.warn({ err: error }, `${name} failed; it runs again soon.`);
  await sendHeartbeat();
  const stops = [
    repeat(heartbeatMs, sendHeartbeat, warn('The heartbeat of the worker')),
    repeat(deadAfterMs / 3, cleanUp, warn('Freeing the jobs of dead workers')),
    ...options.ticks.map((tick) => repeat(tick.everyMs, () => tick.run(services), warn(tick.name))),
  ];
  return {
    heartbeatAgeMs: () => performance.now() - heartbeatAt,
    async stop() {
      stopping.abort();
      await runners.supervised;
      await Promise.all(stops.map((stop) => stop()));
      const [current, ...ended] = runners.all.toReversed();
      const idle = Promise.allSettled([current!.stop(), ...ended.map((runner) => runner.promise)]);
      await Promise.race([idle, delay(graceMs, undefined, { ref: false })]);
      // The next worker need not wait until this one is considered dead.
      await listIdleJobs(pool, [...locks.workers], [])
        .then((ids) => freeJobs(pool, [...locks.workers], ids))
        .catch(() => {});
      await Promise.race([pool.end().catch(() => {}), delay(closeWithinMs, undefined, { ref: false })]);
    },
  };
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
