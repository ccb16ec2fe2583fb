import type { FindingChanges } from '../findings/finding-changes.ts';
import { isOpen } from '../findings/lifecycle.ts';
import { type LockedFinding, lockFindings } from '../findings/merge-queries.ts';
import { updateDemotions } from '../findings/policy/demotions.ts';
import { type Decision, triageLocked } from '../findings/triage-findings.ts';
import type { Db } from '../platform/postgres/database.ts';
import { type EndCondition, metCondition } from './end-conditions.ts';
import { inOrder, isAfter, type Matcher } from './matching.ts';
import { listOwn } from './own-queries.ts';
import { type ActiveDecision, type DecidableFinding, endByConditions } from './queries.ts';

/** Returns the change that applies a decision to a finding, or releases the finding; null if nothing changes. */
function changeOf(finding: LockedFinding, decision: ActiveDecision | undefined): Decision | null {
  const isHeld = finding.decisionId !== null;
  if (!decision) {
    if (!isHeld) return null;
    return finding.status === 'resolved' ? { decisionId: null } : { status: 'new', decisionId: null };
  }
  const { id, outcome, until, origin } = decision;
  if (outcome === 'demoted') throw new Error('A demotion sets no status.');
  // Only people close what people triage or work on.
  const isFree = origin === 'person' ? isOpen(finding.status) : finding.status === 'new';
  if (!(isHeld ? finding.status !== 'resolved' : isFree)) return null;
  // Somebody is already working on it.
  if (outcome === 'triaged' && finding.status === 'in_progress') return null;
  const acceptedUntil = outcome === 'accepted_risk' ? until : null;
  const isSame = finding.decisionId === id && finding.status === outcome;
  if (isSame && finding.acceptedUntil === (acceptedUntil?.getTime() ?? null)) return null;
  return { status: outcome, acceptedUntil, decisionId: id };
}

/** Returns the decisions that end because a finding meets one of their conditions. */
function listMet(
  locked: LockedFinding[],
  facts: ReadonlyMap<string, DecidableFinding>,
  matching: ReadonlyMap<string, ActiveDecision[]>,
  { newVersions }: FindingChanges,
): Map<string, EndCondition> {
  const met = new Map<string, EndCondition>();
  for (const { id, status, decisionId, demotedBy } of locked) {
    if (status === 'resolved' || (decisionId === null && demotedBy === null && !isOpen(status))) continue;
    for (const decision of matching.get(id)!) {
      const condition = metCondition(decision.endsWhen, facts.get(id)!, newVersions.has(id));
      if (condition !== null) met.set(decision.id, condition);
    }
  }
  return met;
}

/**
 * Adds the decisions about these single findings, and removes those from which people took them. Some decision always
 * holds for a finding that has one of its own, unless that one is new (`owning`).
 */
async function addOwn(
  tx: Db,
  orgId: string,
  locked: LockedFinding[],
  matching: Map<string, ActiveDecision[]>,
  owning: ReadonlySet<string>,
): Promise<void> {
  const severities = new Map(locked.map(({ id, scannerSeverity }) => [id, scannerSeverity]));
  const held = locked.filter(({ id, decisionId }) => decisionId !== null || owning.has(id)).map(({ id }) => id);
  for (const { findingId, ...own } of held.length > 0 ? await listOwn(tx, orgId, held) : [])
    if (severities.get(findingId)! < (own.belowSeverity ?? Number.POSITIVE_INFINITY))
      matching.set(findingId, inOrder([...matching.get(findingId)!, own]));
  for (const { id, leftDecisions } of locked)
    if (leftDecisions !== null)
      matching.set(
        id,
        matching.get(id)!.filter((decision) => isAfter(decision, leftDecisions)),
      );
}

export type DecidingOptions = {
  /** Decisions that have ended, with the reason for the history. */
  ended?: ReadonlyMap<string, string>;
  /** Findings with a new decision about them alone. */
  owning?: ReadonlySet<string>;
};

/**
 * Applies the matching decisions to these findings in the caller's transaction, which has locked the decisions
 * (`holdDecisions`). A decision that one of the findings ends applies to none of them; the caller releases its other
 * findings. Returns these decisions with their conditions. Statuses that a person set on a finding itself stay.
 */
export async function decideFindings(
  tx: Db,
  orgId: string,
  changes: FindingChanges,
  matcher: Matcher,
  findings: DecidableFinding[],
  { ended = new Map(), owning = new Set() }: DecidingOptions = {},
): Promise<Map<string, EndCondition>> {
  const matching = new Map(findings.map((finding) => [finding.id, matcher.find(finding)]));
  const concerned = findings.filter(
    ({ id, decisionId, demotedBy }) =>
      decisionId !== null || demotedBy !== null || owning.has(id) || matching.get(id)!.length > 0,
  );
  if (concerned.length === 0) return new Map();
  const locked = await lockFindings(tx, orgId, concerned.map(({ id }) => id).sort());
  await addOwn(tx, orgId, locked, matching, owning);
  const facts = new Map(concerned.map((finding) => [finding.id, finding]));
  const met = listMet(locked, facts, matching, changes);
  if (met.size > 0) await endByConditions(tx, orgId, [...met]);
  const whyEnded = (id: string | null) => (id === null ? undefined : (met.get(id) ?? ended.get(id)));
  const firstOf = (id: string, demotes: boolean) =>
    matching.get(id)!.find((decision) => !met.has(decision.id) && (decision.outcome === 'demoted') === demotes);
  const demoted: LockedFinding[] = [];
  const groups = new Map<string, { decision: Decision; findings: LockedFinding[] }>();
  for (const before of locked) {
    const demotedBy = firstOf(before.id, true)?.id ?? null;
    const isDemotion = demotedBy !== before.demotedBy;
    const finding = isDemotion ? changes.demote(before, demotedBy, whyEnded(before.demotedBy)) : before;
    if (isDemotion) demoted.push(finding);
    const decision = changeOf(finding, firstOf(before.id, false));
    if (!decision) continue;
    decision.decisionEnded = whyEnded(finding.decisionId);
    const key = JSON.stringify(decision);
    const group = groups.get(key);
    if (group) group.findings.push(finding);
    else groups.set(key, { decision, findings: [finding] });
  }
  await updateDemotions(tx, orgId, changes.time, demoted);
  for (const { decision, findings: alike } of groups.values())
    await triageLocked(tx, orgId, alike, { decision, userId: null, changes });
  return met;
}
