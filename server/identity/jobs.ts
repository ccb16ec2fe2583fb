import type { Database } from '../platform/postgres/database.ts';
import { deleteFullGuessLimits } from './guess-limit-queries.ts';
import { deleteExpiredSignIns } from './queries.ts';

/** Work of every hour, harmless on several nodes at once. */
export const identityTicks = [
  {
    name: 'Removing sessions that are over',
    everyMs: 3_600_000,
    run: async ({ database }: { database: Database }) => {
      await deleteExpiredSignIns(database);
      await deleteFullGuessLimits(database);
    },
  },
];
