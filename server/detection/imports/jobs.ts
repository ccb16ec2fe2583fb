import type { DetectionServices } from '../services.ts';
import { mergeImport } from './merge-import.ts';
import { purgeImportBatches } from './queries.ts';
import { takeUpTargets } from './take-up-targets.ts';

export const importJobs = [mergeImport];

export const importTicks = [
  { name: 'Resuming scans and imports without a job', everyMs: 10_000, run: takeUpTargets },
  {
    name: 'Removing the batches of unfinished imports',
    everyMs: 600_000,
    run: ({ database }: DetectionServices) => purgeImportBatches(database, 6 * 3_600_000),
  },
];
