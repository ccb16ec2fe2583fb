import type { DetectionServices } from '../services.ts';
import { mergeImport } from './merge-import.ts';
import { purgeImportBatches } from './queries.ts';

export const importJobs = [mergeImport];

export const importTicks = [
  {
    name: 'Removing the batches of unfinished imports',
    everyMs: 600_000,
    run: ({ database }: DetectionServices) => purgeImportBatches(database, 6 * 3_600_000),
  },
];
