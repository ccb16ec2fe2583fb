import type { Db } from '../platform/postgres/database.ts';
import type { Timetable } from './next-run.ts';

/** The tables whose rows are due by a timetable: where to ask for them, and the column of what they made last. */
const tables = {
  scan_schedules: { due: 'due_scan_schedules', made: 'last_scan_id' },
  scheduled_reports: { due: 'due_scheduled_reports', made: 'last_report_id' },
} as const;

export type DueTable = keyof typeof tables;

/** Rows of all organizations whose time has come, the longest due first. */
export async function listDue(db: Db, table: DueTable, limit: number): Promise<Array<{ orgId: string; id: string }>> {
  const { rows } = await db.query<{ orgId: string; id: string }>({
    text: `SELECT org_id AS "orgId", id FROM ${tables[table].due}($1)`,
    values: [limit],
  });
  return rows;
}

/** The timetable of a row that is due, locked; undefined when another node has it or its time has not come. */
export async function lockDue(
  tx: Db,
  orgId: string,
  table: DueTable,
  id: string,
): Promise<(Timetable & { now: Date }) | undefined> {
  const { rows } = await tx.query<Timetable & { now: Date }>({
    name: `${table}_lock_due`,
    text: `SELECT cron, timezone, clock_timestamp() AS now FROM ${table}
           WHERE org_id = $1 AND id = $2 AND next_run_at <= clock_timestamp() FOR UPDATE SKIP LOCKED`,
    values: [orgId, id],
  });
  return rows[0];
}

/** Notes what a due time did: the id of what it made, or why it made nothing. */
export async function updateRun(
  tx: Db,
  orgId: string,
  table: DueTable,
  id: string,
  run: { nextRunAt: Date | null; madeId: string | null; error: string | null },
): Promise<void> {
  const { made } = tables[table];
  await tx.query({
    name: `${table}_update_run`,
    text: `UPDATE ${table} SET last_run_at = clock_timestamp(), next_run_at = $3, ${made} = COALESCE($4, ${made}), last_error = $5
           WHERE org_id = $1 AND id = $2`,
    values: [orgId, id, run.nextRunAt, run.madeId, run.error],
  });
}
