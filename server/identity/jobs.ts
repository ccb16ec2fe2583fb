import type { Database } from '../platform/postgres/database.ts';
import { deleteFullGuessLimits } from './guess-limit-queries.ts';
import { deleteExpiredSignIns } from './queries.ts';

/** Hourly work, safe on several nodes at once. */
export const identityTicks = [
  {
    name: 'Removing expired sessions',
    everyMs: 3_600_000,
    run: async ({ database }: { database: Database }) => {
      await deleteExpiredSignIns(database);
      await deleteFullGuessLimits(database);
    },
  },
];
