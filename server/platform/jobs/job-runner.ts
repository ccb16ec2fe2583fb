import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger, type Runner, run, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import { Value } from 'typebox/value';
import { isInterruption, pauseAfter } from '../interruption.ts';
import type { Log } from '../log.ts';
import { openPool } from '../postgres/application-client.ts';
import { inSpan, type SpanDescription } from '../tracing/tracing.ts';
import { HeldJobs } from './held-jobs.ts';
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

export type JobRunner = {
  /** Stops taking jobs and waits for the running ones. After `graceMs` they are left to another worker. */
  stop(): Promise<void>;
  /** The time since it last reported that it is alive. */
  heartbeatAgeMs(): number;
};

export type JobRunnerOptions<Services> = {
  /** A connection URL for the application's role. The runner opens a pool of its own. */
  connectionString: string;
  // biome-ignore lint/suspicious/noExplicitAny: a table of jobs holds payloads of every type
  jobs: readonly JobDefinition<Services, any>[];
  services: Services;
  concurrency: number;
  log: Log;
  /** Work that runs periodically on every node: the database must guard against doing it twice. */
  ticks: ReadonlyArray<{ name: string; everyMs: number; run(services: Services): Promise<void> }>;
  graceMs?: number;
  /**
   * Whether no other process works on this database, as with the embedded one. Jobs of dead runners are then free at
   * once.
   */
  alone?: boolean;
  /** Counts and times each job that ends. Absent in tests that do not look at it. */
  onJobEnd?(job: string, outcome: JobOutcome, elapsedMs: number): void;
};

export type JobOutcome = 'done' | 'failed' | 'interrupted';

const heartbeatMs = 5_000;
const deadAfterMs = 30_000;
const restartPauseMs = 1_000;
const closeWithinMs = 1_000;

/**
 * Calls `run` every `everyMs`, never twice at once. Returns a function that stops this and waits for a running call.
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
  });
  const onLost = (error: Error) => log.warn({ err: error }, 'A connection of the job queue was lost.');
  pool.on('error', onLost);
  pool.on('connect', (client) => client.on('error', onLost));
  return pool;
}

/** Starts working on jobs. Survives an outage of the database. */
export async function startJobRunner<Services>(options: JobRunnerOptions<Services>): Promise<JobRunner> {
  const { log, services, graceMs = 20_000 } = options;
  const pool = openQueuePool(options as JobRunnerOptions<never>);
  const held = new HeldJobs();
  const stopping = new AbortController();

  async function giveBack(jobId: string, error: unknown): Promise<void> {
    const pauseMs = pauseAfter(error);
    for (;;) {
      try {
        return await giveAttemptBack(pool, jobId, pauseMs);
      } catch {
        // A stopping worker leaves the job locked: the next one unlocks it.
        if (stopping.signal.aborted) return;
        await delay(restartPauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  }

  const taskOf =
    (job: (typeof options.jobs)[number]) => async (given: unknown, helpers: { job: { id: string | number } }) => {
      const id = String(helpers.job.id);
      held.running.add(id);
      const { payload, parent } = withoutTrace(given);
      const startedAt = performance.now();
      let outcome: JobOutcome = 'done';
      const describe = (): SpanDescription => ({
        name: `job ${job.name}`,
        kind: 'consumer',
        attributes: { 'assay.job.name': job.name },
        // A job without a trace begins one.
        parent: parent ?? {},
      });
      try {
        await inSpan(describe, () => job.run(Value.Parse(job.schema, payload) as never, services));
      } catch (error) {
        if (stopping.signal.aborted || isInterruption(error)) {
          outcome = 'interrupted';
          log.warn({ err: error, job: job.name }, 'A job was interrupted and will be resumed soon.');
          await giveBack(id, error);
        } else {
          outcome = 'failed';
          log.error({ err: error, job: job.name }, 'A job failed and is tried again later.');
        }
        throw error;
      } finally {
        held.running.delete(id);
        options.onJobEnd?.(job.name, outcome, performance.now() - startedAt);
      }
    };
  const taskList = Object.fromEntries(options.jobs.map((job) => [job.name, taskOf(job)]));

  /** Starts the library's runner. It stops when it can't record the end of a job: `ended` then resolves. */
  async function startRunner(): Promise<{ runner: Runner; ended: Promise<void> }> {
    const events = new EventEmitter() as unknown as WorkerEvents;
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    events.on('pool:create', ({ workerPool }) => held.workers.add(workerPool.id));
    events.on('pool:gracefulShutdown', () => end());
    const runner = await run({
      pgPool: pool,
      taskList,
      events,
      logger: quiet(log),
      concurrency: options.concurrency,
      noHandleSignals: true,
      pollInterval: 2_000,
      crontab: '',
      gracefulShutdownAbortTimeout: graceMs,
      // Without a delay, however short, a failure to record the end of a job is an unhandled rejection.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    });
    runner.promise.catch(() => {}).finally(end);
    return { runner, ended };
  }

  if (options.alone) await freeJobsOfDead(pool, null);
  let current = await startRunner();
  /** Stopped runners that still run jobs. */
  const ended: Runner[] = [];
  async function supervise(): Promise<void> {
    for (;;) {
      await Promise.race([current.ended, aborted(stopping.signal)]);
      if (stopping.signal.aborted) return;
      ended.push(current.runner);
      log.warn('The job queue was interrupted; it is taken up again.');
      for (let again = false; !again && !stopping.signal.aborted; ) {
        await delay(restartPauseMs, undefined, { signal: stopping.signal }).catch(() => {});
        if (stopping.signal.aborted) return;
        again = await startRunner().then(
          (started) => {
            current = started;
            return true;
          },
          () => false,
        );
      }
    }
  }
  const supervised = supervise();

  let beatAt = performance.now();
  const beat = async () => {
    await upsertHeartbeats(pool, [...held.workers]);
    beatAt = performance.now();
    await renewLocks(pool, [...held.running]);
    await held.freeIdle(pool);
  };
  const silent = new SilentWorkers(deadAfterMs);
  const cleanUp = async () => {
    const dead = silent.look(await listSigns(pool, deadAfterMs));
    if (dead.length > 0) await freeJobsOfDead(pool, dead);
    await wakeOverslept(pool);
    await deleteFinishedJobs(pool);
  };
  const warn = (name: string) => (error: unknown) => log.warn({ err: error }, `${name} failed; it runs again soon.`);
  await beat();
  const stops = [
    repeat(heartbeatMs, beat, warn('The heartbeat of the worker')),
    repeat(deadAfterMs / 3, cleanUp, warn('Freeing the jobs of dead workers')),
    ...options.ticks.map((tick) => repeat(tick.everyMs, () => tick.run(services), warn(tick.name))),
  ];
  return {
    heartbeatAgeMs: () => performance.now() - beatAt,
    async stop() {
      stopping.abort();
      await supervised;
      await Promise.all(stops.map((stop) => stop()));
      const idle = Promise.allSettled([current.runner.stop(), ...ended.map((runner) => runner.promise)]);
      await Promise.race([idle, delay(graceMs, undefined, { ref: false })]);
      // The next worker need not wait until this one counts as dead.
      await listIdleJobs(pool, [...held.workers], [])
        .then((ids) => freeJobs(pool, [...held.workers], ids))
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
