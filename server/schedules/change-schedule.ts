import type { DataSourceDeleted } from '../data-sources/delete-data-source.ts';
import { type AuditActor, recordAudit } from '../organization/audit.ts';
import { newId } from '../platform/id.ts';
import type { Db } from '../platform/postgres/database.ts';
import {
  deleteSchedule,
  insertSchedule,
  removeDataSourceFromSchedules,
  type ScheduleFields,
  type ScheduleRow,
  updateSchedule,
} from './queries.ts';

const auditState = ({ name, sources, dataSourceIds, dataSourceTags, cron, timezone, enabled }: ScheduleFields) => ({
  name,
  sources,
  data_sources: dataSourceIds,
  data_source_tags: dataSourceTags,
  cron,
  timezone,
  enabled,
});

/** Creates a schedule from validated fields and returns its id. */
export async function createSchedule(tx: Db, orgId: string, fields: ScheduleFields, by: AuditActor): Promise<string> {
  const id = newId('sch');
  await insertSchedule(tx, orgId, id, fields);
  const target = { id, name: fields.name };
  await recordAudit(tx, orgId, { actor: by, action: 'scan_schedule.created', target, after: auditState(fields) });
  return id;
}

/** Updates a schedule whose row is locked with validated fields. */
export async function changeSchedule(
  tx: Db,
  orgId: string,
  before: ScheduleRow,
  fields: ScheduleFields,
  by: AuditActor,
): Promise<void> {
  await updateSchedule(tx, orgId, before.id, fields);
  await recordAudit(tx, orgId, {
    actor: by,
    action: 'scan_schedule.updated',
    target: { id: before.id, name: fields.name },
    before: auditState(before),
    after: auditState(fields),
  });
}

/** Deletes a schedule whose row is locked. The scans that it started are kept. */
export async function removeSchedule(tx: Db, orgId: string, row: ScheduleRow, by: AuditActor): Promise<void> {
  await deleteSchedule(tx, orgId, row.id);
  const target = { id: row.id, name: row.name };
  await recordAudit(tx, orgId, { actor: by, action: 'scan_schedule.deleted', target, before: auditState(row) });
}

export const schedulesOnDataSourceDeleted: DataSourceDeleted = removeDataSourceFromSchedules;
