import { foldTags } from '../data-sources/tags.ts';
import { newId } from '../platform/id.ts';
import { type Db, sentTogether } from '../platform/postgres/database.ts';
import { formatTimeOrNull } from '../platform/times.ts';
import { FindingChanges } from './finding-changes.ts';
import { decided, isSameEnd, judgementOf, type Status } from './lifecycle.ts';
import { type HistoryRow, type LockedFinding, lockFinding, lockFindings } from './merge-queries.ts';
import { type CommentRow, findLastComment, insertComments } from './queries.ts';
import { type DecisionRow, withdrawOwn } from './triage-queries.ts';

/** A person's decision about findings. Undefined fields stay unchanged; `comment` is added to each finding. */
export type Decision = {
  status?: Status | undefined;
  /** Only with the status `accepted_risk`. */
  acceptedUntil?: Date | null | undefined;
  /** The class of the reason, only with a status that makes a decision. */
  justification?: string | null | undefined;
  tags?: string[] | undefined;
  /** Added to the finding's existing tags; can't be combined with `tags`. */
  addTags?: string[] | undefined;
  removeTags?: string[] | undefined;
  assigneeId?: string | null | undefined;
  comment?: string | undefined;
  /**
   * The decision (`/decisions`) that now applies, or null for none. If undefined, a status is a person's own and takes
   * the finding out of a decision.
   */
  decisionId?: string | null | undefined;
  /** The new decisions about single findings, by the id of the finding. They come before `decisionId`. */
  ownDecisions?: ReadonlyMap<string, string> | undefined;
  /** Why the previous decision ended. */
  decisionEnded?: string | undefined;
};

/** The maximum number of tags per finding. */
export const maxTags = 50;

/** Returns the tags after a decision, ignoring case: at most 50, existing ones first. */
function decideTags(before: string[], { tags, addTags = [], removeTags = [] }: Decision): string[] {
  if (tags) return tags;
  const removed = new Set(removeTags.map((tag) => tag.toLowerCase()));
  const kept = before.filter((tag) => !removed.has(tag.toLowerCase()));
  return addTags.length === 0 ? kept : foldTags([...kept, ...addTags]).slice(0, Math.max(maxTags, kept.length));
}

const isoTime = (ms: number | null) => formatTimeOrNull(ms === null ? null : new Date(ms));

type Decided = Pick<LockedFinding, 'acceptedUntil' | 'tags' | 'assigneeId' | 'decisionId'>;

/** Returns a person's changes, except the lifecycle's status and resolution. */
function changesOf(before: Decided, after: Decided): HistoryRow['changes'] {
  const changes: HistoryRow['changes'] = {};
  const [was, is] = [isoTime(before.acceptedUntil), isoTime(after.acceptedUntil)];
  if (was !== is) changes.accepted_until = [was, is];
  if (JSON.stringify(before.tags) !== JSON.stringify(after.tags)) changes.tags = [before.tags, after.tags];
  if (before.decisionId !== after.decisionId) changes.decision = [before.decisionId, after.decisionId];
  if (before.assigneeId !== after.assigneeId) changes.assignee = [before.assigneeId, after.assigneeId];
  return changes;
}

/** Returns the decision that applies afterwards. A person's own status takes the finding out of the previous decision. */
function heldBy({ id, decisionId }: LockedFinding, decision: Decision, isOwnStatus: boolean) {
  const made = decision.ownDecisions?.get(id) ?? decision.decisionId;
  if (made !== undefined) return { decisionId: made, leaves: false };
  const leaves = isOwnStatus && decisionId !== null;
  return { decisionId: leaves ? null : decisionId, leaves };
}

/** Returns a finding after the decision, with the changes outside its lifecycle; null if nothing changes. */
function decide(
  finding: LockedFinding,
  decision: Decision,
  { now, isByPerson }: { now: number; isByPerson: boolean },
): { row: DecisionRow; changes: HistoryRow['changes'] } | null {
  const status = decision.status ?? finding.status;
  const until = decision.acceptedUntil === undefined ? undefined : (decision.acceptedUntil?.getTime() ?? null);
  const keeps = status === finding.status && (until === undefined || isSameEnd(until, finding.acceptedUntil));
  const moved = keeps ? finding : decided(finding, status, now, until ?? null);
  const held = heldBy(finding, decision, !keeps);
  // A finding that returns after its decision has ended is open.
  const lifecycle = held.decisionId === finding.decisionId ? moved : { ...moved, acceptedAgainUntil: null };
  const judged = isByPerson && !keeps ? judgementOf(status) : finding.judged;
  const tags = decideTags(finding.tags, decision);
  const assigneeId = decision.assigneeId === undefined ? finding.assigneeId : decision.assigneeId;
  const changes = changesOf(finding, { ...lifecycle, tags, assigneeId, decisionId: held.decisionId });
  if (changes.decision && decision.decisionEnded) changes.decision_ended_because = [null, decision.decisionEnded];
  const isMoved = lifecycle.status !== finding.status || lifecycle.resolution !== finding.resolution;
  if (!isMoved && Object.keys(changes).length === 0 && decision.comment === undefined) return null;
  const comments = decision.comment === undefined ? 0 : 1;
  return { row: { ...lifecycle, ...held, id: finding.id, judged, tags, assigneeId, comments }, changes };
}

/**
 * Applies a decision to locked findings; the caller writes `changes`, and need not wait for this: all statements are sent
 * before it returns. Returns the previous state of those that changed.
 */
export async function triageLocked(
  tx: Db,
  orgId: string,
  findings: LockedFinding[],
  { decision, userId, changes }: { decision: Decision; userId: string | null; changes: FindingChanges },
): Promise<LockedFinding[]> {
  const rows: DecisionRow[] = [];
  const changed: LockedFinding[] = [];
  for (const finding of findings) {
    const decided = decide(finding, decision, { now: changes.time.ms, isByPerson: userId !== null });
    if (!decided) continue;
    rows.push(decided.row);
    changed.push(finding);
    changes.decide(finding, decided.row, decided.changes);
  }
  if (rows.length === 0) return [];
  const left = rows.filter(({ leaves }) => leaves).map(({ id }) => id);
  const sent: Promise<void>[] = [];
  if (left.length > 0) sent.push(withdrawOwn(tx, orgId, left, userId));
  if (decision.comment !== undefined) {
    const comments = rows.map((row) => ({ id: newId('cmt'), finding_id: row.id }));
    sent.push(insertComments(tx, orgId, userId, changes.time.at, decision.comment, comments));
  }
  await sentTogether(sent);
  return changed;
}

/** Restores the previous state of locked findings, the decision that held included; the caller writes `changes`. */
export function restoreLocked(
  states: Array<{ finding: LockedFinding; before: LockedFinding }>,
  changes: FindingChanges,
): void {
  for (const { finding, before } of states) {
    const { status, resolution, closedAt, acceptedUntil, acceptedAgainUntil, judged, tags, assigneeId } = before;
    const lifecycle = { ...finding, status, resolution, closedAt, acceptedUntil, acceptedAgainUntil };
    const { reopenedAt = null, leftDecisions, decisionId } = before;
    const restored = { reopenedAt, leftDecisions };
    const row = { ...lifecycle, judged, tags, assigneeId, comments: 0, decisionId, restored };
    changes.decide(finding, row, changesOf(finding, before));
  }
}

const findingsPerStatement = 2_000;

/**
 * Applies a decision to findings in the caller's transaction: change, history, comments and counts. Ids of other
 * organizations are ignored. `guard` is called first with every locked finding and may throw to refuse all. Returns how
 * many findings were found and how many changed.
 */
export async function triageFindings(
  tx: Db,
  orgId: string,
  userId: string | null,
  ids: string[],
  decision: Decision,
  guard: (finding: LockedFinding) => void = () => {},
): Promise<{ found: number; changed: number }> {
  const changes = await FindingChanges.begin(tx, orgId, { userId: userId ?? undefined });
  const sorted = [...new Set(ids)].sort();
  const locked: LockedFinding[] = [];
  // All findings are locked before any count is written, so that writers cannot deadlock.
  for (let start = 0; start < sorted.length; start += findingsPerStatement) {
    locked.push(...(await lockFindings(tx, orgId, sorted.slice(start, start + findingsPerStatement))));
  }
  locked.forEach(guard);
  let changed = 0;
  for (let start = 0; start < locked.length; start += findingsPerStatement) {
    const part = locked.slice(start, start + findingsPerStatement);
    changed += (await triageLocked(tx, orgId, part, { decision, userId, changes })).length;
    await changes.writeRows();
  }
  await changes.write();
  return { found: locked.length, changed };
}

/** Adds a comment to a finding, which counts as a change of it. Returns null if the finding does not exist. */
export async function addComment(
  tx: Db,
  orgId: string,
  userId: string,
  findingId: string,
  comment: string,
): Promise<CommentRow | null> {
  const [changes, finding] = await sentTogether([
    FindingChanges.begin(tx, orgId, { userId }),
    lockFinding(tx, orgId, findingId),
  ]);
  if (!finding) return null;
  const [, , added] = await sentTogether([
    triageLocked(tx, orgId, [finding], { decision: { comment }, userId, changes }),
    changes.write(),
    findLastComment(tx, orgId, findingId, userId),
  ]);
  return added ?? null;
}
