import { requireApproval } from '../../findings/decision-input.ts';
import type { FilterInput } from '../../findings/filters/table.ts';
import { FindingChanges } from '../../findings/finding-changes.ts';
import { lockFindings } from '../../findings/merge-queries.ts';
import type { Decision } from '../../findings/triage-findings.ts';
import { type AuditActor, recordAudit } from '../../organization/audit.ts';
import { ApiError } from '../../platform/errors.ts';
import { newId } from '../../platform/id.ts';
import { enqueue } from '../../platform/jobs/jobs.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { changeLocked } from './advance-operation.ts';
import { maxAtOnce } from './bulk-schema.ts';
import type { ChangeInput } from './change.ts';
import { operationJobType, operationKey } from './job-type.ts';
import { advanceOperation, countUnfinished, deleteOperation, insertOperation } from './queries.ts';
import {
  conflictsOf,
  countFindings,
  countSelection,
  lockSelection,
  type Selection,
  type SelectionCount,
} from './selection.ts';

/** The maximum number of unfinished operations per organization. */
const maxUnfinished = 10;

export type BulkRequest = {
  selection: Selection;
  /** The filters of the request; null when ids were given. */
  filter: FilterInput | null;
  change: ChangeInput;
  decision: Decision;
  expectedCount: number | undefined;
};

/** The counts of a selection; `operationId` is null when nothing changed. */
export type BulkOutcome = {
  operationId: string | null;
  matched: number;
  unchanged: number;
  updated: number;
  conflicts: string[];
};

const sum = (counts: SelectionCount[], of: (count: SelectionCount) => number) =>
  counts.reduce((total, count) => total + of(count), 0);

/** Throws 404 if one of the ids is not a finding of the organization. */
export async function requireFindings(db: Db, orgId: string, ids: string[] | null): Promise<void> {
  if (!ids || (await countFindings(db, orgId, ids)) === ids.length) return;
  throw new ApiError(
    'not_found',
    'Findings not found: check that every id belongs to this organization. Nothing was updated.',
  );
}

export async function measureSelection(db: Db, orgId: string, { selection, decision, expectedCount }: BulkRequest) {
  const counts = await countSelection(db, orgId, selection, decision);
  const isApproved = await requireApproval(db, orgId, decision);
  for (const group of counts) if (group.count > group.unchanged) isApproved(group);
  const matched = sum(counts, ({ count }) => count);
  requireCount(matched, expectedCount);
  return { counts, matched, unchanged: sum(counts, ({ unchanged }) => unchanged) };
}

function requireCount(matched: number, expected: number | undefined): void {
  if (expected === undefined || matched === expected) return;
  throw new ApiError(
    'conflict',
    `expected_count: ${matched} findings match, not ${expected}. Nothing was updated; look at them again with dry_run.`,
  );
}

type Caller = { orgId: string; userId: string; audit: AuditActor };

async function record(tx: Db, { orgId, audit }: Caller, id: string, request: BulkRequest, matched: number) {
  const { filter, change, selection } = request;
  const { comment, ...set } = change;
  const chosen = filter ? { filter } : { ids: selection.ids };
  const details = { matched, ...chosen, change: comment === undefined ? set : { ...set, comment: true } };
  await recordAudit(tx, orgId, { actor: audit, action: 'findings.updated', target: { id }, details });
}

/**
 * Updates the findings of a request in the caller's transaction or, above 1,000 findings, enqueues a job that does.
 * Throws 404 for an unknown id, and 409 if the number of matching findings differs from the expected one.
 */
export async function updateFindings(tx: Db, caller: Caller, request: BulkRequest): Promise<BulkOutcome> {
  const { orgId, userId } = caller;
  const { selection, filter, change, decision, expectedCount } = request;
  await requireFindings(tx, orgId, selection.ids);
  const { matched, unchanged } = await measureSelection(tx, orgId, request);
  const changes = await FindingChanges.begin(tx, orgId, { userId });
  const asOf = selection.asOf ?? changes.time.at;
  const id = newId('bulk');
  const operation = { id, requestedBy: userId, change, filter, asOf, matched };
  if (matched > maxAtOnce) {
    if ((await countUnfinished(tx, orgId)) >= maxUnfinished) {
      throw new ApiError('conflict', `${maxUnfinished} bulk operations are under way. Wait until one of them ends.`);
    }
    await insertOperation(tx, orgId, operation);
    await enqueue(tx, operationJobType, { org_id: orgId, operation_id: id }, { key: operationKey(orgId, id) });
    await record(tx, caller, id, request, matched);
    return { operationId: id, matched, unchanged, updated: 0, conflicts: [] };
  }
  const all = { afterId: '', limit: maxAtOnce, walk: false };
  const ids = await lockSelection(tx, orgId, { ...selection, asOf }, all);
  requireCount(ids.length, expectedCount);
  const findings = ids.length === 0 ? [] : await lockFindings(tx, orgId, ids);
  findings.forEach(await requireApproval(tx, orgId, decision));
  await insertOperation(tx, orgId, { ...operation, matched: ids.length });
  const updated = await changeLocked(tx, orgId, id, findings, { decision, userId, changes });
  const conflicts = conflictsOf(selection, ids);
  const figures = { matched: ids.length, unchanged: ids.length - updated, updated, conflicts };
  if (updated === 0) {
    await deleteOperation(tx, orgId, id);
    return { operationId: null, ...figures };
  }
  await advanceOperation(tx, orgId, id, { processed: ids.length, updated, cursor: ids.at(-1)!, ended: true });
  await record(tx, caller, id, request, ids.length);
  return { operationId: id, ...figures };
}
