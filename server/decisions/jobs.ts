import { lockFindings } from '../findings/merge-queries.ts';
import type { JobDefinition } from '../platform/jobs/jobs.ts';
import { autocommit, type Database, type Db } from '../platform/postgres/database.ts';
import { applyNext } from './apply-decisions.ts';
import { type FollowPayload, followJobType } from './job-type.ts';
import { endDecision, findDecision, holdDecisions, listToEnd, lockDecisions } from './queries.ts';
import { releaseEnded } from './release-findings.ts';
import { expireRequest } from './request-queries.ts';

type Services = { database: Database };

/**
 * Applies an active decision to existing findings, and releases them once it has ended. Safe to run again from the
 * start: a finding that is already decided is only read.
 */
const followDecision: JobDefinition<Services> = {
  ...followJobType,
  async run(payload, { database }) {
    const { org_id: orgId, decision_id: id, user_id: userId } = payload as FollowPayload;
    for (let after: string | null = ''; after !== null; ) {
      const decision = await findDecision(autocommit(database, orgId), orgId, id);
      if (!decision) return;
      const last: string = after;
      after = await database.transaction(orgId, async (tx) => {
        if (decision.status === 'active') return applyNext(tx, orgId, decision, userId, last);
        // Merges in progress may still apply a decision that another one has ended by its condition.
        await lockDecisions(tx, orgId);
        await releaseEnded(tx, orgId, new Map([[id, decision.endedBecause ?? decision.status]]), userId);
        return null;
      });
    }
  },
};

/**
 * Takes the lock for a change of a decision: the row of its finding if an update of a finding made it, so that merges and other
 * people go on; all decisions otherwise.
 */
export async function lockFor(tx: Db, orgId: string, findingId: string | null): Promise<void> {
  if (findingId === null) return lockDecisions(tx, orgId);
  await holdDecisions(tx, orgId);
  await lockFindings(tx, orgId, [findingId]);
}

/**
 * Ends an active decision and releases its findings in the caller's transaction. Without a person, it has expired.
 * Returns whether it was active.
 */
export async function endAndRelease(
  tx: Db,
  orgId: string,
  { id, findingId }: { id: string; findingId: string | null },
  userId: string | null,
): Promise<boolean> {
  await lockFor(tx, orgId, findingId);
  if (!(await endDecision(tx, orgId, id, userId))) return false;
  await releaseEnded(tx, orgId, new Map([[id, userId === null ? 'expired' : 'withdrawn']]), userId);
  return true;
}

/** Ends decisions and requests whose time has come. Runs on every node; each ends once. */
async function endDueDecisions({ database }: Services): Promise<void> {
  for (const { orgId, ...decision } of await database.transaction(null, listToEnd))
    await database.transaction(
      orgId,
      async (tx) => (await expireRequest(tx, orgId, decision.id)) || (await endAndRelease(tx, orgId, decision, null)),
    );
}

// biome-ignore lint/suspicious/noExplicitAny: a list of jobs has payloads of every type
export const decisionJobs: JobDefinition<Services, any>[] = [followDecision];

export const decisionTicks = [{ name: 'Ending decisions', everyMs: 15_000, run: endDueDecisions }];
