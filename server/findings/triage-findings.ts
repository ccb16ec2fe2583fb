import { newId } from '../platform/id.ts';
import type { Db } from '../platform/postgres/database.ts';
import { formatTimeOrNull } from '../platform/times.ts';
import { beginChange, type ChangeTime } from './change-clock.ts';
import { CountChanges } from './counts.ts';
import { decided, type Status } from './lifecycle.ts';
import { type HistoryRow, insertHistory, type LockedFinding, lockFindings } from './merge-queries.ts';
import { type CommentRow, findLastComment, insertComments } from './queries.ts';
import { type DecisionRow, replaceTags, updateDecisions } from './triage-queries.ts';

/** What a person decides about findings; what is undefined stays as it is. `comment` is added beside. */
export type Decision = {
  status?: Status | undefined;
  /** Only beside `status` `accepted_risk`. */
  acceptedUntil?: Date | null | undefined;
  tags?: string[] | undefined;
  assigneeId?: string | null | undefined;
  comment?: string | undefined;
};

/** Tags with white space trimmed, and those that differ in case only folded to the first. */
export function foldTags(tags: string[]): string[] {
  const folded = new Map<string, string>();
  for (const tag of tags.map((text) => text.trim().normalize('NFC'))) {
    if (!folded.has(tag.toLowerCase())) folded.set(tag.toLowerCase(), tag);
  }
  return [...folded.values()];
}

const isoTime = (ms: number | null) => formatTimeOrNull(ms === null ? null : new Date(ms));

/** A finding as the decision leaves it, and its history; null when nothing about it changes. */
function decide(
  finding: LockedFinding,
  decision: Decision,
  now: number,
): { row: DecisionRow; changes: HistoryRow['changes'] } | null {
  const status = decision.status ?? finding.status;
  const until = decision.acceptedUntil === undefined ? undefined : (decision.acceptedUntil?.getTime() ?? null);
  const keeps = status === finding.status && until === undefined;
  const lifecycle = keeps ? finding : decided(finding, status, now, until ?? null);
  const tags = decision.tags ?? finding.tags;
  const assigneeId = decision.assigneeId === undefined ? finding.assigneeId : decision.assigneeId;
  const changes: HistoryRow['changes'] = {};
  if (lifecycle.status !== finding.status) changes.status = [finding.status, lifecycle.status];
  if (lifecycle.resolution !== finding.resolution) changes.resolution = [finding.resolution, lifecycle.resolution];
  if (isoTime(lifecycle.acceptedUntil) !== isoTime(finding.acceptedUntil)) {
    changes.accepted_until = [isoTime(finding.acceptedUntil), isoTime(lifecycle.acceptedUntil)];
  }
  if (JSON.stringify(tags) !== JSON.stringify(finding.tags)) changes.tags = [finding.tags, tags];
  if (assigneeId !== finding.assigneeId) changes.assignee = [finding.assigneeId, assigneeId];
  if (Object.keys(changes).length === 0 && decision.comment === undefined) return null;
  const comments = decision.comment === undefined ? 0 : 1;
  return { row: { ...lifecycle, id: finding.id, tags, assigneeId, comments }, changes };
}

async function triageLocked(
  tx: Db,
  orgId: string,
  userId: string | null,
  time: ChangeTime,
  findings: LockedFinding[],
  decision: Decision,
): Promise<number> {
  const counts = new CountChanges();
  const rows: DecisionRow[] = [];
  const history: HistoryRow[] = [];
  for (const finding of findings) {
    const decided = decide(finding, decision, time.ms);
    if (!decided) continue;
    rows.push(decided.row);
    if (Object.keys(decided.changes).length > 0) history.push({ finding_id: finding.id, changes: decided.changes });
    counts.moved(finding, { ...finding, status: decided.row.status });
  }
  if (rows.length === 0) return 0;
  await updateDecisions(tx, orgId, time, rows);
  if (decision.tags) await replaceTags(tx, orgId, rows);
  if (decision.comment !== undefined) {
    const comments = rows.map((row) => ({ id: newId('cmt'), finding_id: row.id }));
    await insertComments(tx, orgId, userId, time.at, decision.comment, comments);
  }
  await insertHistory(tx, orgId, time, { userId: userId ?? undefined }, history);
  await counts.write(tx, orgId);
  return rows.length;
}

const findingsPerStatement = 2_000;

/**
 * Applies one decision to findings, all in the caller's transaction: change, history, comments and figures. Ids that are not
 * the organization's are passed over. `guard` sees each locked finding first and throws to stop it all. Answers how many changed.
 */
export async function triageFindings(
  tx: Db,
  orgId: string,
  userId: string | null,
  ids: string[],
  decision: Decision,
  guard: (finding: LockedFinding) => void = () => {},
): Promise<{ found: number; changed: number }> {
  const time = await beginChange(tx);
  const sorted = [...new Set(ids)].sort();
  const locked: LockedFinding[] = [];
  // All the locks before any figure: findings first, figures last, so that no two writers wait for each other.
  for (let start = 0; start < sorted.length; start += findingsPerStatement) {
    locked.push(...(await lockFindings(tx, orgId, sorted.slice(start, start + findingsPerStatement))));
  }
  locked.forEach(guard);
  let changed = 0;
  for (let start = 0; start < locked.length; start += findingsPerStatement) {
    changed += await triageLocked(tx, orgId, userId, time, locked.slice(start, start + findingsPerStatement), decision);
  }
  return { found: locked.length, changed };
}

/** Adds a comment to a finding, which counts as a change of it. Null when there is no such finding. */
export async function addComment(
  tx: Db,
  orgId: string,
  userId: string,
  findingId: string,
  comment: string,
): Promise<CommentRow | null> {
  const { found } = await triageFindings(tx, orgId, userId, [findingId], { comment });
  return found === 0 ? null : ((await findLastComment(tx, orgId, findingId, userId)) ?? null);
}
