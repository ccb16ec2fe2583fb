import type { DataSourceDeleted } from '../../data-sources/delete-data-source.ts';
import type { Db } from '../../platform/postgres/database.ts';
import type { EndReason } from '../end-conditions.ts';
import type { RepositoryEntry } from '../origin.ts';
import { type ActiveDecision, nextMade, type Outcome } from '../queries.ts';

/** A decision or a request of a repository that has not been ended by a scan. */
export type RepositoryDecision = {
  id: string;
  status: 'requested' | 'active' | 'rejected' | 'expired' | 'withdrawn';
  key: string;
  isApproved: boolean;
  belowSeverity: number | null;
};

const columns = `d.id, d.status, d.entry_key AS key, d.approved_by IS NOT NULL AS "isApproved", d.below_severity AS "belowSeverity"`;

/** Lists the decisions that the file of a repository states or stated, the oldest first. */
export async function listOfFile(db: Db, orgId: string, dataSourceId: string): Promise<RepositoryDecision[]> {
  const { rows } = await db.query<RepositoryDecision>({
    name: 'decisions_list_of_file',
    text: `SELECT ${columns} FROM decisions d
           WHERE d.org_id = $1 AND d.data_source_id = $2 AND d.finding_id IS NULL AND d.status <> 'ended' ORDER BY d.id`,
    values: [orgId, dataSourceId],
  });
  return rows;
}

export type CommentDecision = RepositoryDecision & { findingId: string; fingerprint: string };

/** Lists the decisions that comments state or stated about these findings, the oldest first. */
export async function listOfComments(
  db: Db,
  orgId: string,
  { dataSourceId, source }: { dataSourceId: string; source: string },
  fingerprints: string[],
): Promise<CommentDecision[]> {
  const { rows } = await db.query<CommentDecision>({
    name: 'decisions_list_of_comments',
    text: `SELECT ${columns}, f.id AS "findingId", f.fingerprint
           FROM (SELECT * FROM decisions WHERE org_id = $1 AND data_source_id = $2 AND finding_id IS NOT NULL AND origin = 'repository' AND status <> 'ended') d
           JOIN findings f ON f.org_id = $1 AND f.id = d.finding_id AND f.source = $3 AND f.fingerprint = ANY($4::text[])
           ORDER BY d.id`,
    values: [orgId, dataSourceId, source, fingerprints],
  });
  return rows;
}

/** Returns the findings with these fingerprints, and their severities (ranks). */
export async function listByFingerprint(
  tx: Db,
  orgId: string,
  { dataSourceId, source }: { dataSourceId: string; source: string },
  fingerprints: string[],
): Promise<Array<{ id: string; fingerprint: string; severity: number }>> {
  const { rows } = await tx.query<{ id: string; fingerprint: string; severity: number }>({
    name: 'decisions_list_commented_findings',
    text: `SELECT id, fingerprint, severity FROM findings
           WHERE org_id = $1 AND data_source_id = $2 AND source = $3 AND fingerprint = ANY($4::text[])`,
    values: [orgId, dataSourceId, source, fingerprints],
  });
  return rows;
}

type NewRepositoryDecision = Pick<ActiveDecision, 'id' | 'scope' | 'rank' | 'until' | 'belowSeverity'> & {
  outcome: Outcome;
  justification: string | null;
  reason: string;
  dataSourceId: string;
  key: string;
  entry: RepositoryEntry;
  findingId: string | null;
  /** When a request ends; null for a decision. */
  expiresAt: Date | null;
};

export async function insertOfRepository(tx: Db, orgId: string, decision: NewRepositoryDecision): Promise<void> {
  const { id, outcome, justification, reason, scope, rank, until, belowSeverity, expiresAt } = decision;
  const { dataSourceId, key, entry, findingId } = decision;
  await tx.query({
    name: 'decision_insert_of_repository',
    text: `INSERT INTO decisions (org_id, id, made, origin, outcome, justification, reason, scope, rank, until, below_severity, status, expires_at,
             data_source_id, entry_key, entry, finding_id)
           VALUES ($1, $2, ${nextMade}, 'repository', $3, $4, $5, $6, $7, $8, $9, CASE WHEN $10::timestamptz IS NULL THEN 'active' ELSE 'requested' END, $10,
             $11, $12, $13, $14)`,
    values: [
      ...[orgId, id, outcome, justification, reason, JSON.stringify(scope), rank, until, belowSeverity, expiresAt],
      ...[dataSourceId, key, JSON.stringify(entry), findingId],
    ],
  });
}

/**
 * Ends a decision or a request of a repository; one whose end has come has expired. Returns the reason and whether it was
 * active, or undefined if it had ended before.
 */
export async function endOfRepository(
  tx: Db,
  orgId: string,
  id: string,
  because: EndReason,
): Promise<{ because: string; wasActive: boolean } | undefined> {
  const { rows } = await tx.query<{ because: string; wasActive: boolean }>({
    name: 'decision_end_of_repository',
    text: `UPDATE decisions d SET status = CASE WHEN o.is_due THEN 'expired' ELSE 'ended' END, ended_because = CASE WHEN o.is_due THEN NULL ELSE $3 END,
             ended_at = clock_timestamp(), expires_at = NULL, version = d.version + 1
           FROM (SELECT id, status, COALESCE(until <= clock_timestamp(), false) AS is_due FROM decisions
                 WHERE org_id = $1 AND id = $2 AND origin = 'repository' FOR UPDATE) o
           WHERE d.org_id = $1 AND d.id = o.id AND d.status IN ('active', 'requested')
           RETURNING COALESCE(d.ended_because, d.status) AS because, o.status = 'active' AS "wasActive"`,
    values: [orgId, id, because],
  });
  return rows[0];
}

/** Ends the decisions and requests of a data source that is deleted, and of tools about it; its findings are resolved with it. */
export const decisionsOnDataSourceDeleted: DataSourceDeleted = async (tx, orgId, dataSourceId) => {
  await tx.query({
    text: `UPDATE decisions SET status = 'ended', ended_because = 'removed', ended_at = clock_timestamp(), expires_at = NULL,
             version = version + 1
           WHERE org_id = $1 AND data_source_id = $2 AND status IN ('active', 'requested')`,
    values: [orgId, dataSourceId],
  });
};

/** Changes the severity from which an unapproved decision of a repository does not hold. */
export async function limitOfRepository(
  tx: Db,
  orgId: string,
  id: string,
  belowSeverity: number | null,
): Promise<void> {
  await tx.query({
    name: 'decision_limit_of_repository',
    text: `UPDATE decisions SET below_severity = $3, version = version + 1
           WHERE org_id = $1 AND id = $2 AND status = 'active' AND approved_by IS NULL`,
    values: [orgId, id, belowSeverity],
  });
}

/** Counts the open requests of all repositories, and of one. */
export async function countOfRepositories(
  tx: Db,
  orgId: string,
  dataSourceId: string,
): Promise<{ decisions: number; requests: number; ownRequests: number }> {
  const { rows } = await tx.query<{ decisions: number; requests: number; ownRequests: number }>({
    name: 'decisions_count_of_repositories',
    text: `SELECT count(*) FILTER (WHERE status = 'active' AND finding_id IS NULL)::integer AS decisions,
             count(*) FILTER (WHERE status = 'requested')::integer AS requests,
             count(*) FILTER (WHERE status = 'requested' AND data_source_id = $2)::integer AS "ownRequests"
           FROM decisions WHERE org_id = $1 AND status IN ('active', 'requested') AND origin = 'repository'`,
    values: [orgId, dataSourceId],
  });
  return rows[0]!;
}
