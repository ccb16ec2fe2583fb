import { setTimeout as delay } from 'node:timers/promises';
import { type JobRunner, type JobRunnerOptions, startJobRunner } from '../platform/jobs/job-runner.ts';
import type { Cell } from '../platform/postgres/cells/cell-database.ts';
import { homeCell } from '../platform/postgres/cells/cell-name.ts';
import { cellTicks, jobs, promptJobs, ticks, type WorkerServices } from '../worker.ts';

export const promptConcurrency = 2;
const retryMs = 5_000;

type Options = Pick<JobRunnerOptions<WorkerServices>, 'services' | 'log' | 'concurrency' | 'alone' | 'onJobEnd'> & {
  databaseUrl: string;
  cells: readonly Cell[];
  stopping: AbortSignal;
};

/** Starts the runners of one database: one for the jobs that a person waits for, one for the others. */
async function startPair(
  { services, log, concurrency, alone, onJobEnd }: Options,
  connectionString: string,
  periodic: typeof ticks,
): Promise<JobRunner[]> {
  const runner = { connectionString, services, log, ...(onJobEnd && { onJobEnd }) };
  const slow = await startJobRunner({ ...runner, jobs, ticks: periodic, concurrency, alone: alone ?? false });
  const prompt = await startJobRunner({ ...runner, jobs: promptJobs, ticks: [], concurrency: promptConcurrency });
  return [slow, prompt];
}

/** The periodic work on the organizations of a cell, with its own database. */
const ticksOfCell = ({ services }: Options, name: string): typeof ticks => {
  const database = services.database.cells?.get(name);
  if (database === undefined) return cellTicks;
  return cellTicks.map((tick) => ({ ...tick, run: () => tick.run({ ...services, database }) }));
};

/** Keeps trying to start the runners of a cell that is away. */
async function startWhenBack(options: Options, { name, url }: Cell): Promise<JobRunner[]> {
  for (;;) {
    try {
      return await startPair(options, url, ticksOfCell(options, name));
    } catch (error) {
      if (options.stopping.aborted) return [];
      options.log.warn({ err: error, cell: name }, 'The jobs of a cell could not be started; trying again soon.');
      await delay(retryMs, undefined, { signal: options.stopping }).catch(() => {});
    }
  }
}

/**
 * Starts running the jobs of every cell. Resolves when those of the home cell run; a cell that is away joins later. The
 * cells share the node: each runs a part of `concurrency` scans at once.
 */
export async function startRunners(options: Options): Promise<JobRunner> {
  const { cells, databaseUrl } = options;
  const share = { ...options, concurrency: Math.max(1, Math.floor(options.concurrency / (cells.length + 1))) };
  const home = await startPair(share, databaseUrl, [...ticksOfCell(share, homeCell), ...ticks]);
  const running = [...home];
  const others = cells.map(async (cell) => {
    const pair = await startWhenBack(share, cell);
    running.push(...pair);
  });
  return {
    heartbeatAgeMs: () => Math.max(...home.map((runner) => runner.heartbeatAgeMs())),
    async stop() {
      await Promise.all(others);
      await Promise.all(running.map((runner) => runner.stop()));
    },
  };
}
