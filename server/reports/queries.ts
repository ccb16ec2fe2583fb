import type { Db } from '../platform/postgres/database.ts';
import {
  draft,
  type ReportApproval,
  type ReportDocument,
  type ReportState,
  type ReportTemplate,
} from './report-document.ts';
import type { ReportFilters } from './report-filters.ts';
import type { ComposedHead, ReportHead, ReportSummary } from './report-model.ts';
import type { ReportFormatName } from './writers/index.ts';

type ReportStatus = 'pending' | 'ready' | 'failed';

export type ReportRow = {
  id: string;
  title: string;
  status: ReportStatus;
  error: string | null;
  filters: ReportFilters;
  template: ReportTemplate;
  document: Partial<ReportDocument>;
  compareTo: string | null;
  summary: ReportSummary | null;
  snapshotSha256: Buffer | null;
  createdBy: { id: string; name: string } | null;
  scheduledReportId: string | null;
  createdAt: Date;
  completedAt: Date | null;
  state: ReportState;
  revision: number;
  reviewed: ApprovedStep | null;
  finalized: ApprovedStep | null;
};

/** A step toward the final report: `at` is in the API's format. */
type ApprovedStep = { by: { id: string; name: string } | null; at: string };

/** SQL of a step as JSON; null if nobody has taken it. */
const step = (name: 'reviewed' | 'finalized') => `CASE WHEN r.${name}_at IS NOT NULL THEN json_build_object(
    'by', (SELECT json_build_object('id', u.id, 'name', u.name) FROM users u WHERE u.id = r.${name}_by),
    'at', to_char(r.${name}_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) END AS ${name}`;
const approval = `r.state, r.revision, ${step('reviewed')}, ${step('finalized')}`;

const select = `SELECT r.id, r.title, r.status, r.error, r.filters, r.template, r.document, r.compare_to AS "compareTo",
    r.head->'summary' AS summary, r.snapshot_sha256 AS "snapshotSha256",
    CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'name', u.name) END AS "createdBy",
    r.scheduled_report_id AS "scheduledReportId", r.created_at AS "createdAt", r.completed_at AS "completedAt", ${approval}
  FROM reports r LEFT JOIN users u ON u.id = r.created_by WHERE r.org_id = $1`;

/** Returns a page of reports, newest first: ids ascend with time. */
export async function listReports(db: Db, orgId: string, beforeId: string | null, limit: number): Promise<ReportRow[]> {
  const { rows } = await db.query<ReportRow>({
    name: 'reports_list',
    text: `${select} AND ($2::text IS NULL OR r.id < $2) ORDER BY r.id DESC LIMIT $3`,
    values: [orgId, beforeId, limit],
  });
  return rows;
}

export async function findReport(db: Db, orgId: string, id: string): Promise<ReportRow | undefined> {
  const { rows } = await db.query<ReportRow>({
    name: 'report_find',
    text: `${select} AND r.id = $2`,
    values: [orgId, id],
  });
  return rows[0];
}

export type NewReport = {
  id: string;
  title: string;
  filters: ReportFilters;
  template: ReportTemplate;
  document: ReportDocument;
  /** A ready report to compare with; reports of a schedule are compared with its last ready one. */
  compareTo: string | null;
  createdBy: string | null;
  scheduledReportId: string | null;
  mail: { format: ReportFormatName; recipients: string[] } | null;
};

export async function insertReport(tx: Db, orgId: string, report: NewReport): Promise<void> {
  await tx.query({
    name: 'report_insert',
    text: `INSERT INTO reports (org_id, id, title, filters, created_by, scheduled_report_id, mail_format, template, document, compare_to)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [
      orgId,
      report.id,
      report.title,
      JSON.stringify(report.filters),
      report.createdBy,
      report.scheduledReportId,
      report.mail?.format ?? null,
      report.template,
      JSON.stringify(report.document),
      report.compareTo,
    ],
  });
  if (!report.mail) return;
  await tx.query({
    name: 'report_deliveries_insert',
    text: `INSERT INTO report_deliveries (org_id, report_id, recipient)
           SELECT $1, $2, unnest($3::text[])`,
    values: [orgId, report.id, report.mail.recipients],
  });
}

/**
 * Moves a ready report to a state if it is in one of `from`. A step back clears the names and times of the later steps.
 * Returns false if the report is in none of these states.
 */
export async function moveReport(
  tx: Db,
  orgId: string,
  id: string,
  { to, from, by }: { to: ReportState; from: readonly ReportState[]; by: string | null },
): Promise<boolean> {
  const reviewed = (column: 'by' | 'at', value: string) =>
    `reviewed_${column} = CASE $3 WHEN 'reviewed' THEN ${value} WHEN 'final' THEN reviewed_${column} END`;
  const { rowCount } = await tx.query({
    name: 'report_move',
    text: `UPDATE reports SET state = $3, revision = revision + 1,
             ${reviewed('by', '$5::text')}, ${reviewed('at', 'statement_timestamp()')},
             finalized_by = CASE WHEN $3 = 'final' THEN $5::text END,
             finalized_at = CASE WHEN $3 = 'final' THEN statement_timestamp() END
           WHERE org_id = $1 AND id = $2 AND status = 'ready' AND state = ANY($4::text[])`,
    values: [orgId, id, to, from, by],
  });
  return rowCount === 1;
}

/**
 * Deletes a report with its snapshot, exports and mails; a final one only with `evenFinal`. Returns undefined if there
 * is none that may be deleted.
 */
export async function deleteReport(
  tx: Db,
  orgId: string,
  id: string,
  evenFinal: boolean,
): Promise<{ title: string } | undefined> {
  const { rows } = await tx.query<{ title: string }>({
    text: `DELETE FROM reports WHERE org_id = $1 AND id = $2 AND ($3 OR state <> 'final') RETURNING title`,
    values: [orgId, id, evenFinal],
  });
  if (!rows[0]) return undefined;
  await tx.query({ text: 'DELETE FROM report_batches WHERE org_id = $1 AND report_id = $2', values: [orgId, id] });
  return rows[0];
}

export type PendingReport = {
  title: string;
  filters: ReportFilters;
  template: ReportTemplate;
  document: Partial<ReportDocument>;
  compareTo: string | null;
  createdBy: string | null;
  scheduledReportId: string | null;
  mailFormat: ReportFormatName | null;
};

/** Returns a report whose snapshot is due; undefined if there is nothing left to do. */
export async function findPendingReport(tx: Db, orgId: string, id: string): Promise<PendingReport | undefined> {
  const { rows } = await tx.query<PendingReport>({
    name: 'report_find_pending',
    text: `SELECT title, filters, template, document, compare_to AS "compareTo", created_by AS "createdBy", scheduled_report_id AS "scheduledReportId", mail_format AS "mailFormat"
           FROM reports WHERE org_id = $1 AND id = $2 AND status = 'pending'`,
    values: [orgId, id],
  });
  return rows[0];
}

/** Counts a failed attempt at a snapshot and returns its number; undefined if there is nothing left to do. */
export async function countFailedSnapshot(tx: Db, orgId: string, id: string): Promise<number | undefined> {
  const { rows } = await tx.query<{ attempts: number }>({
    name: 'report_count_failure',
    text: `UPDATE reports SET attempts = attempts + 1 WHERE org_id = $1 AND id = $2 AND status = 'pending' RETURNING attempts`,
    values: [orgId, id],
  });
  return rows[0]?.attempts;
}

/**
 * Completes a snapshot in the transaction that took it; `text` is the head as JSON. Returns false if the report is no
 * longer pending.
 */
export async function completeReport(
  tx: Db,
  orgId: string,
  id: string,
  { head, text, sha256 }: { head: ComposedHead; text: string; sha256: Buffer },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'report_complete',
    text: `UPDATE reports SET status = 'ready', head = $3, snapshot_sha256 = $5, compare_to = COALESCE($4, compare_to),
             completed_at = statement_timestamp()
           WHERE org_id = $1 AND id = $2 AND status = 'pending'`,
    values: [orgId, id, text, head.analysis?.comparison?.report.id ?? null, sha256],
  });
  return rowCount === 1;
}

export async function failReport(tx: Db, orgId: string, id: string, error: string): Promise<void> {
  await tx.query({
    name: 'report_fail',
    text: `UPDATE reports SET status = 'failed', error = $3, completed_at = statement_timestamp()
           WHERE org_id = $1 AND id = $2 AND status = 'pending'`,
    values: [orgId, id, error],
  });
}

export type StoredHead = { head: ComposedHead; snapshotSha256: Buffer };

/** Returns the head of a report in the draft state. */
export const headOf = ({ head, snapshotSha256 }: StoredHead): ReportHead => ({
  ...head,
  snapshot_sha256: snapshotSha256.toString('hex'),
  approval: draft,
});

type FoundHead = { head: ReportHead; mailFormat: ReportFormatName | null; revision: number; approval: ReportApproval };

/** Returns the head of a ready report: everything except its findings. */
export async function findHead(db: Db, orgId: string, id: string): Promise<FoundHead | undefined> {
  const { rows } = await db.query<
    StoredHead & Pick<ReportRow, 'state' | 'revision' | 'reviewed' | 'finalized'> & Pick<FoundHead, 'mailFormat'>
  >({
    name: 'report_head_find',
    text: `SELECT r.head, r.snapshot_sha256 AS "snapshotSha256", r.mail_format AS "mailFormat", ${approval}
           FROM reports r WHERE r.org_id = $1 AND r.id = $2 AND r.status = 'ready'`,
    values: [orgId, id],
  });
  if (!rows[0]) return undefined;
  const { mailFormat, revision, state, ...row } = rows[0];
  const named = (step: ApprovedStep | null) => step && { name: step.by?.name ?? '', at: step.at };
  const steps = { reviewed: named(row.reviewed), finalized: named(row.finalized) };
  return { mailFormat, revision, head: headOf(row), approval: { state, ...steps } };
}

/** Returns the head of the previous report of a schedule. */
export async function findPreviousHead(
  db: Db,
  orgId: string,
  scheduledReportId: string,
  beforeId: string,
): Promise<ReportHead | undefined> {
  const { rows } = await db.query<StoredHead>({
    name: 'report_previous_find',
    text: `SELECT head, snapshot_sha256 AS "snapshotSha256" FROM reports
           WHERE org_id = $1 AND scheduled_report_id = $2 AND id < $3 AND status = 'ready' ORDER BY id DESC LIMIT 1`,
    values: [orgId, scheduledReportId, beforeId],
  });
  return rows[0] && headOf(rows[0]);
}

export async function insertBatch(
  tx: Db,
  orgId: string,
  reportId: string,
  sequence: number,
  findings: Uint8Array,
): Promise<void> {
  await tx.query({
    name: 'report_batch_insert',
    text: 'INSERT INTO report_batches (org_id, report_id, sequence, findings) VALUES ($1, $2, $3, $4)',
    values: [orgId, reportId, sequence, findings],
  });
}

/** Returns the batches of a snapshot from `from` on, in order. */
export async function listBatches(
  db: Db,
  orgId: string,
  reportId: string,
  from: number,
  limit: number,
): Promise<Buffer[]> {
  const { rows } = await db.query<{ findings: Buffer }>({
    name: 'report_batches_list',
    text: `SELECT findings FROM report_batches WHERE org_id = $1 AND report_id = $2 AND sequence >= $3
           ORDER BY sequence LIMIT $4`,
    values: [orgId, reportId, from, limit],
  });
  return rows.map((row) => row.findings);
}

/** A snapshot (of a report), an export (with its format) or a mail (with its recipient). */
export type ReportWork = { orgId: string; reportId: string; format: string | null; recipient: string | null };

/** Returns unfinished work on the reports of all organizations that has no job. */
export async function listReportWorkWithoutJob(db: Db): Promise<ReportWork[]> {
  const { rows } = await db.query<ReportWork>({
    text: 'SELECT org_id AS "orgId", report_id AS "reportId", format, recipient FROM report_work_without_job()',
  });
  return rows;
}

/** Lists the newest pending reports, and those completed at or after a time. */
export async function listRecentReports(db: Db, orgId: string, since: string, limit: number): Promise<ReportRow[]> {
  const { rows } = await db.query<ReportRow>({
    name: 'reports_list_recent',
    text: `${select} AND r.id IN (
             (SELECT id FROM reports WHERE org_id = $1 AND status = 'pending' ORDER BY id DESC LIMIT $3)
             UNION ALL
             (SELECT id FROM reports WHERE org_id = $1 AND completed_at >= $2 ORDER BY completed_at DESC LIMIT $3))
           ORDER BY r.id`,
    values: [orgId, since, limit],
  });
  return rows;
}
