import type { Db } from '../platform/postgres/database.ts';
import type { Timetable } from './next-run.ts';

/** The table of each kind of schedule, with the assignment of what a due time has created; $3 are its ids. */
const kinds = {
  scan: {
    table: 'scan_schedules',
    made: `last_scan_ids = CASE WHEN $3::text[] = '{}' THEN last_scan_ids ELSE $3 END`,
  },
  report: { table: 'scheduled_reports', made: 'last_report_id = COALESCE(($3::text[])[1], last_report_id)' },
} as const;

export type ScheduleKind = keyof typeof kinds;
type DueSchedule = { kind: ScheduleKind; orgId: string; id: string };

/** Returns the due schedules of all organizations, at most `limit` of each kind, longest due first. */
export async function listDue(db: Db, limit: number): Promise<DueSchedule[]> {
  const { rows } = await db.query<DueSchedule>({
    name: 'schedules_due',
    text: 'SELECT kind, org_id AS "orgId", id FROM due_schedules($1)',
    values: [limit],
  });
  return rows;
}

/** Returns the time of the database: its clock decides what is due, on every node. */
export async function findTime(db: Db): Promise<Date> {
  const { rows } = await db.query<{ now: Date }>({ name: 'time_find', text: 'SELECT clock_timestamp() AS now' });
  return rows[0]!.now;
}

export type Due = Timetable & {
  now: Date;
  /** False if the row is not due, but its due time was computed before the clock was set back. */
  isDue: boolean;
};

/**
 * Locks a row from `listDue` and returns its timetable; undefined if another node has locked it or has already
 * processed it.
 */
export async function lockDue(tx: Db, orgId: string, kind: ScheduleKind, id: string): Promise<Due | undefined> {
  const { table } = kinds[kind];
  const { rows } = await tx.query<Due>({
    name: `${table}_lock_due`,
    text: `SELECT cron, timezone, clock_timestamp() AS now, next_run_at <= clock_timestamp() AS "isDue" FROM ${table}
           WHERE org_id = $1 AND id = $2 AND next_run_at IS NOT NULL
             AND (next_run_at <= clock_timestamp() OR next_run_from > clock_timestamp()) FOR UPDATE SKIP LOCKED`,
    values: [orgId, id],
  });
  return rows[0];
}

/** Stores the next due time, which was computed from `from`. */
export async function updateNextRun(
  tx: Db,
  orgId: string,
  kind: ScheduleKind,
  id: string,
  { nextRunAt, from }: { nextRunAt: Date | null; from: Date },
): Promise<void> {
  const { table } = kinds[kind];
  await tx.query({
    name: `${table}_update_next_run`,
    text: `UPDATE ${table} SET next_run_at = $3, next_run_from = $4 WHERE org_id = $1 AND id = $2`,
    values: [orgId, id, nextRunAt, from],
  });
}

/** Stores the result of a due time: the ids of the created scans or report, and the error. */
export async function updateRun(
  tx: Db,
  orgId: string,
  kind: ScheduleKind,
  id: string,
  run: { madeIds: string[]; error: string | null },
): Promise<void> {
  const { table, made } = kinds[kind];
  await tx.query({
    name: `${table}_update_run`,
    text: `UPDATE ${table} SET last_run_at = statement_timestamp(), ${made}, last_error = $4
           WHERE org_id = $1 AND id = $2`,
    values: [orgId, id, run.madeIds, run.error],
  });
}

/**
 * Returns the number of schedules of all organizations that are ten minutes late or more, and the delay of the oldest.
 */
export async function findOverdue(db: Db): Promise<{ overdue: number; oldestSeconds: number | null }> {
  const { rows } = await db.query<{ overdue: number; oldestSeconds: number | null }>({
    name: 'schedules_overdue',
    text: 'SELECT overdue::float8 AS overdue, oldest_seconds AS "oldestSeconds" FROM overdue_schedules()',
  });
  return rows[0]!;
}
