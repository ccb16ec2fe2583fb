import { setTimeout as delay } from 'node:timers/promises';
import { type JobFigures, jobFigures, sumFigures } from '../jobs/job-queries.ts';
import { type Instruments, single } from '../metrics.ts';
import { inReachableCells } from '../postgres/cells/cell-database.ts';
import type { Database } from '../postgres/database.ts';

const readWithinMs = 2_000;
/** The gauges of a scrape share one query. */
const sharedForMs = 500;

/** Adds the figures of the job queues, as far as their cells can be reached. */
export function addQueueMetrics(metrics: Instruments, database: Database): void {
  let shared: { at: number; figures: Promise<JobFigures> } | null = null;
  const readAll = async () => sumFigures((await inReachableCells(database, ({ pool }) => jobFigures(pool))).results);
  const read = async () => {
    if (!shared || performance.now() - shared.at > sharedForMs) shared = { at: performance.now(), figures: readAll() };
    const late = delay(readWithinMs, undefined, { ref: false }).then(() => {
      throw new Error('The database did not respond in time.');
    });
    return Promise.race([shared.figures, late]);
  };
  metrics.gauge('jobs', 'Background jobs by name and state: waiting, delayed, running.', ['name', 'state'], async () =>
    (await read()).jobs.map(({ job, state, count }) => ({ labels: { name: job, state }, value: count })),
  );
  metrics.gauge(
    'oldest_waiting_job_seconds',
    'The time for which the oldest job has waited for a worker.',
    [],
    async () => single((await read()).oldestWaitingSeconds),
  );
  metrics.gauge('worker_heartbeat_age_seconds', 'The time since any worker reported that it is alive.', [], async () =>
    single((await read()).heartbeatAgeSeconds),
  );
}

/** Adds this process's connections to the database. */
export function addPoolMetrics(metrics: Instruments, { pool }: Pick<Database, 'pool'>): void {
  metrics.gauge(
    'database_connections',
    'Connections of this process to the database: busy, idle, and requests that wait for one.',
    ['state'],
    async () => [
      { labels: { state: 'busy' }, value: pool.totalCount - pool.idleCount },
      { labels: { state: 'idle' }, value: pool.idleCount },
      { labels: { state: 'waiting' }, value: pool.waitingCount },
    ],
  );
}
