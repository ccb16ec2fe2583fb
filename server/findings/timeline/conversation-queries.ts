import type { DataSourceKind } from '../../data-sources/kind.ts';
import type { Database, Db } from '../../platform/postgres/database.ts';
import { type CommentRow, commentColumns } from '../queries.ts';

/** Lists comments of a finding, oldest first: ids ascend with time. */
export function listComments(
  database: Database,
  orgId: string,
  findingId: string,
  afterId: string,
  limit: number,
): Promise<CommentRow[]> {
  return database.single<CommentRow>(orgId, {
    name: 'finding_comments_list',
    text: `SELECT ${commentColumns}
           FROM finding_comments c LEFT JOIN users u ON u.id = c.author_id
           WHERE c.org_id = $1 AND c.finding_id = $2 AND c.id > $3 ORDER BY c.id LIMIT $4`,
    values: [orgId, findingId, afterId, limit],
  });
}

export type HistoryEntry = {
  id: string;
  at: Date;
  position: string;
  userId: string | null;
  userName: string | null;
  scanId: string | null;
  changes: Record<string, [unknown, unknown]>;
};

/** Lists changes of a finding, oldest first. The caller adds the first sighting, which has no row. */
export function listHistory(
  database: Database,
  orgId: string,
  findingId: string,
  after: { at: string; id: string },
  limit: number,
): Promise<HistoryEntry[]> {
  return database.single<HistoryEntry>(orgId, {
    name: 'finding_history_list',
    text: `SELECT h.id, h.at, h.at::text AS position, h.user_id AS "userId", u.name AS "userName",
             h.scan_id AS "scanId", h.changes
           FROM finding_history h LEFT JOIN users u ON u.id = h.user_id
           WHERE h.org_id = $1 AND h.finding_id = $2 AND (h.at, h.id) > ($3::timestamptz, $4::uuid)
           ORDER BY h.at, h.id LIMIT $5`,
    values: [orgId, findingId, after.at, after.id, limit],
  });
}

type FirstSighting = { at: Date; scanId: string; dataSource: { id: string; name: string; kind: DataSourceKind } };

/** Finds when, where and by which scan a finding was first seen. */
export async function findFirstSighting(
  database: Database,
  orgId: string,
  id: string,
): Promise<FirstSighting | undefined> {
  const rows = await database.single<FirstSighting>(orgId, {
    name: 'finding_first_sighting_find',
    text: `SELECT f.first_seen_at AS at, f.first_scan_id AS "scanId",
             json_build_object('id', d.id, 'name', d.name, 'kind', d.kind) AS "dataSource"
           FROM findings f JOIN data_sources d ON d.org_id = $1 AND d.id = f.data_source_id WHERE f.org_id = $1 AND f.id = $2`,
    values: [orgId, id],
  });
  return rows[0];
}

/** An entry of a timeline: a change, or a comment with its `comment`. */
export type TimelineRow = Omit<HistoryEntry, 'changes'> & {
  rank: number;
  changes: HistoryEntry['changes'] | null;
  comment: string | null;
  editedAt: Date | null;
  deletedAt: Date | null;
};

export type TimelinePosition = { at: string; rank: number; id: string };

/** Lists changes and comments of a finding, oldest first. At the same time, the change comes first. */
export function listTimeline(
  database: Database,
  orgId: string,
  findingId: string,
  after: TimelinePosition,
  limit: number,
): Promise<TimelineRow[]> {
  return database.single<TimelineRow>(orgId, {
    name: 'finding_timeline_list',
    text: `SELECT e.*, e.at::text AS position, u.name AS "userName" FROM (
             SELECT at, 0 AS rank, id::text COLLATE "C" AS id, user_id AS "userId", scan_id AS "scanId", changes,
               NULL AS comment, NULL::timestamptz AS "editedAt", NULL::timestamptz AS "deletedAt"
             FROM finding_history WHERE org_id = $1 AND finding_id = $2 AND at >= $3
             UNION ALL SELECT created_at, 1, id, author_id, NULL, NULL, comment, edited_at, deleted_at
             FROM finding_comments WHERE org_id = $1 AND finding_id = $2 AND created_at >= $3) e
           LEFT JOIN users u ON u.id = e."userId"
           WHERE (e.at, e.rank, e.id) > ($3::timestamptz, $4::integer, $5::text)
           ORDER BY e.at, e.rank, e.id LIMIT $6`,
    values: [orgId, findingId, after.at, after.rank, after.id, limit],
  });
}

/** Changes the text of a comment, if the user wrote it and it was not deleted. */
export async function updateComment(
  tx: Db,
  orgId: string,
  { findingId, id, userId }: CommentKey,
  comment: string,
): Promise<CommentRow | undefined> {
  const { rows } = await tx.query<CommentRow>({
    name: 'finding_comment_update',
    text: `WITH c AS (UPDATE finding_comments SET comment = $5, edited_at = statement_timestamp()
             WHERE org_id = $1 AND finding_id = $2 AND id = $3 AND author_id = $4 AND deleted_at IS NULL RETURNING *)
           SELECT ${commentColumns} FROM c LEFT JOIN users u ON u.id = c.author_id`,
    values: [orgId, findingId, id, userId, comment],
  });
  return rows[0];
}

/** Removes the text of a comment and marks it as deleted, if the user wrote it. Returns whether it did. */
export async function deleteComment(tx: Db, orgId: string, { findingId, id, userId }: CommentKey): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'finding_comment_delete',
    text: `UPDATE finding_comments SET comment = '', deleted_at = statement_timestamp()
           WHERE org_id = $1 AND finding_id = $2 AND id = $3 AND author_id = $4 AND deleted_at IS NULL`,
    values: [orgId, findingId, id, userId],
  });
  return rowCount === 1;
}

/** A comment, and the user who changes it. */
export type CommentKey = { findingId: string; id: string; userId: string };

/** Returns whether the comment exists, by any author, and is not deleted. */
export async function existsComment(tx: Db, orgId: string, { findingId, id }: CommentKey): Promise<boolean> {
  const { rows } = await tx.query({
    name: 'finding_comment_exists',
    text: `SELECT FROM finding_comments WHERE org_id = $1 AND finding_id = $2 AND id = $3 AND deleted_at IS NULL`,
    values: [orgId, findingId, id],
  });
  return rows.length > 0;
}
