import type { Db } from '../platform/postgres/database.ts';
import { type ActiveDecision, activeColumns, nextMade } from './queries.ts';

/** Lists the active decisions about these single findings. The caller has locked the rows of the findings. */
export async function listOwn(
  tx: Db,
  orgId: string,
  findingIds: string[],
): Promise<Array<ActiveDecision & { findingId: string }>> {
  const { rows } = await tx.query<ActiveDecision & { findingId: string }>({
    // Many are planned for their number and that of all decisions: a kept plan would read all of them for each batch.
    ...(findingIds.length === 1 && { name: 'decisions_list_own' }),
    text: `SELECT ${activeColumns}, finding_id AS "findingId" FROM decisions d
           WHERE org_id = $1 AND finding_id = ANY($2::text[]) AND status = 'active' AND finding_id IS NOT NULL
             AND (until IS NULL OR until > clock_timestamp())`,
    values: [orgId, findingIds],
  });
  return rows;
}

export type CandidateDecision = ActiveDecision & { justification: string | null };

/** Lists the decisions that hold now and that may hold for this finding: all but those about other findings and rules. */
export async function listCandidates(db: Db, orgId: string, findingId: string): Promise<CandidateDecision[]> {
  const names = (field: string, value: string) =>
    `(d.scope->'${field}' IS NULL OR d.scope::jsonb->'${field}' @> to_jsonb(${value}))`;
  const { rows } = await db.query<CandidateDecision>({
    name: 'decisions_list_candidates',
    text: `SELECT ${activeColumns}, d.justification FROM findings f JOIN decisions d ON d.org_id = $1 AND d.status = 'active' AND (d.until IS NULL OR d.until > clock_timestamp())
           WHERE f.org_id = $1 AND f.id = $2 AND (d.finding_id IS NULL OR d.finding_id = $2) AND ${names('finding', 'f.id')} AND ${names('rule', 'f.rule_id')}
             AND ${names('source', 'f.source')} AND ${names('data_source', 'f.data_source_id')}`,
    values: [orgId, findingId],
  });
  return rows;
}

/** A decision that a person's update makes about one finding. */
export type NewOwnDecision = Pick<ActiveDecision, 'id' | 'outcome' | 'scope' | 'rank' | 'until' | 'belowSeverity'> & {
  findingId: string;
  justification: string | null;
  reason: string;
};

/** Inserts decisions about single findings, each about another one. All of them take effect at the same time. */
export async function insertOwn(tx: Db, orgId: string, userId: string, made: NewOwnDecision[]): Promise<void> {
  await tx.query({
    // Many are planned for their number.
    ...(made.length === 1 && { name: 'decision_insert_own' }),
    text: `INSERT INTO decisions (org_id, id, made, outcome, justification, reason, scope, rank, until, requested_by, below_severity, finding_id)
           SELECT $1, d.id, ${nextMade}, d.outcome, d.justification, d.reason, d.scope, d.rank, d.until, $2, d."belowSeverity", d."findingId"
           FROM json_to_recordset($3::json) AS d(id text, outcome text, justification text, reason text, scope json, rank smallint, until timestamptz, "belowSeverity" smallint, "findingId" text)`,
    values: [orgId, userId, JSON.stringify(made)],
  });
}

/** Makes decisions active again that an update of their findings withdrew. The caller has locked the rows of the findings. */
export async function reviveOwn(tx: Db, orgId: string, ids: string[]): Promise<void> {
  await tx.query({
    name: 'decisions_revive_own',
    text: `UPDATE decisions SET status = 'active', ended_by = NULL, ended_at = NULL
           WHERE org_id = $1 AND id = ANY($2::text[]) AND status = 'withdrawn' AND finding_id IS NOT NULL`,
    values: [orgId, ids],
  });
}

/** Ends those of these decisions about single findings whose time has come. Returns their ids. The caller has locked the rows of the findings. */
export async function expireOwn(tx: Db, orgId: string, ids: string[]): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>({
    name: 'decisions_expire_own',
    text: `UPDATE decisions SET status = 'expired', ended_at = clock_timestamp()
           WHERE org_id = $1 AND id = ANY($2::text[]) AND status = 'active' AND until <= clock_timestamp() AND finding_id IS NOT NULL
           RETURNING id`,
    values: [orgId, ids],
  });
  return rows.map(({ id }) => id);
}
