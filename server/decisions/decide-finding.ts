import { rankOf } from '@assay/scanner/contract/scope-rank.ts';
import { FindingChanges } from '../findings/finding-changes.ts';
import { type LockedFinding, lockFinding } from '../findings/merge-queries.ts';
import { findPolicy } from '../findings/policy-queries.ts';
import { type Decision, triageLocked } from '../findings/triage-findings.ts';
import { withdrawOwn } from '../findings/triage-queries.ts';
import { newId } from '../platform/id.ts';
import { type Db, sentTogether } from '../platform/postgres/database.ts';
import { severityToApprove } from './approval.ts';
import { insertDecision, type Outcome } from './queries.ts';

/** An update of one finding by a person. `justification` is given only with a status that makes a decision. */
export type FindingUpdate = Decision & { justification?: string | null | undefined };

/** The statuses that are a decision about the finding when a person sets them. */
export const makesDecision = (status: string | undefined): status is Outcome =>
  status === 'false_positive' || status === 'accepted_risk';

/** Returns the decision that an update makes, without its id; null if the finding has that status already. */
function decisionOf(finding: LockedFinding, update: FindingUpdate) {
  const { acceptedUntil, justification, comment = '' } = update;
  // Another end of an accepted risk is another decision.
  const status = update.status ?? (acceptedUntil === undefined ? undefined : finding.status);
  if (!makesDecision(status)) return null;
  const isAgain = finding.status === status;
  const before = isAgain && finding.acceptedUntil !== null ? new Date(finding.acceptedUntil) : null;
  const until = acceptedUntil === undefined ? before : acceptedUntil;
  if (isAgain && until?.getTime() === before?.getTime() && justification === undefined) return null;
  const scope = { finding: [finding.id] };
  return {
    ...{ outcome: status, justification: justification ?? null, reason: comment, scope, rank: rankOf(scope) },
    ...{ until, endsWhen: null, findingId: finding.id },
  };
}

/**
 * Updates a finding as a person says, in the caller's transaction. A status that makes a decision replaces an earlier one of its kind.
 * No lock but that of the finding's row is taken, so that nobody waits for merges. `guard` may throw to refuse the update. Returns
 * what `read` reads of the updated finding; undefined if there is no such finding.
 */
export async function updateFinding<Read>(
  tx: Db,
  orgId: string,
  userId: string,
  id: string,
  update: FindingUpdate,
  guard: (finding: LockedFinding) => void,
  read: () => Promise<Read>,
): Promise<Read | undefined> {
  const [changes, finding] = await sentTogether([
    FindingChanges.begin(tx, orgId, { userId }),
    lockFinding(tx, orgId, id),
  ]);
  if (!finding) return undefined;
  guard(finding);
  const made = decisionOf(finding, update);
  const belowSeverity = made ? severityToApprove(await findPolicy(tx, orgId), made.outcome) : null;
  const decisionId = made ? newId('dec') : undefined;
  // In this order, in one round trip.
  const sent: Promise<unknown>[] = [];
  if (made) sent.push(withdrawOwn(tx, orgId, [id], userId));
  sent.push(triageLocked(tx, orgId, [finding], { decision: { ...update, decisionId }, userId, changes }));
  if (made) sent.push(insertDecision(tx, orgId, userId, { ...made, id: decisionId!, belowSeverity, expiresAt: null }));
  const [, , updated] = await sentTogether([sentTogether(sent), changes.write(), read()]);
  return updated;
}
