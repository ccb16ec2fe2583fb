import { noteChange } from '../organization/change-number.ts';
import type { Db } from '../platform/postgres/database.ts';
import type { ChangeTime } from './change-clock.ts';
import { excerptMembers, findingJoins, findingJson, placesMember, relatedMember } from './finding-sql.ts';
import type { Sighting } from './merge-queries.ts';
import { type StandardFacts, standardsOf } from './standards/standards.ts';

// Built once: the driver compares the text of a prepared statement each time, which is fast for the same string.
const findText = `SELECT ${findingJson(excerptMembers + placesMember + relatedMember)} AS json, f.version, f.weaknesses, f.in_package AS "inPackage",
    f.severity, f.due_at < now() AS "isOverdue", f.source, data_source.kind, data_source.exposure
  FROM findings f ${findingJoins} WHERE f.org_id = $1 AND f.id = $2`;

/** Finds a finding as the API's JSON text with `places`, and its version. */
export async function findFinding(
  db: Db,
  orgId: string,
  id: string,
): Promise<{ json: string; version: number } | undefined> {
  const { rows } = await db.query<{ json: string; version: number } & StandardFacts>({
    name: 'finding_find',
    text: findText,
    values: [orgId, id],
  });
  const [row] = rows;
  if (!row) return undefined;
  return { json: `${row.json.slice(0, -1)},"standards":${JSON.stringify(standardsOf(row))}}`, version: row.version };
}

/** Returns the ids of those people who are members of the organization. */
export async function findMembers(db: Db, orgId: string, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await db.query<{ id: string }>({
    name: 'finding_members_find',
    text: 'SELECT user_id AS id FROM members WHERE org_id = $1 AND user_id = ANY($2::text[])',
    values: [orgId, ids],
  });
  return new Set(rows.map(({ id }) => id));
}

export type CommentRow = {
  id: string;
  comment: string;
  authorId: string | null;
  authorName: string | null;
  createdAt: Date;
  editedAt: Date | null;
  deletedAt: Date | null;
};

/** The columns of a CommentRow of the comment `c` and its author `u`. */
export const commentColumns = `c.id, c.comment, c.author_id AS "authorId", u.name AS "authorName",
  c.created_at AS "createdAt", c.edited_at AS "editedAt", c.deleted_at AS "deletedAt"`;

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
           SELECT $1, d.finding_id, d.id, $2, $3, $4::timestamptz
           FROM json_to_recordset($5::json) AS d(finding_id text, id text)`,
    values: [orgId, authorId, comment, at, JSON.stringify(rows)],
  });
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
    text: `SELECT ${commentColumns}
           FROM finding_comments c LEFT JOIN users u ON u.id = c.author_id
           WHERE c.org_id = $1 AND c.finding_id = $2 AND c.author_id = $3 ORDER BY c.id DESC LIMIT 1`,
    values: [orgId, findingId, authorId],
  });
  return rows[0];
}

/**
 * Returns the coverage of the last completed scan of this place and whether it overtook this scan, that is, started
 * later and ended first. A start in the future comes from a clock that was set back and is ignored. Null before the
 * first scan.
 */
export async function findCoverage(
  db: Db,
  orgId: string,
  { dataSourceId, source, startedAt }: Pick<Sighting, 'dataSourceId' | 'source' | 'startedAt'>,
) {
  const { rows } = await db.query<{ overtook: boolean; lastSeenAt: string }>({
    name: 'finding_coverage_find',
    text: `SELECT started_at > $4 AND started_at <= clock_timestamp() AS overtook, last_seen_at::text AS "lastSeenAt"
           FROM finding_coverage WHERE org_id = $1 AND data_source_id = $2 AND source = $3 FOR UPDATE`,
    values: [orgId, dataSourceId, source, startedAt],
  });
  return rows[0] ?? null;
}

/**
 * Advances the coverage to this scan, complete or not, unless a scan that started later already has. Two scans of a
 * place that end at the same time wait for each other at the row or, while there is none, at its insertion.
 */
export async function updateCoverage(
  db: Db,
  orgId: string,
  sighting: Sighting,
  time: ChangeTime,
  isComplete: boolean,
): Promise<void> {
  const { dataSourceId, source, scanId, startedAt } = sighting;
  const coverage = await findCoverage(db, orgId, sighting);
  if (coverage?.overtook) return;
  await db.query({
    name: 'finding_coverage_update',
    text: `INSERT INTO finding_coverage AS c (org_id, data_source_id, source, scan_id, started_at, last_seen_at, complete_at)
           VALUES ($1, $2, $3, $4, $5, $6, CASE WHEN $8 THEN $6::timestamptz END)
           ON CONFLICT (org_id, data_source_id, source) DO UPDATE
           SET scan_id = excluded.scan_id, started_at = excluded.started_at, last_seen_at = excluded.last_seen_at,
             complete_at = COALESCE(excluded.complete_at, c.complete_at)
           WHERE c.started_at <= excluded.started_at OR $7`,
    values: [orgId, dataSourceId, source, scanId, startedAt, time.at, coverage !== null, isComplete],
  });
  await noteChange(db, orgId);
}
