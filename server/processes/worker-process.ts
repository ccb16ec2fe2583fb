import type { Config } from '../config/config.ts';
import { createLifecycle, stopOnSignals } from '../platform/lifecycle.ts';
import { createInstruments } from '../platform/metrics.ts';
import { openServerLog } from '../platform/monitoring/server-log.ts';
import { logSlowStatements } from '../platform/monitoring/slow-statements.ts';
import { runWorker } from './run-worker.ts';
import { startTracing } from './start-tracing.ts';

/**
 * The first message of `assay start` to its worker. It is sent over a pipe, to keep secrets out of the environment
 * and the process list.
 */
export type WorkerOrder = { config: Config; databaseUrl: string; secretKey: string; ownRepositories: string[] };

/** Later messages: to change the log level, and to request the worker's metrics, which it returns as `figures`. */
export type WorkerRequest = { logLevel: string } | { readFigures: number };
export type WorkerFigures = { readFigures: number; text: string };

/** Runs the worker as a separate process, so that a scan at full speed does not slow down the API. */
process.once('message', async (order: WorkerOrder) => {
  const serverLog = openServerLog({ level: order.config.logLevel });
  serverLog.recogniseDatabase(order.databaseUrl);
  const { log } = serverLog;
  logSlowStatements(log, order.config.monitoring.slowStatementMs);
  const figures = createInstruments();
  process.on('message', async (request: WorkerRequest) => {
    if ('logLevel' in request) serverLog.setLevel(request.logLevel);
    else process.send?.({ readFigures: request.readFigures, text: await figures.registry.metrics() });
  });
  const lifecycle = createLifecycle(log);
  stopOnSignals(lifecycle, log);
  // The pipe closes when the parent ends, however that happens.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  try {
    await startTracing(order.config.tracing, 'worker', log, lifecycle);
    await runWorker({ ...order, log, lifecycle, alone: true, figures });
    process.send?.('ready');
  } catch (error) {
    log.fatal({ err: error }, 'The worker could not start.');
    process.exit(1);
  }
});
