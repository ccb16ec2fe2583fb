import type { Database, Db } from '../platform/postgres/database.ts';
import { findingJoins, findingJson, placesMember } from './finding-sql.ts';

/** Finds a finding as the JSON text of the API with `places`, and its version. */
export async function findFinding(
  db: Db,
  orgId: string,
  id: string,
): Promise<{ json: string; version: number } | undefined> {
  const { rows } = await db.query<{ json: string; version: number }>({
    name: 'finding_find',
    text: `SELECT ${findingJson(placesMember)} AS json, f.version
           FROM findings f ${findingJoins} WHERE f.org_id = $1 AND f.id = $2`,
    values: [orgId, id],
  });
  return rows[0];
}

/** Finds the id of a member by id or e-mail address. */
export async function findAssignee(db: Db, orgId: string, idOrEmail: string): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>({
    name: 'finding_assignee_find',
    text: `SELECT u.id FROM members m JOIN users u ON u.id = m.user_id
           WHERE m.org_id = $1 AND (u.id = $2 OR u.email = lower($2))`,
    values: [orgId, idOrEmail],
  });
  return rows[0]?.id;
}

export type CommentRow = {
  id: string;
  comment: string;
  authorId: string | null;
  authorName: string | null;
  createdAt: Date;
};

/** Adds a comment to findings. The caller has locked their rows and increases their `comment_count`. */
export async function insertComments(
  db: Db,
  orgId: string,
  authorId: string | null,
  at: string,
  comment: string,
  rows: Array<{ id: string; finding_id: string }>,
): Promise<void> {
  await db.query({
    name: 'finding_comments_insert',
    text: `INSERT INTO finding_comments (org_id, finding_id, id, author_id, comment, created_at)
           SELECT $1, d.finding_id, d.id, $2, $3, $4 FROM json_to_recordset($5::json) AS d(finding_id text, id text)`,
    values: [orgId, authorId, comment, at, JSON.stringify(rows)],
  });
}

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
    text: `SELECT c.id, c.comment, c.author_id AS "authorId", u.name AS "authorName", c.created_at AS "createdAt"
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

/** Lists changes of a finding, oldest first. The caller adds the first sighting, which has no row of its own. */
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

/** Finds when and by which scan a finding was first seen. */
export async function findFirstSighting(
  database: Database,
  orgId: string,
  id: string,
): Promise<{ at: Date; scanId: string } | undefined> {
  const rows = await database.single<{ at: Date; scanId: string }>(orgId, {
    name: 'finding_first_sighting_find',
    text: `SELECT first_seen_at AS at, first_scan_id AS "scanId" FROM findings WHERE org_id = $1 AND id = $2`,
    values: [orgId, id],
  });
  return rows[0];
}

/** Finds the author's newest comment on a finding, in the transaction that wrote it. */
export async function findLastComment(
  tx: Db,
  orgId: string,
  findingId: string,
  authorId: string,
): Promise<CommentRow | undefined> {
  const { rows } = await tx.query<CommentRow>({
    name: 'finding_comment_find_last',
    text: `SELECT c.id, c.comment, c.author_id AS "authorId", u.name AS "authorName", c.created_at AS "createdAt"
           FROM finding_comments c LEFT JOIN users u ON u.id = c.author_id
           WHERE c.org_id = $1 AND c.finding_id = $2 AND c.author_id = $3 ORDER BY c.id DESC LIMIT 1`,
    values: [orgId, findingId, authorId],
  });
  return rows[0];
}
