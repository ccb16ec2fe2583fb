import { findApprovalNeed, findRestoringNeed } from '../../findings/decision-input.ts';
import { readFilters } from '../../findings/filters/read.ts';
import { FindingChanges } from '../../findings/finding-changes.ts';
import { type LockedFinding, lockFindings } from '../../findings/merge-queries.ts';
import { findMembers } from '../../findings/queries.ts';
import { type Decision, restoreLocked } from '../../findings/triage-findings.ts';
import { withdrawOwn } from '../../findings/triage-queries.ts';
import { holdRole } from '../../organization/queries.ts';
import { isAtLeast } from '../../organization/roles.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { decideAgain } from '../apply-decisions.ts';
import { decisionsOf, updateLocked } from '../decide-finding.ts';
import { listOwn, reviveOwn } from '../own-queries.ts';
import { holdDecisions } from '../queries.ts';
import { decisionOf } from './change.ts';
import { type ChangedFinding, insertChanged, takeChanged } from './changed-queries.ts';
import { advanceOperation, advanceUndo, lockOperation, type OperationWork, recordFailure } from './queries.ts';
import { lockSelection, type Selection } from './selection.ts';

/** The number of findings per transaction. */
const findingsPerBatch = 1_000;

/**
 * Updates locked findings as a person says, with a decision about each one that it closes, and stores their previous state
 * with the operation, for undo. Returns the number of findings that changed.
 */
export async function changeLocked(
  tx: Db,
  orgId: string,
  operationId: string,
  findings: LockedFinding[],
  { decision: update, userId, changes }: { decision: Decision; userId: string; changes: FindingChanges },
): Promise<number> {
  const held = findings.filter(({ decisionId }) => decisionId !== null).map(({ id }) => id);
  const own = held.length > 0 ? await listOwn(tx, orgId, held) : [];
  const ownOf = new Map(own.filter(({ origin }) => origin === 'person').map(({ findingId, id }) => [findingId, id]));
  const made = await decisionsOf(tx, orgId, findings, update);
  const changed = await updateLocked(tx, orgId, findings, made, { update, userId, changes });
  await changes.write();
  const rows = changed.map((before) => ({
    before: { ...before, ownDecision: ownOf.get(before.id) ?? null },
    version: before.version + 1,
  }));
  await insertChanged(tx, orgId, operationId, rows);
  return changed.length;
}

/** Changes the next findings of an operation. Returns whether more may follow. */
async function changeNext(
  tx: Db,
  orgId: string,
  work: OperationWork,
  { userId, limit }: { userId: string; limit: number },
): Promise<boolean> {
  const { id, asOf } = work;
  const changes = await FindingChanges.begin(tx, orgId, { userId });
  const selection: Selection = {
    ids: null,
    filters: await readFilters(tx, { orgId, userId }, work.filter ?? {}, { now: work.asOfTime }),
    asOf,
    operationId: id,
  };
  const next = { afterId: work.cursor, limit, walk: true };
  const ids = await lockSelection(tx, orgId, selection, next);
  const decision = decisionOf(work.change);
  const locked = ids.length === 0 ? [] : await lockFindings(tx, orgId, ids);
  // The policy may have changed since the request.
  const need = await findApprovalNeed(tx, orgId, decision);
  const findings = need ? locked.filter((finding) => !need.isNeeded(finding)) : locked;
  const updated = await changeLocked(tx, orgId, id, findings, { decision, userId, changes });
  const ended = ids.length < limit;
  const cursor = ids.at(-1) ?? work.cursor;
  await advanceOperation(tx, orgId, id, { processed: ids.length, updated, cursor, ended });
  return !ended;
}

/**
 * Restores the next findings that an operation changed, except those that have changed since, and those that nobody may
 * close alone. The decisions that it made are withdrawn, and those that it withdrew hold again, unless others have come or
 * ended meanwhile. Returns whether more may follow. Comments stay; an assignee who has left the organization is not restored.
 */
async function restoreNext(
  tx: Db,
  orgId: string,
  { id }: OperationWork,
  { userId, limit }: { userId: string; limit: number },
): Promise<boolean> {
  await holdDecisions(tx, orgId);
  const changes = await FindingChanges.begin(tx, orgId, { userId });
  const taken = await takeChanged(tx, orgId, id, limit);
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
  await restoreDecisions(tx, orgId, states, { userId, changes });
  const ended = taken.length < limit;
  const restored = states.length;
  await advanceUndo(tx, orgId, id, { restored, skipped: taken.length - restored, ended });
  return !ended;
}

type State = { finding: LockedFinding; before: ChangedFinding['before'] };

/** Restores locked findings with their decisions, and then applies what has been decided since. */
async function restoreDecisions(
  tx: Db,
  orgId: string,
  states: State[],
  { userId, changes }: { userId: string; changes: FindingChanges },
): Promise<void> {
  restoreLocked(states, changes);
  const decided = states.filter(
    ({ finding, before }) => finding.status !== before.status || finding.decisionId !== before.decisionId,
  );
  const ids = decided.map(({ finding }) => finding.id);
  if (ids.length === 0) return changes.write();
  const own = decided.filter(({ before }) => before.ownDecision !== null);
  await withdrawOwn(tx, orgId, ids, userId);
  await reviveOwn(
    tx,
    orgId,
    own.map(({ before }) => before.ownDecision!),
  );
  await changes.write();
  await decideAgain(tx, orgId, userId, ids, { owning: new Set(own.map(({ finding }) => finding.id)) });
}

const lostRights =
  'The person who started it has left the organization or may no longer change findings. What it has changed can be undone.';

/** Keeps the role of a person until the transaction ends, and returns whether it lets them change findings. */
async function mayTriage(tx: Db, orgId: string, userId: string): Promise<boolean> {
  const role = await holdRole(tx, orgId, userId);
  return role !== undefined && isAtLeast(role, 'analyst');
}

/**
 * Runs the next batch of an operation or its undo in the caller's transaction. Returns whether more may follow.
 * Progress is recorded in the same transaction, so an interruption loses nothing. An operation ends as failed once the
 * person who started it may no longer change findings.
 */
export async function doNextBatch(
  tx: Db,
  orgId: string,
  operationId: string,
  limit = findingsPerBatch,
): Promise<boolean> {
  const work = await lockOperation(tx, orgId, operationId);
  const isUndo = work?.status === 'undoing';
  if (!work || !(isUndo || work.status === 'queued' || work.status === 'running')) return false;
  const userId = isUndo ? work.undoneBy : work.requestedBy;
  if (userId === null || !(await mayTriage(tx, orgId, userId))) {
    await recordFailure(tx, orgId, operationId, { maxFailures: 0, error: lostRights });
    return false;
  }
  return (isUndo ? restoreNext : changeNext)(tx, orgId, work, { userId, limit });
}
