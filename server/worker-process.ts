import type { Config } from './config.ts';
import { createLifecycle, stopOnSignals } from './platform/lifecycle.ts';
import { openLog } from './platform/log.ts';
import { runWorker } from './run-worker.ts';
import { startTracing } from './start-tracing.ts';

/**
 * The message of `assay start` to its worker. It is sent over a pipe, to keep secrets out of the environment and the
 * process list.
 */
export type WorkerOrder = { config: Config; databaseUrl: string; secretKey: string; ownRepositories: string[] };

/** The worker as a process of its own, so that a scan at full speed does not slow down the API. */
process.once('message', async (order: WorkerOrder) => {
  const log = openLog({ level: order.config.logLevel });
  const lifecycle = createLifecycle(log);
  stopOnSignals(lifecycle, log);
  // The pipe closes when the parent ends, in whatever way.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  try {
    await startTracing(order.config.tracing, 'worker', log, lifecycle);
    await runWorker({ ...order, log, lifecycle, alone: true });
    process.send?.('ready');
  } catch (error) {
    log.fatal({ err: error }, 'The worker could not start.');
    process.exit(1);
  }
});
