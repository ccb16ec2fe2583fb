import type { Database, Db } from '../../platform/postgres/database.ts';
import { withoutWaiting } from '../../platform/postgres/statement.ts';
import type { ExportVariant } from './variant.ts';

/** Identifies an export of a report: `format` includes its options. */
export type ExportKey = { reportId: string; format: ExportVariant };
type ExportStatus = 'pending' | 'ready' | 'failed';

/** Inserts the row of an export. Returns false if it already exists. */
export async function insertExport(tx: Db, orgId: string, { reportId, format }: ExportKey): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'report_export_insert',
    text: `INSERT INTO report_exports (org_id, report_id, format) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
    values: [orgId, reportId, format],
  });
  return rowCount === 1;
}

/** Reopens an export that failed at least `afterSeconds` ago. Returns true to the one caller that reopened it. */
export async function reopenFailedExport(
  tx: Db,
  orgId: string,
  { reportId, format }: ExportKey,
  afterSeconds: number,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'report_export_reopen',
    text: `UPDATE report_exports SET status = 'pending', completed_at = NULL, error = NULL
           WHERE org_id = $1 AND report_id = $2 AND format = $3 AND status = 'failed'
             AND completed_at < statement_timestamp() - $4 * interval '1 second'`,
    values: [orgId, reportId, format, afterSeconds],
  });
  return rowCount === 1;
}

/** Counts an attempt at rendering an export and returns its number; undefined if there is nothing left to do. */
export async function beginExport(tx: Db, orgId: string, { reportId, format }: ExportKey): Promise<number | undefined> {
  const { rows } = await tx.query<{ attempt: number }>({
    name: 'report_export_begin',
    text: `UPDATE report_exports SET attempt = attempt + 1
           WHERE org_id = $1 AND report_id = $2 AND format = $3 AND status = 'pending' RETURNING attempt`,
    values: [orgId, reportId, format],
  });
  return rows[0]?.attempt;
}

/** Counts a failed attempt and returns the number of failures; undefined if there is nothing left to do. */
export async function countFailedExport(
  tx: Db,
  orgId: string,
  { reportId, format }: ExportKey,
): Promise<number | undefined> {
  const { rows } = await tx.query<{ failures: number }>({
    name: 'report_export_count_failure',
    text: `UPDATE report_exports SET failures = failures + 1
           WHERE org_id = $1 AND report_id = $2 AND format = $3 AND status = 'pending' RETURNING failures`,
    values: [orgId, reportId, format],
  });
  return rows[0]?.failures;
}

/** Stores a piece in a separate transaction. Completing the export makes it permanent. */
export async function insertPiece(
  database: Database,
  orgId: string,
  { reportId, format }: ExportKey,
  piece: { attempt: number; sequence: number; content: Uint8Array },
): Promise<void> {
  const statement = {
    name: 'report_export_piece_insert',
    text: `INSERT INTO report_export_pieces (org_id, report_id, format, attempt, sequence, content)
           VALUES ($1, $2, $3, $4, $5, $6)`,
    values: [orgId, reportId, format, piece.attempt, piece.sequence, piece.content],
  };
  await database.single(orgId, statement, [withoutWaiting]);
}

/** The size of a rendered file in bytes, and the SHA-256 of the file and of its stored form. */
export type RenderedFile = { size: number; sha256: Uint8Array; packedSha256: Uint8Array };

/** Completes an export, if this attempt is still the latest, and deletes the pieces of earlier attempts. */
export async function completeExport(
  tx: Db,
  orgId: string,
  { reportId, format }: ExportKey,
  { attempt, size, sha256, packedSha256 }: { attempt: number } & RenderedFile,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'report_export_complete',
    text: `UPDATE report_exports SET status = 'ready', size = $5, sha256 = $6, packed_sha256 = $7,
             completed_at = statement_timestamp()
           WHERE org_id = $1 AND report_id = $2 AND format = $3 AND attempt = $4 AND status = 'pending'`,
    values: [orgId, reportId, format, attempt, size, sha256, packedSha256],
  });
  await tx.query({
    name: 'report_export_pieces_delete_other',
    text: `DELETE FROM report_export_pieces
           WHERE org_id = $1 AND report_id = $2 AND format = $3 AND attempt < $4`,
    values: [orgId, reportId, format, attempt],
  });
  return rowCount === 1;
}

/** Marks an export as failed, with the error that callers see, and deletes its pieces. */
export async function failExport(
  tx: Db,
  orgId: string,
  { reportId, format }: ExportKey,
  error: string | null,
): Promise<void> {
  await tx.query({
    name: 'report_export_fail',
    text: `UPDATE report_exports SET status = 'failed', error = $4, completed_at = statement_timestamp()
           WHERE org_id = $1 AND report_id = $2 AND format = $3 AND status = 'pending'`,
    values: [orgId, reportId, format, error],
  });
  await tx.query({
    name: 'report_export_pieces_delete',
    text: 'DELETE FROM report_export_pieces WHERE org_id = $1 AND report_id = $2 AND format = $3',
    values: [orgId, reportId, format],
  });
}

/** The size and the digests are null until the export is ready. */
export type ExportState = {
  status: ExportStatus;
  attempt: number;
  size: number | null;
  sha256: Buffer | null;
  packedSha256: Buffer | null;
  /** Advice for callers about a failed export; null if only the log has the reason. */
  error: string | null;
};

/** Returns the state of an export; undefined if it no longer exists. */
export async function findExport(
  tx: Db,
  orgId: string,
  { reportId, format }: ExportKey,
): Promise<ExportState | undefined> {
  const { rows } = await tx.query<ExportState>({
    name: 'report_export_find',
    text: `SELECT status, attempt, size, sha256, packed_sha256 AS "packedSha256", error FROM report_exports
           WHERE org_id = $1 AND report_id = $2 AND format = $3`,
    values: [orgId, reportId, format],
  });
  return rows[0];
}

/** Returns the pieces of an attempt from `from` on, in order. */
export async function listPieces(
  tx: Db,
  orgId: string,
  { reportId, format }: ExportKey,
  page: { attempt: number; from: number; limit: number },
): Promise<Buffer[]> {
  const { rows } = await tx.query<{ content: Buffer }>({
    name: 'report_export_pieces_list',
    text: `SELECT content FROM report_export_pieces
           WHERE org_id = $1 AND report_id = $2 AND format = $3 AND attempt = $4 AND sequence >= $5
           ORDER BY sequence LIMIT $6`,
    values: [orgId, reportId, format, page.attempt, page.from, page.limit],
  });
  return rows.map((row) => row.content);
}
