import type { OrganizationServices } from '../organization/jobs.ts';
import type { JobDefinition } from '../platform/jobs/jobs.ts';
import type { Database } from '../platform/postgres/database.ts';
import { followUpChanges } from './account-changes/change-account.ts';
import { sendAccountNotice } from './account-notices.ts';
import { deleteOldFailedSignIns } from './failed-sign-ins/failed-sign-in-queries.ts';
import { recordFailedSignIns } from './failed-sign-ins/record-failed-sign-ins.ts';
import { deleteFullGuessLimits } from './guess-limits/guess-limit-queries.ts';
import { deleteExpiredSignIns } from './queries.ts';
import { deleteExpiredLinks } from './sign-in/link-queries.ts';
import { signInMailJobs } from './sign-in/mail-jobs.ts';
import { deleteExpiredPendingFactors } from './two-factor/two-factor-queries.ts';

// biome-ignore lint/suspicious/noExplicitAny: each job has its own payload
export const identityJobs: JobDefinition<OrganizationServices, any>[] = [...signInMailJobs, sendAccountNotice];

/** Periodic work, safe on several nodes at once. */
export const identityTicks = [
  {
    name: 'Removing expired sessions',
    everyMs: 3_600_000,
    run: async ({ database }: { database: Database }) => {
      await deleteExpiredSignIns(database);
      await deleteExpiredPendingFactors(database);
      await deleteFullGuessLimits(database);
      await deleteOldFailedSignIns(database);
      await database.transaction(null, deleteExpiredLinks);
    },
  },
  {
    name: 'Following up changes of accounts',
    everyMs: 5_000,
    run: ({ database }: { database: Database }) => followUpChanges(database),
  },
  {
    name: 'Recording failed sign-ins',
    everyMs: 30_000,
    run: ({ database }: { database: Database }) => recordFailedSignIns(database),
  },
];
