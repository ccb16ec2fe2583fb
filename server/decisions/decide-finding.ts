import { rankOf } from '@assay/scanner/contract/scope-rank.ts';
import { FindingChanges } from '../findings/finding-changes.ts';
import { dismisses, isSameEnd } from '../findings/lifecycle.ts';
import { type LockedFinding, lockFinding } from '../findings/merge-queries.ts';
import { latestEnd } from '../findings/policy.ts';
import { findPolicy } from '../findings/policy-queries.ts';
import { type Decision, triageLocked } from '../findings/triage-findings.ts';
import { withdrawOwn } from '../findings/triage-queries.ts';
import { newId } from '../platform/id.ts';
import { type Db, sentTogether } from '../platform/postgres/database.ts';
import { severityToApprove } from './approval.ts';
import { insertOwn, type NewOwnDecision } from './own-queries.ts';

/** Returns the decision that an update makes about a finding; null if the finding has that status already. */
function decisionOf(finding: LockedFinding, update: Decision): Omit<NewOwnDecision, 'belowSeverity'> | null {
  const { acceptedUntil, justification, comment = '' } = update;
  // Another end of an accepted risk is another decision.
  const status = update.status ?? (acceptedUntil === undefined ? undefined : finding.status);
  if (!dismisses(status)) return null;
  const isAgain = finding.status === status;
  const before = isAgain && finding.acceptedUntil !== null ? new Date(finding.acceptedUntil) : null;
  const until = acceptedUntil === undefined ? before : acceptedUntil;
  const isSame = isAgain && isSameEnd(until?.getTime() ?? null, finding.acceptedUntil);
  if (isSame && justification === undefined) return null;
  const scope = { finding: [finding.id] };
  return {
    ...{ id: newId('dec'), findingId: finding.id, outcome: status, justification: justification ?? null },
    ...{ reason: comment, scope, rank: rankOf(scope), until },
  };
}

/** Returns the decisions that an update makes, each about one finding. */
export async function decisionsOf(
  tx: Db,
  orgId: string,
  findings: LockedFinding[],
  update: Decision,
): Promise<NewOwnDecision[]> {
  const made = findings.map((finding) => decisionOf(finding, update)).filter((decision) => decision !== null);
  const [first] = made;
  if (!first) return [];
  const policy = await findPolicy(tx, orgId);
  const given = { belowSeverity: severityToApprove(policy, first.outcome) };
  // A false positive can't name its end.
  const until = first.outcome === 'false_positive' && { until: latestEnd(policy, first.outcome) };
  return made.map((decision) => ({ ...decision, ...given, ...until }));
}

/**
 * Updates locked findings as a person says; the caller writes `changes`. The decisions `made` replace earlier ones of their
 * kind. Needs no lock but those of the rows, so that nobody waits for merges. All statements are sent before it returns.
 * Returns the previous state of the findings that changed.
 */
export async function updateLocked(
  tx: Db,
  orgId: string,
  findings: LockedFinding[],
  made: NewOwnDecision[],
  { update, userId, changes }: { update: Decision; userId: string; changes: FindingChanges },
): Promise<LockedFinding[]> {
  if (made.length === 0) return triageLocked(tx, orgId, findings, { decision: update, userId, changes });
  const ids = made.map(({ findingId }) => findingId);
  const decision = { ...update, ownDecisions: new Map(made.map(({ findingId, id }) => [findingId, id])) };
  // In this order, in one round trip.
  const [, changed] = await sentTogether([
    withdrawOwn(tx, orgId, ids, userId),
    triageLocked(tx, orgId, findings, { decision, userId, changes }),
    insertOwn(tx, orgId, userId, made),
  ]);
  return changed;
}

/**
 * Updates a finding as a person says, in the caller's transaction. `guard` may throw to refuse the update. Returns what `read`
 * reads of the updated finding; undefined if there is no such finding.
 */
export async function updateFinding<Read>(
  tx: Db,
  orgId: string,
  userId: string,
  id: string,
  update: Decision,
  guard: (finding: LockedFinding) => void,
  read: () => Promise<Read>,
): Promise<Read | undefined> {
  const [changes, finding] = await sentTogether([
    FindingChanges.begin(tx, orgId, { userId }),
    lockFinding(tx, orgId, id),
  ]);
  if (!finding) return undefined;
  guard(finding);
  const made = await decisionsOf(tx, orgId, [finding], update);
  const [, , updated] = await sentTogether([
    updateLocked(tx, orgId, [finding], made, { update, userId, changes }),
    changes.write(),
    read(),
  ]);
  return updated;
}
