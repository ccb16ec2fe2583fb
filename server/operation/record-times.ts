import type { Db } from '../platform/postgres/database.ts';

/**
 * The times at which something happened, in the tables of organizations. Times that may lie in the future by themselves, when
 * something ends or is due, are not among them, nor is the audit log, which nobody changes.
 */
export const recordedTimes: Readonly<Record<string, readonly string[]>> = {
  organizations: ['created_at'],
  members: ['joined_at', 'last_active_at'],
  invitations: ['created_at'],
  api_tokens: ['created_at', 'last_used_at'],
  data_sources: ['created_at', 'last_scanned_at', 'deleted_at'],
  push_sources: ['created_at'],
  finding_coverage: ['started_at', 'last_seen_at'],
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

/** Sets the times of a table after `bound` to the present. Returns the number of rows. */
export async function moveRecordedTimes(
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
