import type { FilterInput } from '../../findings/filters/table.ts';
import type { Db } from '../../platform/postgres/database.ts';
import type { ChangeInput } from './change.ts';

export const operationStatuses = ['queued', 'running', 'completed', 'failed', 'undoing', 'undone'] as const;
type OperationStatus = (typeof operationStatuses)[number];

/** The period in which an operation can be undone. */
export const undoHours = 24;
const keptDays = 90;

type Person = { id: string; name: string } | null;

export type OperationRow = {
  id: string;
  status: OperationStatus;
  change: ChangeInput;
  filter: FilterInput | null;
  asOf: Date;
  requestedBy: Person;
  matched: number;
  processed: number;
  updated: number;
  error: string | null;
  undoneBy: Person;
  restored: number;
  skipped: number;
  undoneAt: Date | null;
  createdAt: Date;
  completedAt: Date | null;
};

const person = (alias: string) =>
  `CASE WHEN ${alias}.id IS NOT NULL THEN json_build_object('id', ${alias}.id, 'name', ${alias}.name) END`;

const select = `SELECT o.id, o.status, o.change, o.filter, o.as_of AS "asOf", ${person('r')} AS "requestedBy", o.matched,
    o.processed, o.updated, o.error, ${person('u')} AS "undoneBy", o.restored, o.passed_over AS "skipped",
    o.undone_at AS "undoneAt", o.created_at AS "createdAt", o.completed_at AS "completedAt"
  FROM bulk_operations o LEFT JOIN users r ON r.id = o.requested_by LEFT JOIN users u ON u.id = o.undone_by
  WHERE o.org_id = $1`;

/** Returns a page of operations, newest first: ids ascend with time. */
export async function listOperations(
  db: Db,
  orgId: string,
  { beforeId, limit }: { beforeId: string | null; limit: number },
): Promise<OperationRow[]> {
  const { rows } = await db.query<OperationRow>({
    name: 'bulk_operations_list',
    text: `${select} AND ($2::text IS NULL OR o.id < $2) ORDER BY o.id DESC LIMIT $3`,
    values: [orgId, beforeId, limit],
  });
  return rows;
}

export async function findOperation(db: Db, orgId: string, id: string): Promise<OperationRow | undefined> {
  const { rows } = await db.query<OperationRow>({
    name: 'bulk_operation_find',
    text: `${select} AND o.id = $2`,
    values: [orgId, id],
  });
  return rows[0];
}

/** An operation in progress. `asOf` has microsecond precision; `cursor` is the last finding processed. */
export type OperationWork = {
  id: string;
  status: OperationStatus;
  change: ChangeInput;
  filter: FilterInput | null;
  asOf: string;
  /** `asOf` with millisecond precision: relative times in the filters refer to it. */
  asOfTime: Date;
  cursor: string;
  requestedBy: string | null;
  undoneBy: string | null;
  updated: number;
  isUndoable: boolean;
};

/** Locks an operation until the transaction ends. Call it before locking any finding. */
export async function lockOperation(tx: Db, orgId: string, id: string): Promise<OperationWork | undefined> {
  const { rows } = await tx.query<OperationWork>({
    name: 'bulk_operation_lock',
    text: `SELECT id, status, change, filter, as_of::text AS "asOf", as_of AS "asOfTime", cursor, requested_by AS "requestedBy",
             undone_by AS "undoneBy", updated, updated > 0 AND status IN ('completed', 'failed')
               AND completed_at > clock_timestamp() - $3 * interval '1 hour' AS "isUndoable"
           FROM bulk_operations WHERE org_id = $1 AND id = $2 FOR UPDATE`,
    values: [orgId, id, undoHours],
  });
  return rows[0];
}

export type NewOperation = {
  id: string;
  requestedBy: string;
  change: ChangeInput;
  filter: FilterInput | null;
  asOf: string;
  matched: number;
};

export async function insertOperation(tx: Db, orgId: string, operation: NewOperation): Promise<void> {
  const { id, requestedBy, change, filter, asOf, matched } = operation;
  await tx.query({
    name: 'bulk_operation_insert',
    text: `INSERT INTO bulk_operations (org_id, id, requested_by, change, filter, as_of, matched)
           VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    values: [orgId, id, requestedBy, JSON.stringify(change), filter && JSON.stringify(filter), asOf, matched],
  });
}

export async function countUnfinished(tx: Db, orgId: string): Promise<number> {
  const { rows } = await tx.query<{ count: number }>({
    name: 'bulk_operations_count_unfinished',
    text: `SELECT count(*)::integer AS count FROM bulk_operations
           WHERE org_id = $1 AND status IN ('queued', 'running', 'undoing')`,
    values: [orgId],
  });
  return rows[0]!.count;
}

/** Records a batch of an operation whose row is locked or was inserted in this transaction. */
export async function advanceOperation(
  tx: Db,
  orgId: string,
  id: string,
  { processed, updated, cursor, ended }: { processed: number; updated: number; cursor: string; ended: boolean },
): Promise<void> {
  await tx.query({
    name: ended ? 'bulk_operation_complete' : 'bulk_operation_advance',
    text: `UPDATE bulk_operations SET processed = processed + $3, updated = updated + $4, cursor = $5,
             ${ended ? `status = 'completed', completed_at = statement_timestamp()` : `status = 'running'`},
             updated_at = statement_timestamp()
           WHERE org_id = $1 AND id = $2 AND status IN ('queued', 'running')`,
    values: [orgId, id, processed, updated, cursor],
  });
}

/** Starts the undo of an operation whose row is locked and that can be undone. */
export async function beginUndo(tx: Db, orgId: string, id: string, userId: string): Promise<void> {
  await tx.query({
    name: 'bulk_operation_begin_undo',
    text: `UPDATE bulk_operations SET status = 'undoing', undone_by = $3, failures = 0, updated_at = statement_timestamp()
           WHERE org_id = $1 AND id = $2`,
    values: [orgId, id, userId],
  });
}

export async function advanceUndo(
  tx: Db,
  orgId: string,
  id: string,
  { restored, skipped, ended }: { restored: number; skipped: number; ended: boolean },
): Promise<void> {
  await tx.query({
    name: ended ? 'bulk_operation_end_undo' : 'bulk_operation_advance_undo',
    text: `UPDATE bulk_operations SET restored = restored + $3, passed_over = passed_over + $4,
             ${ended ? `status = 'undone', undone_at = statement_timestamp(),` : ''} updated_at = statement_timestamp()
           WHERE org_id = $1 AND id = $2 AND status = 'undoing'`,
    values: [orgId, id, restored, skipped],
  });
}

/** Counts a failed attempt. After `maxFailures` the operation ends; an undo can then be retried. */
export async function recordFailure(
  tx: Db,
  orgId: string,
  id: string,
  { maxFailures, error }: { maxFailures: number; error: string },
): Promise<boolean> {
  const { rows } = await tx.query<{ ended: boolean }>({
    name: 'bulk_operation_record_failure',
    text: `UPDATE bulk_operations SET failures = failures + 1,
             status = CASE WHEN failures + 1 >= $3 THEN 'failed' ELSE status END,
             error = CASE WHEN failures + 1 >= $3 THEN $4 ELSE error END,
             updated_at = statement_timestamp()
           WHERE org_id = $1 AND id = $2 AND status IN ('queued', 'running', 'undoing')
           RETURNING status = 'failed' AS ended`,
    values: [orgId, id, maxFailures, error],
  });
  if (rows[0]?.ended) {
    await tx.query({
      name: 'bulk_operation_fail',
      text: `UPDATE bulk_operations SET completed_at = statement_timestamp()
             WHERE org_id = $1 AND id = $2 AND completed_at IS NULL`,
      values: [orgId, id],
    });
  }
  return rows[0]?.ended ?? true;
}

/** Lists unfinished operations of all organizations that have no job. */
export async function listOperationsWithoutJob(db: Db): Promise<Array<{ orgId: string; id: string }>> {
  const { rows } = await db.query<{ orgId: string; id: string }>({
    text: 'SELECT org_id AS "orgId", id FROM bulk_operations_without_job()',
  });
  return rows;
}

/** Removes expired undo records and old operations of all organizations. Returns whether any are left. */
export async function purgeOperations(db: Db): Promise<boolean> {
  const maxRemoved = 20_000;
  const { rows } = await db.query<{ removed: number }>({
    text: `SELECT purge_bulk_operations(clock_timestamp() - $1 * interval '1 hour',
             clock_timestamp() - $2 * interval '1 day', $3)::integer AS removed`,
    values: [undoHours, keptDays, maxRemoved],
  });
  return rows[0]!.removed >= maxRemoved;
}

/** Deletes an operation that changed nothing. */
export async function deleteOperation(tx: Db, orgId: string, id: string): Promise<void> {
  await tx.query({
    name: 'bulk_operation_delete',
    text: 'DELETE FROM bulk_operations WHERE org_id = $1 AND id = $2 AND updated = 0',
    values: [orgId, id],
  });
}

/** Returns the end of the given second as the database writes it, or the current time if that is earlier. */
export async function findAsOf(db: Db, asOf: Date | null): Promise<{ bound: string | null; at: Date }> {
  const { rows } = await db.query<{ bound: string | null; at: Date }>({
    name: 'bulk_operation_find_as_of',
    text: `SELECT ($1::timestamptz + interval '999999 microseconds')::text AS bound,
             coalesce(least($1::timestamptz, clock_timestamp()), clock_timestamp()) AS at`,
    values: [asOf],
  });
  return rows[0]!;
}

/** Lists unfinished operations and those that changed at or after a time. */
export async function listRecentOperations(db: Db, orgId: string, since: string, limit: number) {
  const { rows } = await db.query<OperationRow>({
    name: 'bulk_operations_list_recent',
    text: `${select} AND o.id IN (
             (SELECT id FROM bulk_operations WHERE org_id = $1 AND status IN ('queued', 'running', 'undoing') LIMIT $3)
             UNION ALL
             (SELECT id FROM bulk_operations WHERE org_id = $1 AND updated_at >= $2 ORDER BY updated_at DESC LIMIT $3))
           ORDER BY o.id`,
    values: [orgId, since, limit],
  });
  return rows;
}
