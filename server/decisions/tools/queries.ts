import type { Db } from '../../platform/postgres/database.ts';
import { type ActiveDecision, nextMade } from '../queries.ts';

/** A decision in the results of a tool about one finding, whatever became of it. */
export type ToolDecision = Pick<ActiveDecision, 'id' | 'made' | 'until' | 'belowSeverity'> & {
  findingId: string;
  key: string;
  isActive: boolean;
};

/** Lists the decisions that tools have stated about these findings, the oldest first. */
export async function listOfTools(tx: Db, orgId: string, findingIds: string[]): Promise<ToolDecision[]> {
  const { rows } = await tx.query<ToolDecision>({
    name: 'decisions_list_of_tools',
    text: `SELECT d.id, d.made::float8 AS made, d.until, d.below_severity AS "belowSeverity", d.finding_id AS "findingId", d.entry_key AS key,
             d.status = 'active' AND (d.until IS NULL OR d.until > clock_timestamp()) AS "isActive"
           FROM findings f CROSS JOIN LATERAL (SELECT * FROM decisions
             WHERE org_id = $1 AND data_source_id = f.data_source_id AND finding_id = f.id AND origin = 'tool' OFFSET 0) d
           WHERE f.org_id = $1 AND f.id = ANY($2::text[]) ORDER BY d.id`,
    values: [orgId, findingIds],
  });
  return rows;
}

export type NewToolDecision = Pick<ActiveDecision, 'id' | 'outcome' | 'scope' | 'rank' | 'until' | 'belowSeverity'> & {
  findingId: string;
  dataSourceId: string;
  reason: string;
  key: string;
};

/** Inserts decisions of tools, each about another finding. All of them take effect at the same time. */
export async function insertOfTools(tx: Db, orgId: string, made: NewToolDecision[]): Promise<void> {
  await tx.query({
    // Planned for their number.
    text: `INSERT INTO decisions (org_id, id, made, origin, outcome, reason, scope, rank, until, below_severity, data_source_id, entry_key, finding_id)
           SELECT $1, d.id, ${nextMade}, 'tool', d.outcome, d.reason, d.scope, d.rank, d.until, d."belowSeverity", d."dataSourceId", d.key, d."findingId"
           FROM json_to_recordset($2::json) AS d(id text, outcome text, reason text, scope json, rank smallint, until timestamptz,
             "belowSeverity" smallint, "dataSourceId" text, key text, "findingId" text)`,
    values: [orgId, JSON.stringify(made)],
  });
}
