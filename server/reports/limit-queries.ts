import type { Db } from '../platform/postgres/database.ts';

/** Counts the reports that people requested; scheduled reports are not limited. */
export async function countRequestedReports(tx: Db, orgId: string): Promise<number> {
  const { rows } = await tx.query<{ count: number }>({
    name: 'requested_reports_count',
    text: 'SELECT count(*)::integer AS count FROM reports WHERE org_id = $1 AND scheduled_report_id IS NULL',
    values: [orgId],
  });
  return rows[0]!.count;
}
