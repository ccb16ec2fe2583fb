import type { Db } from '../../platform/postgres/database.ts';
import { headOf, type StoredHead } from '../queries.ts';
import type { ReportHead } from '../report-model.ts';
import type { ReportFormatName } from '../writers/index.ts';
import type { ExportKey } from './export-queries.ts';

/** Returns the recipients who have not been mailed a report in this format yet. */
export async function listPendingRecipients(
  tx: Db,
  orgId: string,
  { reportId, format }: ExportKey,
): Promise<Array<{ recipient: string; attempts: number }>> {
  const { rows } = await tx.query<{ recipient: string; attempts: number }>({
    name: 'report_deliveries_list_pending',
    text: `SELECT d.recipient, d.attempts
           FROM report_deliveries d JOIN reports r ON r.org_id = d.org_id AND r.id = d.report_id
           WHERE d.org_id = $1 AND d.report_id = $2 AND d.status = 'pending' AND r.mail_format = $3
           ORDER BY d.recipient`,
    values: [orgId, reportId, format],
  });
  return rows;
}

/** Identifies one mail: a report and a recipient. */
export type DeliveryKey = { reportId: string; recipient: string };

/** Returns how often a mail has failed and the last error; undefined if there is nothing left to do. */
export async function findPendingDelivery(
  tx: Db,
  orgId: string,
  { reportId, recipient }: DeliveryKey,
): Promise<{ attempts: number; error: string | null } | undefined> {
  const { rows } = await tx.query<{ attempts: number; error: string | null }>({
    name: 'report_delivery_find_pending',
    text: `SELECT attempts, error FROM report_deliveries
           WHERE org_id = $1 AND report_id = $2 AND recipient = $3 AND status = 'pending'`,
    values: [orgId, reportId, recipient],
  });
  return rows[0];
}

/** A mail of a report. */
export type DeliveryRow = DeliveryKey & {
  status: 'pending' | 'sent' | 'failed';
  attempts: number;
  error: string | null;
  createdAt: Date;
  sentAt: Date | null;
};

/** Returns the mails of the reports that a scheduled report created: newest report first, then by recipient. */
export async function listDeliveries(
  tx: Db,
  orgId: string,
  scheduledReportId: string,
  { after, limit }: { after: DeliveryKey | null; limit: number },
): Promise<DeliveryRow[]> {
  const { rows } = await tx.query<DeliveryRow>({
    name: 'report_deliveries_list',
    text: `SELECT d.report_id AS "reportId", d.recipient, d.status, d.attempts, d.error, r.created_at AS "createdAt",
             d.sent_at AS "sentAt"
           FROM reports r
           CROSS JOIN LATERAL (SELECT * FROM report_deliveries
             WHERE org_id = $1 AND report_id = r.id AND (r.id IS DISTINCT FROM $3 OR recipient > $4)
             ORDER BY recipient LIMIT $5) d
           WHERE r.org_id = $1 AND r.scheduled_report_id = $2 AND ($3::text IS NULL OR r.id <= $3)
           ORDER BY r.id DESC, d.recipient LIMIT $5`,
    values: [orgId, scheduledReportId, after?.reportId ?? null, after?.recipient ?? null, limit],
  });
  return rows;
}

export async function completeDelivery(tx: Db, orgId: string, { reportId, recipient }: DeliveryKey): Promise<void> {
  await tx.query({
    name: 'report_delivery_complete',
    text: `UPDATE report_deliveries SET status = 'sent', attempts = attempts + 1, error = NULL, sent_at = statement_timestamp()
           WHERE org_id = $1 AND report_id = $2 AND recipient = $3 AND status = 'pending'`,
    values: [orgId, reportId, recipient],
  });
}

/** Counts a failed attempt and stores its error; `last` makes the failure final. */
export async function failDelivery(
  tx: Db,
  orgId: string,
  { reportId, recipient }: DeliveryKey,
  { error, last }: { error: string; last: boolean },
): Promise<void> {
  await tx.query({
    name: 'report_delivery_fail',
    text: `UPDATE report_deliveries SET error = $4, attempts = attempts + 1, status = CASE WHEN $5 THEN 'failed' ELSE status END
           WHERE org_id = $1 AND report_id = $2 AND recipient = $3 AND status = 'pending'`,
    values: [orgId, reportId, recipient, error, last],
  });
}

/** The content of a report's mails. */
export type DeliveredReport = {
  head: ReportHead;
  format: ReportFormatName;
  /** Whether the report comes from a scheduled report that has since been deleted. */
  unscheduled: boolean;
  /** The creator, if they are still a member. */
  creator: { name: string; email: string } | null;
};

/** Returns the report; undefined if it is not ready or has no mail format. */
export async function findDeliveredReport(db: Db, orgId: string, id: string): Promise<DeliveredReport | undefined> {
  const { rows } = await db.query<Omit<DeliveredReport, 'head'> & StoredHead>({
    name: 'report_delivered_find',
    text: `SELECT r.head, r.snapshot_sha256 AS "snapshotSha256", r.mail_format AS format, r.scheduled_report_id IS NOT NULL AND s.id IS NULL AS unscheduled,
             CASE WHEN m.user_id IS NOT NULL THEN json_build_object('name', u.name, 'email', u.email) END AS creator
           FROM reports r
           LEFT JOIN scheduled_reports s ON s.org_id = r.org_id AND s.id = r.scheduled_report_id
           LEFT JOIN members m ON m.org_id = r.org_id AND m.user_id = r.created_by
           LEFT JOIN users u ON u.id = m.user_id
           WHERE r.org_id = $1 AND r.id = $2 AND r.status = 'ready' AND r.mail_format IS NOT NULL`,
    values: [orgId, id],
  });
  if (!rows[0]) return undefined;
  const { head, snapshotSha256, ...others } = rows[0];
  return { ...others, head: headOf({ head, snapshotSha256 }) };
}
