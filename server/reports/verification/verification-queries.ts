import type { Db } from '../../platform/postgres/database.ts';

export async function findOrganizationOfReport(tx: Db, reportId: string): Promise<string | null> {
  const { rows } = await tx.query<{ orgId: string | null }>({
    text: 'SELECT organization_of_report($1) AS "orgId"',
    values: [reportId],
  });
  return rows[0]!.orgId;
}

export type StoredReport = {
  title: string;
  organization: string;
  completedAt: Date;
  /** The head, exactly as it was stored. */
  text: string;
  snapshotSha256: Buffer | null;
};

/** Returns a ready report; undefined if there is none. */
export async function findStoredReport(tx: Db, orgId: string, id: string): Promise<StoredReport | undefined> {
  const { rows } = await tx.query<StoredReport>({
    text: `SELECT r.title, o.name AS organization, r.completed_at AS "completedAt", r.head::text AS text,
             r.snapshot_sha256 AS "snapshotSha256"
           FROM reports r JOIN organizations o ON o.id = r.org_id
           WHERE r.org_id = $1 AND r.id = $2 AND r.status = 'ready'`,
    values: [orgId, id],
  });
  return rows[0];
}

/** Returns whether a file with this hash is an export of the report in this format, as Assay rendered it. */
export async function isRenderedExport(
  tx: Db,
  orgId: string,
  { reportId, format, sha256 }: { reportId: string; format: string; sha256: Buffer },
): Promise<boolean> {
  const { rows } = await tx.query<{ found: boolean }>({
    text: `SELECT EXISTS (SELECT FROM report_exports WHERE org_id = $1 AND report_id = $2
             AND split_part(format, ';', 1) = $3 AND status = 'ready' AND sha256 = $4) AS found`,
    values: [orgId, reportId, format, sha256],
  });
  return rows[0]!.found;
}
