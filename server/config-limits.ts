import { type Read, wholeNumber } from './config-values.ts';
import type { Limits } from './platform/limits.ts';

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
