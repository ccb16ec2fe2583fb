import { fail, type Read, wholeNumber } from './config-values.ts';

export type MonitoringConfig = {
  /** The bearer token for /metrics; null: only this machine may read them. */
  metricsToken: string | null;
  /** The port on which `assay work` serves its probes and metrics; null: none. */
  workerPort: number | null;
  /** Requests and statements that take longer are logged; 0: none. */
  slowRequestMs: number;
  slowStatementMs: number;
};

const maxSlowMs = 3_600_000;

/** Reads who may see the metrics, and what counts as slow. */
export function readMonitoring(read: Read): MonitoringConfig {
  return {
    metricsToken: read<string | null>('ASSAY_METRICS_TOKEN', null, (text) =>
      text.length >= 16 ? text : fail('must have at least 16 characters.'),
    ),
    workerPort: read<number | null>('ASSAY_WORKER_PORT', null, wholeNumber(0, 65_535)),
    slowRequestMs: read('ASSAY_SLOW_REQUEST_MS', 5_000, wholeNumber(0, maxSlowMs)),
    slowStatementMs: read('ASSAY_SLOW_STATEMENT_MS', 1_000, wholeNumber(0, maxSlowMs)),
  };
}
