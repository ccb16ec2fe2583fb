import { lockFindings } from '../findings/merge-queries.ts';
import type { JobDefinition } from '../platform/jobs/jobs.ts';
import { autocommit, type Database, type Db } from '../platform/postgres/database.ts';
import { applyNext } from './apply-decisions.ts';
import { type FollowPayload, followJobType } from './job-type.ts';
import { expireOwn } from './own-queries.ts';
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

type Due = Awaited<ReturnType<typeof listToEnd>>[number];

/** Ends decisions about single findings that have expired. Returns the others. */
async function expireOfFindings({ database }: Services, orgId: string, due: Due[]): Promise<Due[]> {
  const own = due.filter(({ findingId }) => findingId !== null);
  if (own.length === 0) return due;
  const expired = await database.transaction(orgId, async (tx) => {
    await holdDecisions(tx, orgId);
    await lockFindings(tx, orgId, own.map(({ findingId }) => findingId!).sort());
    const ids = await expireOwn(
      tx,
      orgId,
      own.map(({ id }) => id),
    );
    await releaseEnded(tx, orgId, new Map(ids.map((id) => [id, 'expired'])), null);
    return new Set(ids);
  });
  return due.filter(({ id }) => !expired.has(id));
}

/** Ends decisions and requests whose time has come. Runs on every node; each ends once. */
async function endDueDecisions({ database }: Services): Promise<void> {
  for (let ended = 1; ended > 0; ) {
    ended = 0;
    const due = await database.transaction(null, listToEnd);
    for (const [orgId, all] of Map.groupBy(due, ({ orgId }) => orgId)) {
      const others = await expireOfFindings({ database }, orgId, all);
      ended += all.length - others.length;
      for (const decision of others) {
        const isEnded = await database.transaction(
          orgId,
          async (tx) =>
            (await expireRequest(tx, orgId, decision.id)) || (await endAndRelease(tx, orgId, decision, null)),
        );
        if (isEnded) ended += 1;
      }
    }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a list of jobs has payloads of every type
export const decisionJobs: JobDefinition<Services, any>[] = [followDecision];

export const decisionTicks = [{ name: 'Ending decisions', everyMs: 15_000, run: endDueDecisions }];
