import type { Db } from '../platform/postgres/database.ts';
import type { ChangeTime } from './change-clock.ts';
import type { Lifecycle } from './lifecycle.ts';
import { storedLifecycle } from './merge-queries.ts';
import { dueAfter, reopenedAt } from './policy-queries.ts';

/** A finding after a decision; `comments` is the number of new comments. */
export type DecisionRow = Lifecycle & {
  id: string;
  tags: string[];
  assigneeId: string | null;
  comments: number;
  decisionId: string | null;
  leftDecisionId: string | null;
  /** For an undo: when the finding had been reopened before. */
  restored?: { reopenedAt: number | null } | undefined;
};

const reopened = `CASE WHEN d.restored IS NULL THEN ${reopenedAt('$3')}
  ELSE to_timestamp((d.restored->>'reopenedAt')::float8 / 1000.0) END`;

/** Writes decisions on findings whose rows are locked. */
export async function updateDecisions(db: Db, orgId: string, time: ChangeTime, rows: DecisionRow[]): Promise<void> {
  await db.query({
    name: 'findings_update_decisions',
    text: `UPDATE findings f SET status = d.status, resolution = d.resolution,
             closed_at = to_timestamp(d."closedAt" / 1000.0), accepted_until = to_timestamp(d."acceptedUntil" / 1000.0),
             accepted_again_until = to_timestamp(d."acceptedAgainUntil" / 1000.0), decision_id = d."decisionId",
             left_decision_id = d."leftDecisionId", tags = d.tags, assignee_id = d."assigneeId", comment_count = f.comment_count + d.comments,
             reopened_count = d."reopenedCount", reopened_at = ${reopened}, due_at = ${dueAfter('$3', reopened)},
             updated_at = $3, version = f.version + 1
           FROM json_to_recordset($2::json) AS d(id text, status text, resolution text, "closedAt" float8,
             "acceptedUntil" float8, "acceptedAgainUntil" float8, "reopenedCount" integer, tags text[], "assigneeId" text, comments integer, restored json, "decisionId" text, "leftDecisionId" text)
           WHERE f.org_id = $1 AND f.id = d.id`,
    values: [orgId, JSON.stringify(rows.map(storedLifecycle)), time.at],
  });
}

/** Notifies the nodes with open event streams of the organization when this transaction commits. */
export async function announceChange(tx: Db, orgId: string): Promise<void> {
  await tx.query({ name: 'findings_announce_change', text: `SELECT pg_notify('assay_events', $1)`, values: [orgId] });
}

/** Replaces the rows of `finding_tags` for these findings. */
export async function replaceTags(db: Db, orgId: string, rows: Array<{ id: string; tags: string[] }>): Promise<void> {
  const ids = rows.map((row) => row.id);
  await db.query({
    name: 'finding_tags_delete',
    text: 'DELETE FROM finding_tags WHERE org_id = $1 AND finding_id = ANY($2::text[])',
    values: [orgId, ids],
  });
  const tags = rows.flatMap((row) => row.tags.map((tag) => ({ finding_id: row.id, tag })));
  if (tags.length === 0) return;
  await db.query({
    name: 'finding_tags_insert',
    text: `INSERT INTO finding_tags (org_id, tag, finding_id)
           SELECT $1, d.tag, d.finding_id FROM json_to_recordset($2::json) AS d(finding_id text, tag text)`,
    values: [orgId, JSON.stringify(tags)],
  });
}

/** Lists findings whose acceptance by a person has expired; decisions expire by themselves. */
export async function listEndedAcceptances(db: Db, orgId: string, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    text: `SELECT id FROM findings WHERE org_id = $1 AND accepted_until <= clock_timestamp() AND decision_id IS NULL LIMIT $2`,
    values: [orgId, limit],
  });
  return rows.map((row) => row.id);
}

/** Lists findings that are assigned to this person. */
export async function listAssigned(db: Db, orgId: string, userId: string, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    text: 'SELECT id FROM findings WHERE org_id = $1 AND assignee_id = $2 LIMIT $3',
    values: [orgId, userId, limit],
  });
  return rows.map((row) => row.id);
}

/** Lists open findings of a data source. */
export async function listOpenOfDataSource(
  db: Db,
  orgId: string,
  dataSourceId: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    text: `SELECT id FROM findings WHERE org_id = $1 AND data_source_id = $2 AND status IN ('new', 'triaged', 'in_progress')
           LIMIT $3`,
    values: [orgId, dataSourceId, limit],
  });
  return rows.map((row) => row.id);
}

/** Lists the organizations in which a risk acceptance has ended. */
export async function listOrganizationsWithEndedAcceptance(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    text: 'SELECT id FROM organizations_with_ended_acceptance(clock_timestamp()) AS id',
  });
  return rows.map((row) => row.id);
}

/** Lists the findings of a data source and source without a person's decision, by fingerprint. */
export async function listUndecided(
  tx: Db,
  orgId: string,
  place: { dataSourceId: string; source: string },
  fingerprints: string[],
  foundBy: string | null = null,
): Promise<Array<{ id: string; fingerprint: string }>> {
  const { rows } = await tx.query<{ id: string; fingerprint: string }>({
    name: 'findings_list_undecided',
    text: `SELECT id, fingerprint FROM findings
           WHERE org_id = $1 AND data_source_id = $2 AND source = $3 AND fingerprint = ANY($4::text[]) AND status = 'new'
             AND ($5::text IS NULL OR first_scan_id = $5)`,
    values: [orgId, place.dataSourceId, place.source, fingerprints, foundBy],
  });
  return rows;
}

/**
 * Returns the id of a member with this address, else of a former member who still has findings or data sources here. It
 * never reveals people of other organizations.
 */
export async function findPersonId(db: Db, orgId: string, email: string): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>({
    name: 'person_find_id',
    text: `SELECT u.id FROM users u LEFT JOIN members m ON m.org_id = $1 AND m.user_id = u.id
           WHERE u.email = lower($2)
             AND (m.user_id IS NOT NULL
                  OR EXISTS (SELECT FROM findings f WHERE f.org_id = $1 AND f.assignee_id = u.id)
                  OR EXISTS (SELECT FROM data_sources d WHERE d.org_id = $1 AND d.owner_id = u.id))
           ORDER BY m.user_id IS NOT NULL DESC, u.email_verified DESC, u.id LIMIT 1`,
    values: [orgId, email],
  });
  return rows[0]?.id;
}
