import type { Database } from '../platform/postgres/database.ts';
import { deleteExpiredSignIns } from './queries.ts';
import { deleteFullGuessLimits } from './sign-in/guess-limit-queries.ts';
import { deleteExpiredLinks } from './sign-in/link-queries.ts';
import { signInMailJobs } from './sign-in/mail-jobs.ts';

export const identityJobs = signInMailJobs;

/** Hourly work, safe on several nodes at once. */
export const identityTicks = [
  {
    name: 'Removing expired sessions',
    everyMs: 3_600_000,
    run: async ({ database }: { database: Database }) => {
      await deleteExpiredSignIns(database);
      await deleteFullGuessLimits(database);
      await database.transaction(null, deleteExpiredLinks);
    },
  },
];
