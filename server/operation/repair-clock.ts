import { setTimeout as delay } from 'node:timers/promises';
import { beginRepair, findingsPerBatch, repairBatch, repairLastSeen } from '../findings/clock/repair-findings.ts';
import type { RepairBounds } from '../findings/clock/repair-queries.ts';
import { errorCode } from '../platform/errors.ts';
import { inEachCell } from '../platform/postgres/cells/cell-database.ts';
import type { Database, Db } from '../platform/postgres/database.ts';

/**
 * The times at which something happened, in the tables of organizations. Times that are normally in the future, such as
 * ends and due dates, are excluded, and so is the audit log, which nobody changes.
 */
export const recordedTimes: Readonly<Record<string, readonly string[]>> = {
  organizations: ['created_at'],
  members: ['joined_at', 'last_active_at'],
  invitations: ['created_at'],
  api_tokens: ['created_at', 'last_used_at'],
  data_sources: ['created_at', 'last_scanned_at', 'deleted_at'],
  push_sources: ['created_at'],
  finding_coverage: ['started_at', 'last_seen_at', 'complete_at'],
  finding_comments: ['created_at', 'edited_at', 'deleted_at'],
  finding_views: ['created_at', 'updated_at'],
  finding_recomputations: ['started_at'],
  exploitation_recomputations: ['started_at'],
  bulk_operations: ['created_at', 'updated_at', 'completed_at', 'undone_at'],
  scans: ['created_at', 'started_at', 'completed_at'],
  scan_targets: ['heartbeat_at', 'started_at', 'completed_at', 'first_failed_at'],
  import_batches: ['created_at'],
  reports: ['created_at', 'completed_at'],
  report_exports: ['created_at', 'completed_at'],
  report_deliveries: ['sent_at'],
  scan_schedules: ['created_at', 'updated_at', 'last_run_at'],
  scheduled_reports: ['created_at', 'updated_at', 'last_run_at'],
};

/** Sets the times of a table after `bound` to the current time. Returns the number of rows. */
async function moveRecordedTimes(
  tx: Db,
  orgId: string,
  table: string,
  columns: readonly string[],
  bound: string,
): Promise<number> {
  const own = table === 'organizations' ? 'id' : 'org_id';
  const set = columns.map(
    (column) => `${column} = CASE WHEN ${column} > $2::timestamptz THEN now() ELSE ${column} END`,
  );
  const { rowCount } = await tx.query({
    name: `${table}_move_times`,
    text: `UPDATE ${table} SET ${set.join(', ')}
           WHERE ${own} = $1 AND (${columns.map((column) => `${column} > $2::timestamptz`).join(' OR ')})`,
    values: [orgId, bound],
  });
  return rowCount;
}

export type RepairedOrganization = { organization: string; findings: number; records: number };

/** A lock timeout or a deadlock: the transaction is retried. */
const isBlocked = (error: unknown) => ['55P03', '40P01'].includes(errorCode(error) ?? '');
const maxTries = 60;
const pauseMs = 1_000;

async function insist<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      if (!isBlocked(error) || tries === maxTries) throw error;
      await delay(pauseMs);
    }
  }
}

async function repairRecords(database: Database, orgId: string, bounds: RepairBounds): Promise<number> {
  let records = 0;
  for (const [table, columns] of Object.entries(recordedTimes)) {
    records += await insist(() =>
      database.transaction(orgId, (tx) => moveRecordedTimes(tx, orgId, table, columns, bounds.bound)),
    );
  }
  return records;
}

/**
 * Repairs times of an organization that are more than a minute in the future because the clock was ahead and has been
 * set back. The service may run meanwhile. Safe to interrupt and to run again.
 */
export async function repairOrganization(
  database: Database,
  orgId: string,
  limit = findingsPerBatch,
): Promise<RepairedOrganization> {
  const bounds = await insist(() => beginRepair(database, orgId));
  let findings = 0;
  for (let moved = limit; moved >= limit; findings += moved) {
    moved = await insist(() => repairBatch(database, orgId, bounds, limit));
  }
  await insist(() => repairLastSeen(database, orgId, bounds));
  return { organization: orgId, findings, records: await repairRecords(database, orgId, bounds) };
}

/** Lists the ids of all organizations. */
export async function listOrganizations(database: Database): Promise<string[]> {
  const lists = await inEachCell(database, (cell) =>
    cell.single<{ id: string }>(null, { name: 'organizations_list', text: 'SELECT id FROM list_organizations()' }),
  );
  return lists.flat().map(({ id }) => id);
}
