import type { Db } from '../platform/postgres/database.ts';
import type { ReportDocument, ReportTemplate } from '../reports/report-document.ts';
import type { ReportFilters } from '../reports/report-filters.ts';
import type { ReportFormatName } from '../reports/writers/index.ts';
import type { RunningTimetable } from './merge-timetable.ts';

/** The editable fields of a scheduled report. */
export type ScheduledReportFields = RunningTimetable & {
  title: string;
  filters: ReportFilters;
  format: ReportFormatName;
  template: ReportTemplate;
  document: ReportDocument;
  recipients: string[];
};

/** The unsent mails of the last report, with their last errors. */
export type UndeliveredMails = {
  count: number;
  /** The first few mails, by address. */
  mails: Array<{ recipient: string; status: 'pending' | 'failed'; attempts: number; error: string }>;
};

export type ScheduledReportRow = ScheduledReportFields & {
  id: string;
  lastRunAt: Date | null;
  /** Null if that report was deleted. */
  lastReportId: string | null;
  /** Why the last due time created no report. */
  lastError: string | null;
  /** Why the last report failed. */
  reportError: string | null;
  undelivered: UndeliveredMails;
  createdById: string;
  createdBy: { id: string; name: string } | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
};

const select = `SELECT s.id, s.title, s.filters, s.cron, s.timezone, s.format, s.template, s.document, s.recipients, s.enabled,
    s.next_run_at AS "nextRunAt", s.next_run_from AS "nextRunFrom", s.last_run_at AS "lastRunAt", r.id AS "lastReportId", s.last_error AS "lastError",
    CASE WHEN r.status = 'failed' THEN r.error END AS "reportError",
    (SELECT json_build_object('count', count(*), 'mails', COALESCE(json_agg(d) FILTER (WHERE d.place <= 3), '[]'))
     FROM (SELECT recipient, status, attempts, error, row_number() OVER (ORDER BY recipient) AS place
           FROM report_deliveries
           WHERE org_id = s.org_id AND report_id = r.id AND status <> 'sent' AND error IS NOT NULL
           ORDER BY recipient) d) AS undelivered,
    s.created_by AS "createdById",
    CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'name', u.name) END AS "createdBy",
    s.version, s.created_at AS "createdAt", s.updated_at AS "updatedAt"
  FROM scheduled_reports s
  LEFT JOIN reports r ON r.org_id = s.org_id AND r.id = s.last_report_id
  LEFT JOIN users u ON u.id = s.created_by
  WHERE s.org_id = $1`;

/** Returns a page of scheduled reports, newest first: ids ascend with time. */
export async function listScheduledReports(
  db: Db,
  orgId: string,
  beforeId: string | null,
  limit: number,
): Promise<ScheduledReportRow[]> {
  const { rows } = await db.query<ScheduledReportRow>({
    name: 'scheduled_reports_list',
    text: `${select} AND ($2::text IS NULL OR s.id < $2) ORDER BY s.id DESC LIMIT $3`,
    values: [orgId, beforeId, limit],
  });
  return rows;
}

export async function findScheduledReport(db: Db, orgId: string, id: string): Promise<ScheduledReportRow | undefined> {
  const { rows } = await db.query<ScheduledReportRow>({
    name: 'scheduled_report_find',
    text: `${select} AND s.id = $2`,
    values: [orgId, id],
  });
  return rows[0];
}

/** Returns the scheduled report and locks it until the transaction ends; undefined if there is none. */
export async function lockScheduledReport(tx: Db, orgId: string, id: string): Promise<ScheduledReportRow | undefined> {
  const { rows } = await tx.query<ScheduledReportRow>({
    name: 'scheduled_report_lock',
    text: `${select} AND s.id = $2 FOR UPDATE OF s`,
    values: [orgId, id],
  });
  return rows[0];
}

const valuesOf = (orgId: string, id: string, fields: ScheduledReportFields) => [
  orgId,
  id,
  fields.title,
  JSON.stringify(fields.filters),
  fields.format,
  fields.recipients,
  fields.cron,
  fields.timezone,
  fields.enabled,
  fields.nextRunAt,
  fields.nextRunFrom,
  fields.template,
  JSON.stringify(fields.document),
];

export async function countScheduledReports(tx: Db, orgId: string): Promise<number> {
  const { rows } = await tx.query<{ count: number }>({
    name: 'scheduled_reports_count',
    text: 'SELECT count(*)::integer AS count FROM scheduled_reports WHERE org_id = $1',
    values: [orgId],
  });
  return rows[0]!.count;
}

export async function insertScheduledReport(
  tx: Db,
  orgId: string,
  id: string,
  fields: ScheduledReportFields,
  createdBy: string,
): Promise<void> {
  await tx.query({
    name: 'scheduled_report_insert',
    text: `INSERT INTO scheduled_reports
             (org_id, id, title, filters, format, recipients, cron, timezone, enabled, next_run_at, next_run_from, template,
              document, created_by)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    values: [...valuesOf(orgId, id, fields), createdBy],
  });
}

/** Updates the editable fields of a scheduled report whose row is locked. */
export async function updateScheduledReport(
  tx: Db,
  orgId: string,
  id: string,
  fields: ScheduledReportFields,
): Promise<void> {
  await tx.query({
    name: 'scheduled_report_update',
    text: `UPDATE scheduled_reports SET title = $3, filters = $4, format = $5, recipients = $6, cron = $7, timezone = $8,
             enabled = $9, next_run_at = $10, next_run_from = $11, template = $12, document = $13, version = version + 1, updated_at = statement_timestamp()
           WHERE org_id = $1 AND id = $2`,
    values: valuesOf(orgId, id, fields),
  });
}

export async function deleteScheduledReport(tx: Db, orgId: string, id: string): Promise<void> {
  await tx.query({ text: 'DELETE FROM scheduled_reports WHERE org_id = $1 AND id = $2', values: [orgId, id] });
}
