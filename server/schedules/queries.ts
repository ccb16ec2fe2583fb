import type { Db } from '../platform/postgres/database.ts';

export type ScheduleRow = {
  id: string;
  name: string;
  /** Types of detection sources; null for all that can run when it is due. */
  sources: string[] | null;
  /** Null for all that the sources support, unless there are tags. */
  dataSourceIds: string[] | null;
  /** Tags of data sources to scan besides those in `dataSourceIds`. */
  dataSourceTags: string[] | null;
  cron: string;
  timezone: string;
  enabled: boolean;
  nextRunAt: Date | null;
  /** The time from which `nextRunAt` was computed. */
  nextRunFrom: Date;
  lastRunAt: Date | null;
  lastScanIds: string[];
  lastError: string | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
};

const columns = `id, name, sources, data_source_ids AS "dataSourceIds", data_source_tags AS "dataSourceTags", cron, timezone, enabled, next_run_at AS "nextRunAt",
  next_run_from AS "nextRunFrom",
  last_run_at AS "lastRunAt", last_scan_ids AS "lastScanIds", last_error AS "lastError", version,
  created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Returns a page of schedules, newest first: ids ascend with time. */
export async function listSchedules(
  db: Db,
  orgId: string,
  beforeId: string | null,
  limit: number,
): Promise<ScheduleRow[]> {
  const { rows } = await db.query<ScheduleRow>({
    name: 'schedules_list',
    text: `SELECT ${columns} FROM scan_schedules WHERE org_id = $1 AND ($2::text IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
    values: [orgId, beforeId, limit],
  });
  return rows;
}

export async function findSchedule(db: Db, orgId: string, id: string): Promise<ScheduleRow | undefined> {
  const { rows } = await db.query<ScheduleRow>({
    name: 'schedule_find',
    text: `SELECT ${columns} FROM scan_schedules WHERE org_id = $1 AND id = $2`,
    values: [orgId, id],
  });
  return rows[0];
}

/** Returns the schedule and locks it until the transaction ends; undefined if there is none. */
export async function lockSchedule(tx: Db, orgId: string, id: string): Promise<ScheduleRow | undefined> {
  const { rows } = await tx.query<ScheduleRow>({
    name: 'schedule_lock',
    text: `SELECT ${columns} FROM scan_schedules WHERE org_id = $1 AND id = $2 FOR UPDATE`,
    values: [orgId, id],
  });
  return rows[0];
}

export type ScheduleFields = Pick<
  ScheduleRow,
  | 'name'
  | 'sources'
  | 'dataSourceIds'
  | 'dataSourceTags'
  | 'cron'
  | 'timezone'
  | 'enabled'
  | 'nextRunAt'
  | 'nextRunFrom'
>;

const valuesOf = (orgId: string, id: string, schedule: ScheduleFields) => [
  orgId,
  id,
  schedule.name,
  schedule.sources,
  schedule.dataSourceIds,
  schedule.dataSourceTags,
  schedule.cron,
  schedule.timezone,
  schedule.enabled,
  schedule.nextRunAt,
  schedule.nextRunFrom,
];

export async function countSchedules(tx: Db, orgId: string): Promise<number> {
  const { rows } = await tx.query<{ count: number }>({
    name: 'schedules_count',
    text: 'SELECT count(*)::integer AS count FROM scan_schedules WHERE org_id = $1',
    values: [orgId],
  });
  return rows[0]!.count;
}

export async function insertSchedule(tx: Db, orgId: string, id: string, schedule: ScheduleFields): Promise<void> {
  await tx.query({
    name: 'schedule_insert',
    text: `INSERT INTO scan_schedules (org_id, id, name, sources, data_source_ids, data_source_tags, cron, timezone, enabled,
             next_run_at, next_run_from)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    values: valuesOf(orgId, id, schedule),
  });
}

/** Updates the editable fields of a schedule whose row is locked. */
export async function updateSchedule(tx: Db, orgId: string, id: string, schedule: ScheduleFields): Promise<void> {
  await tx.query({
    name: 'schedule_update',
    text: `UPDATE scan_schedules SET name = $3, sources = $4, data_source_ids = $5, data_source_tags = $6, cron = $7, timezone = $8,
             enabled = $9, next_run_at = $10, next_run_from = $11, version = version + 1, updated_at = statement_timestamp()
           WHERE org_id = $1 AND id = $2`,
    values: valuesOf(orgId, id, schedule),
  });
}

export async function deleteSchedule(tx: Db, orgId: string, id: string): Promise<void> {
  await tx.query({ text: 'DELETE FROM scan_schedules WHERE org_id = $1 AND id = $2', values: [orgId, id] });
}

/**
 * Removes a deleted data source from schedules. A schedule without another data source or tag is disabled, so that it
 * does not scan them all.
 */
export async function removeDataSourceFromSchedules(tx: Db, orgId: string, dataSourceId: string): Promise<void> {
  await tx.query({
    text: `UPDATE scan_schedules SET
             data_source_ids = CASE WHEN cardinality(data_source_ids) > 1 OR data_source_tags IS NULL
               THEN array_remove(data_source_ids, $2) END,
             version = version + 1, updated_at = statement_timestamp(),
             enabled = enabled AND (cardinality(data_source_ids) > 1 OR data_source_tags IS NOT NULL),
             next_run_at = CASE WHEN cardinality(data_source_ids) > 1 OR data_source_tags IS NOT NULL THEN next_run_at END
           WHERE org_id = $1 AND data_source_ids @> ARRAY[$2]`,
    values: [orgId, dataSourceId],
  });
}
