import type { Db } from '../platform/postgres/database.ts';
import type { ChangeTime } from './change-clock.ts';
import type { Judgement, Lifecycle } from './lifecycle.ts';
import { storedLifecycle } from './merge-queries.ts';
import { dueAfter, isOfRow, reopenedAt } from './policy-queries.ts';

/** A finding after a decision; `comments` is the number of new comments. */
export type DecisionRow = Lifecycle & {
  id: string;
  tags: string[];
  assigneeId: string | null;
  comments: number;
  decisionId: string | null;
  judged: Judgement | null;
  /** Whether a person takes it out of the present decisions. */
  leaves?: boolean | undefined;
  /** For an undo: when the finding had been reopened before, and the decisions that a person had taken it out of. */
  restored?: { reopenedAt: number | null; leftDecisions: number | null } | undefined;
};

const reopened = `CASE WHEN d.restored IS NULL THEN ${reopenedAt('$3')}
  ELSE to_timestamp((d.restored->>'reopenedAt')::float8 / 1000.0) END`;

/** SQL for the last decision (`made`) of those that may hold for a finding. */
const lastMade = `GREATEST((SELECT max(made) FROM decisions WHERE org_id = $1 AND status = 'active' AND finding_id IS NULL),
  (SELECT max(made) FROM decisions WHERE org_id = $1 AND status = 'active' AND finding_id = f.id))`;

/** Withdraws the decisions that people made by updates of these findings. The caller has locked their rows. */
export async function withdrawOwn(db: Db, orgId: string, findingIds: string[], userId: string | null): Promise<void> {
  await db.query({
    // Many are planned for their number and that of all decisions: a kept plan would read all of them for each batch.
    ...(findingIds.length === 1 && { name: 'decisions_withdraw_own' }),
    text: `UPDATE decisions SET status = 'withdrawn', ended_by = $3, ended_at = clock_timestamp()
           WHERE org_id = $1 AND finding_id = ANY($2::text[]) AND status = 'active' AND finding_id IS NOT NULL AND origin = 'person'`,
    values: [orgId, findingIds, userId],
  });
}

/** Writes decisions on findings whose rows are locked. */
export async function updateDecisions(db: Db, orgId: string, time: ChangeTime, rows: DecisionRow[]): Promise<void> {
  await db.query({
    // A batch is planned for the size that the table has now; for one finding, planning would take longer than the update.
    ...(rows.length === 1 && { name: 'findings_update_decisions' }),
    text: `UPDATE findings f SET status = d.status, resolution = d.resolution,
             closed_at = to_timestamp(d."closedAt" / 1000.0), accepted_until = to_timestamp(d."acceptedUntil" / 1000.0),
             accepted_again_until = to_timestamp(d."acceptedAgainUntil" / 1000.0), decision_id = d."decisionId", judged = d.judged,
             tags = d.tags, assignee_id = d."assigneeId", comment_count = f.comment_count + d.comments,
             left_decisions = CASE WHEN d.leaves THEN ${lastMade} WHEN d.restored IS NULL THEN f.left_decisions
               ELSE (d.restored->>'leftDecisions')::bigint END,
             reopened_count = d."reopenedCount", reopened_at = ${reopened}, due_at = ${dueAfter('$3', reopened)},
             updated_at = $3, version = f.version + 1
           FROM json_to_recordset($2::json) AS d(id text, status text, resolution text, "closedAt" float8,
             "acceptedUntil" float8, "acceptedAgainUntil" float8, "reopenedCount" integer, tags text[], "assigneeId" text, comments integer, restored json, "decisionId" text, judged text, leaves boolean)
           WHERE ${isOfRow('d')}`,
    values: [orgId, JSON.stringify(rows.map(storedLifecycle)), time.at],
  });
}

/** Notifies the nodes with open event streams of the organization when this transaction commits. */
export async function announceChange(tx: Db, orgId: string): Promise<void> {
  await tx.query({ name: 'findings_announce_change', text: `SELECT pg_notify('assay_events', $1)`, values: [orgId] });
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

/** A finding of a data source in the order of identities, and whether it is open. */
export type DataSourcePlace = { id: string; source: string; fingerprint: string; isOpen: boolean };

/** Lists the next findings of a data source behind a place. */
export async function listOfDataSource(
  db: Db,
  orgId: string,
  dataSourceId: string,
  { after, limit }: { after: Pick<DataSourcePlace, 'source' | 'fingerprint'>; limit: number },
): Promise<DataSourcePlace[]> {
  const { rows } = await db.query<DataSourcePlace>({
    name: 'findings_list_of_data_source',
    text: `SELECT id, source, fingerprint, status IN ('new', 'triaged', 'in_progress') AS "isOpen" FROM findings
           WHERE org_id = $1 AND data_source_id = $2 AND (source, fingerprint) > ($3, $4)
           ORDER BY source, fingerprint LIMIT $5`,
    values: [orgId, dataSourceId, after.source, after.fingerprint, limit],
  });
  return rows;
}

/** Lists the organizations in which a risk acceptance has ended. */
export async function listOrganizationsWithEndedAcceptance(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    text: 'SELECT id FROM organizations_with_ended_acceptance(clock_timestamp()) AS id',
  });
  return rows.map((row) => row.id);
}

/** Lists the findings of a data source and source without a person's decision, by fingerprint, with the severity of their scanner. */
export async function listUndecided(
  tx: Db,
  orgId: string,
  place: { dataSourceId: string; source: string },
  fingerprints: string[],
  foundBy: string | null = null,
): Promise<Array<{ id: string; fingerprint: string; severity: number }>> {
  const { rows } = await tx.query<{ id: string; fingerprint: string; severity: number }>({
    name: 'findings_list_undecided',
    text: `SELECT id, fingerprint, COALESCE(scanner_severity, severity) AS severity FROM findings
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
