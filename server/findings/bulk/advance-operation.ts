import { holdRole } from '../../organization/queries.ts';
import { isAtLeast } from '../../organization/roles.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { findApprovalNeed, findRestoringNeed } from '../decision-input.ts';
import { readFilters } from '../filters/read.ts';
import { FindingChanges } from '../finding-changes.ts';
import { type LockedFinding, lockFindings } from '../merge-queries.ts';
import { findMembers } from '../queries.ts';
import { type Decision, restoreLocked, triageLocked } from '../triage-findings.ts';
import { decisionOf } from './change.ts';
import { insertChanged, takeChanged } from './changed-queries.ts';
import { advanceOperation, advanceUndo, lockOperation, type OperationWork, recordFailure } from './queries.ts';
import { lockSelection, type Selection } from './selection.ts';

/** The number of findings per transaction. */
const findingsPerBatch = 1_000;

/**
 * Applies a decision to locked findings and stores their previous state with the operation, for undo. Returns the
 * number of findings that changed.
 */
export async function changeLocked(
  tx: Db,
  orgId: string,
  operationId: string,
  findings: LockedFinding[],
  { decision, userId, changes }: { decision: Decision; userId: string | null; changes: FindingChanges },
): Promise<number> {
  const changed = await triageLocked(tx, orgId, findings, { decision, userId, changes });
  await changes.write();
  const rows = changed.map((before) => ({ before, version: before.version + 1 }));
  await insertChanged(tx, orgId, operationId, rows);
  return changed.length;
}

/** Changes the next findings of an operation. Returns whether more may follow. */
async function changeNext(tx: Db, orgId: string, work: OperationWork): Promise<boolean> {
  const { id, requestedBy: userId, asOf } = work;
  const changes = await FindingChanges.begin(tx, orgId, { userId: userId ?? undefined });
  const selection: Selection = {
    ids: null,
    filters: await readFilters(tx, { orgId, userId }, work.filter ?? {}, { now: work.asOfTime }),
    asOf,
    operationId: id,
  };
  const next = { afterId: work.cursor, limit: findingsPerBatch, walk: true };
  const ids = await lockSelection(tx, orgId, selection, next);
  const decision = decisionOf(work.change);
  const locked = ids.length === 0 ? [] : await lockFindings(tx, orgId, ids);
  // The policy may have changed since the request.
  const need = await findApprovalNeed(tx, orgId, decision);
  const findings = need ? locked.filter((finding) => !need.isNeeded(finding)) : locked;
  const updated = await changeLocked(tx, orgId, id, findings, { decision, userId, changes });
  const ended = ids.length < findingsPerBatch;
  const cursor = ids.at(-1) ?? work.cursor;
  await advanceOperation(tx, orgId, id, { processed: ids.length, updated, cursor, ended });
  return !ended;
}

/**
 * Restores the next findings that an operation changed, except those that have changed since, and those that nobody may
 * close alone. Returns whether more may follow. Comments stay; an assignee who has left the organization is not restored.
 */
async function restoreNext(tx: Db, orgId: string, work: OperationWork): Promise<boolean> {
  const { id, undoneBy: userId } = work;
  const changes = await FindingChanges.begin(tx, orgId, { userId: userId ?? undefined });
  const taken = await takeChanged(tx, orgId, id, findingsPerBatch);
  const changed = new Map(taken.map((row) => [row.before.id, row]));
  const locked = taken.length === 0 ? [] : await lockFindings(tx, orgId, [...changed.keys()].sort());
  const unchangedSince = locked.filter((finding) => finding.version === changed.get(finding.id)!.version);
  const assignees = taken.map(({ before }) => before.assigneeId).filter((assignee) => assignee !== null);
  const members = await findMembers(tx, orgId, [...new Set(assignees)]);
  const needsApproval = await findRestoringNeed(tx, orgId);
  const restorable = unchangedSince.filter((finding) => !needsApproval(finding, changed.get(finding.id)!.before));
  const states = restorable.map((finding) => {
    const { before } = changed.get(finding.id)!;
    const assigneeId = before.assigneeId !== null && members.has(before.assigneeId) ? before.assigneeId : null;
    return { finding, before: { ...before, assigneeId } };
  });
  restoreLocked(states, changes);
  await changes.write();
  const ended = taken.length < findingsPerBatch;
  const restored = states.length;
  await advanceUndo(tx, orgId, id, { restored, skipped: taken.length - restored, ended });
  return !ended;
}

const lostRights =
  'The person who started it has left the organization or may no longer change findings. What it has changed can be undone.';

/** Keeps the role of a person until the transaction ends, and returns whether it lets them change findings. */
async function mayTriage(tx: Db, orgId: string, userId: string | null): Promise<boolean> {
  const role = userId === null ? undefined : await holdRole(tx, orgId, userId);
  return role !== undefined && isAtLeast(role, 'analyst');
}

/**
 * Runs the next batch of an operation or its undo in the caller's transaction. Returns whether more may follow.
 * Progress is recorded in the same transaction, so an interruption loses nothing. An operation ends as failed once the
 * person who started it may no longer change findings.
 */
export async function doNextBatch(tx: Db, orgId: string, operationId: string): Promise<boolean> {
  const work = await lockOperation(tx, orgId, operationId);
  const isUndo = work?.status === 'undoing';
  if (!work || !(isUndo || work.status === 'queued' || work.status === 'running')) return false;
  if (!(await mayTriage(tx, orgId, isUndo ? work.undoneBy : work.requestedBy))) {
    await recordFailure(tx, orgId, operationId, { maxFailures: 0, error: lostRights });
    return false;
  }
  return isUndo ? restoreNext(tx, orgId, work) : changeNext(tx, orgId, work);
}
