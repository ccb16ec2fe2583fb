import { type Read, wholeNumber } from './config-values.ts';
import type { Budgets } from './platform/cost/processor-budget.ts';
import type { Limits } from './platform/limits.ts';
import type { Rate } from './platform/rate-limit/rate-limit.ts';

/** Reads how many of each may exist. */
export function readLimits(read: Read): Limits {
  const number = wholeNumber(1, 1_000_000);
  return {
    tokens: read('ASSAY_MAX_TOKENS', 50, number),
    views: read('ASSAY_MAX_VIEWS', 200, number),
    schedules: read('ASSAY_MAX_SCHEDULES', 100, number),
    reports: read('ASSAY_MAX_REPORTS', 1_000, number),
    openUploads: read('ASSAY_MAX_OPEN_UPLOADS', 8, number),
  };
}

export function readRateLimit(read: Read, errors: string[]): Rate {
  const requestsPerMinute = read('ASSAY_RATE_LIMIT', 100, wholeNumber(1, 1_000_000));
  const burstPerMinute = read('ASSAY_RATE_BURST', Math.max(200, requestsPerMinute * 2), wholeNumber(2, 2_000_000));
  if (burstPerMinute <= requestsPerMinute) {
    errors.push(`ASSAY_RATE_BURST: must be above ASSAY_RATE_LIMIT (${requestsPerMinute}), not ${burstPerMinute}.`);
  }
  return { requestsPerMinute, burstPerMinute };
}

/** Seconds of processor time a minute; 0: no limit. */
export function readProcessorBudgets(read: Read): Budgets {
  const seconds = (name: string, usual: number) => read(name, usual, wholeNumber(0, 100_000)) || null;
  return {
    credential: seconds('ASSAY_PROCESSOR_BUDGET', 60),
    organization: seconds('ASSAY_ORGANIZATION_PROCESSOR_BUDGET', 120),
  };
}

export type WorkerLimits = {
  /** Scans at the same time. */
  concurrency: number;
  /** For how long a scan is tried again that failed for a reason which may pass. */
  scanRetryMinutes: number;
};

export const readWorker = (read: Read): WorkerLimits => ({
  concurrency: read('ASSAY_WORKER_CONCURRENCY', 4, wholeNumber(1, 64)),
  scanRetryMinutes: read('ASSAY_SCAN_RETRY_MINUTES', 10, wholeNumber(0, 60)),
});
