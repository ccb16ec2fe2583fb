import type { ScannedDetection } from '@assay/scanner/contract/detector.ts';
import { rankOf } from '@assay/scanner/contract/scope-rank.ts';
import type { Suppression } from '@assay/scanner/contract/suppression.ts';
import { storableText } from '@assay/scanner/platform/storable-text.ts';
import { FindingChanges } from '../../findings/finding-changes.ts';
import { type LockedFinding, lockFindings } from '../../findings/merge-queries.ts';
import { latestEnd, type Policy } from '../../findings/policy.ts';
import { findPolicy } from '../../findings/policy-queries.ts';
import type { Sighting } from '../../findings/record-detections.ts';
import { triageLocked } from '../../findings/triage-findings.ts';
import { listUndecided } from '../../findings/triage-queries.ts';
import { newId } from '../../platform/id.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { severityToApprove } from '../approval.ts';
import { holdDecisions } from '../queries.ts';
import { keyOf } from '../repository/standing.ts';
import { insertOfTools, listOfTools, type NewToolDecision, type ToolDecision } from './queries.ts';

type Held = {
  finding: LockedFinding;
  suppression: Suppression;
  made: NewToolDecision | null;
  id: string;
  until: Date | null;
};

/** A result can't name an end: its decision holds for as long as the policy allows, from when a scan sees it. */
function newDecision(
  { id: findingId, dataSourceId }: LockedFinding,
  { status, reason }: Suppression,
  { key, policy }: { key: string; policy: Policy },
): NewToolDecision {
  const scope = { finding: [findingId] };
  const until = latestEnd(policy, status);
  return {
    ...{ id: newId('dec'), outcome: status, scope, rank: rankOf(scope), until, findingId, dataSourceId, key },
    ...{ reason: storableText(reason.trim().slice(0, 10_000)), belowSeverity: severityToApprove(policy, status) },
  };
}

/**
 * Returns the decision that a suppression makes about an open finding; null if a person ended it or took the finding out
 * of it, if its time has come, or if the severity needs the approval of a second person.
 */
function heldBy(finding: LockedFinding, suppression: Suppression, known: ToolDecision[], policy: Policy): Held | null {
  const { status, reason } = suppression;
  const key = keyOf({ status, reason });
  const own = known.find(({ isActive, key: other }) => isActive && other === key);
  if (own) {
    const { id, until, made, belowSeverity } = own;
    const isLeft = finding.leftDecisions !== null && made <= finding.leftDecisions;
    const isBelow = finding.scannerSeverity < (belowSeverity ?? Number.POSITIVE_INFINITY);
    return isLeft || !isBelow ? null : { finding, suppression, made: null, id, until };
  }
  if (finding.leftDecisions !== null || known.some((one) => one.isActive || one.key === key)) return null;
  const made = newDecision(finding, suppression, { key, policy });
  if (finding.scannerSeverity >= (made.belowSeverity ?? Number.POSITIVE_INFINITY)) return null;
  return { finding, suppression, made, id: made.id, until: made.until };
}

/**
 * Makes the decisions that a tool states in its results, each about one finding that nobody has decided about, in the
 * caller's transaction, which has merged the batch. A file that `keepsFacts` of known findings decides only on findings
 * that it has created.
 */
export async function decideByTools(
  tx: Db,
  orgId: string,
  sighting: Sighting,
  batch: Array<Pick<ScannedDetection, 'fingerprint' | 'suppression'>>,
): Promise<void> {
  const suppressed = new Map(batch.filter((one) => one.suppression).map((one) => [one.fingerprint, one.suppression!]));
  if (suppressed.size === 0) return;
  const foundBy = sighting.keepsFacts ? sighting.scanId : null;
  const undecided = await listUndecided(tx, orgId, sighting, [...suppressed.keys()], foundBy);
  if (undecided.length === 0) return;
  await holdDecisions(tx, orgId);
  const policy = await findPolicy(tx, orgId);
  // A result has no justification.
  if (policy.decisions.justification_required) return;
  const changes = await FindingChanges.begin(tx, orgId, {});
  const suppressionOf = new Map(undecided.map(({ id, fingerprint }) => [id, suppressed.get(fingerprint)!]));
  const locked = await lockFindings(tx, orgId, [...suppressionOf.keys()].sort());
  const known = Map.groupBy(await listOfTools(tx, orgId, [...suppressionOf.keys()]), ({ findingId }) => findingId);
  const held = locked
    // People may have decided meanwhile.
    .filter(({ status, decisionId }) => status === 'new' && decisionId === null)
    .map((finding) => heldBy(finding, suppressionOf.get(finding.id)!, known.get(finding.id) ?? [], policy))
    .filter((one) => one !== null);
  const made = held.flatMap((one) => one.made ?? []);
  if (made.length > 0) await insertOfTools(tx, orgId, made);
  const alike = Map.groupBy(held, ({ suppression, until, made }) =>
    JSON.stringify([suppression, until, made === null]),
  );
  for (const group of alike.values()) {
    const { suppression, until, made: isNew } = group[0]!;
    const decision = {
      status: suppression.status,
      acceptedUntil: suppression.status === 'accepted_risk' ? until : null,
      comment: (isNew?.reason ?? '') || undefined,
      ownDecisions: new Map(group.map(({ finding, id }) => [finding.id, id])),
    };
    const findings = group.map(({ finding }) => finding);
    await triageLocked(tx, orgId, findings, { decision, userId: null, changes });
    await changes.writeRows();
  }
  await changes.write();
}
