import { setTimeout as delay } from 'node:timers/promises';
import { type JobRunner, type JobRunnerOptions, startJobRunner } from '../platform/jobs/job-runner.ts';
import type { Cell } from '../platform/postgres/cells/cell-database.ts';
import { homeCell } from '../platform/postgres/cells/cell-name.ts';
import { tidyMoves } from '../platform/postgres/cells/end-moves.ts';
import type { Move } from '../platform/postgres/cells/move-servers.ts';
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

/** Ends what an interrupted move of an organization has left, and deletes its old rows when their time is over. */
const movesTick = ({ databaseUrl, cells, log }: Options): (typeof ticks)[number] => ({
  everyMs: 20_000,
  name: 'tidy-moves',
  run: () =>
    tidyMoves({ homeUrl: databaseUrl, cells }, ({ id }: Move, err) =>
      log.error({ err, organization: id }, 'A move could not be ended; trying again soon.'),
    ),
});

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
  const ofHome = [...ticksOfCell(share, homeCell), ...ticks, ...(cells.length > 0 ? [movesTick(share)] : [])];
  const home = await startPair(share, databaseUrl, ofHome);
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
