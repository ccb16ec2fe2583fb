import Type from 'typebox';
import { enqueue, type JobDefinition } from '../platform/jobs/jobs.ts';
import { autocommit, type Database, type Db } from '../platform/postgres/database.ts';
import { applyNext, releaseNext } from './apply-decisions.ts';
import { endDecision, findDecision, holdDecisions, listToEnd, lockDecisions } from './queries.ts';

type Services = { database: Database };

/**
 * Follows a decision through the findings that are there: applies it while it is active, and lets them go once it has ended.
 * Safe to run again from the beginning: a finding that is decided already is only read.
 */
const followDecision: JobDefinition<Services> = {
  name: 'follow-decision',
  schema: Type.Object({
    org_id: Type.String(),
    decision_id: Type.String(),
    user_id: Type.Union([Type.String(), Type.Null()]),
  }),
  async run(payload, { database }) {
    const { org_id: orgId, decision_id: id, user_id: userId } = payload as Payload;
    for (let after: string | null = ''; after !== null; ) {
      const decision = await findDecision(autocommit(database, orgId), orgId, id);
      if (!decision) return;
      const last: string = after;
      after = await database.transaction(orgId, async (tx) => {
        if (decision.status === 'active') return applyNext(tx, orgId, decision, userId, last);
        await holdDecisions(tx, orgId);
        return (await releaseNext(tx, orgId, id, userId)) ? last : null;
      });
    }
  },
};

type Payload = { org_id: string; decision_id: string; user_id: string | null };

/** Enqueues the job that applies a decision to the findings that are there. */
export async function enqueueFollowing(tx: Db, orgId: string, id: string, userId: string | null): Promise<void> {
  const payload: Payload = { org_id: orgId, decision_id: id, user_id: userId };
  await enqueue(tx, followDecision, payload, { key: `follow-decision:${orgId}:${id}` });
}

/**
 * Ends an active decision, and lets go of its findings: of up to 10,000 in the caller's transaction, of more in a job.
 * Without a person it has expired. Returns whether it was active.
 */
export async function endAndRelease(tx: Db, orgId: string, id: string, userId: string | null): Promise<boolean> {
  await lockDecisions(tx, orgId);
  if (!(await endDecision(tx, orgId, id, userId))) return false;
  if (await releaseNext(tx, orgId, id, userId)) await enqueueFollowing(tx, orgId, id, userId);
  return true;
}

/** Ends decisions whose time has come. Runs on every node; each ends once. */
async function endDueDecisions({ database }: Services): Promise<void> {
  for (const { orgId, id } of await database.transaction(null, listToEnd))
    await database.transaction(orgId, (tx) => endAndRelease(tx, orgId, id, null));
}

// biome-ignore lint/suspicious/noExplicitAny: a list of jobs has payloads of every type
export const decisionJobs: JobDefinition<Services, any>[] = [followDecision];

export const decisionTicks = [{ name: 'Ending decisions', everyMs: 15_000, run: endDueDecisions }];
