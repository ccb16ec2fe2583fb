import type { Database } from '../platform/postgres/database.ts';
import { fireDueSchedules } from './fire-due.ts';

export const scheduleTicks = [
  {
    name: 'Starting the scans and reports that are due',
    everyMs: 5_000,
    run: ({ database }: { database: Database }) => fireDueSchedules(database),
  },
];
