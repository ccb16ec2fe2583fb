import { rankOf } from '@assay/scanner/contract/scope-rank.ts';
import type { Db } from '../platform/postgres/database.ts';

/** The number of judgements from which a rule that is mostly dismissed is offered for demotion. */
export const minJudgements = 20;

/**
 * SQL that counts, by rule, the decisions in force that people made about it, and names the newest that demotes the whole rule.
 * Those about a single finding are in rule_judgements.
 */
const scoped = `SELECT rule.id AS rule_id, count(*) FILTER (WHERE d.outcome = 'false_positive')::integer AS dismissed,
    count(*) FILTER (WHERE d.outcome IN ('accepted_risk', 'triaged'))::integer AS confirmed,
    (array_agg(d.id ORDER BY d.made DESC) FILTER (WHERE d.outcome = 'demoted' AND d.rank = ${rankOf({ rule: [] })}))[1] AS demotion
  FROM decisions d CROSS JOIN LATERAL json_array_elements_text(d.scope->'rule') AS rule(id)
  WHERE d.org_id = $1 AND d.status = 'active' AND d.origin = 'person' AND d.finding_id IS NULL AND (d.until IS NULL OR d.until > clock_timestamp())
  GROUP BY rule.id`;

/** SQL of the judgements of the rules whose id meets a condition. */
const judged = (isAsked: (id: string) => string) => `SELECT COALESCE(j.rule_id, s.rule_id) COLLATE "C" AS id,
    COALESCE(j.dismissed, 0) + COALESCE(s.dismissed, 0) AS dismissed, COALESCE(j.confirmed, 0) + COALESCE(s.confirmed, 0) AS confirmed, s.demotion
  FROM (SELECT * FROM rule_judgements WHERE org_id = $1 AND ${isAsked('rule_id')}) j
  FULL JOIN (SELECT * FROM (${scoped}) all_rules WHERE ${isAsked('rule_id')}) s ON s.rule_id = j.rule_id`;

/** The numbers of times that people dismissed and confirmed a rule; `demotion` is the decision that demotes all of it. */
export type RuleJudgement = { id: string; dismissed: number; confirmed: number; demotion: string | null };

/** Lists the judgements of those of these rules that have any, or that are demoted. */
export async function listJudgements(db: Db, orgId: string, ids: string[]): Promise<RuleJudgement[]> {
  const { rows } = await db.query<RuleJudgement>({
    name: 'rule_judgements_list',
    text: judged((id) => `${id} = ANY($2::text[])`),
    values: [orgId, ids],
  });
  return rows;
}

/** Lists a page, by id, of the rules that people dismissed more than half of at least 20 times and that are not demoted. */
export async function listOftenDismissed(
  db: Db,
  orgId: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'rule_judgements_list_dismissed',
    text: `SELECT r.id FROM (${judged((id) => `${id} > $2`)}) r WHERE r.dismissed + r.confirmed >= ${minJudgements} AND r.dismissed > r.confirmed
             AND r.demotion IS NULL AND EXISTS (SELECT FROM findings f WHERE f.org_id = $1 AND f.rule_id = r.id) ORDER BY r.id LIMIT $3`,
    values: [orgId, after, limit],
  });
  return rows.map(({ id }) => id);
}

/** Counts the findings of these rules; rules without any are left out. */
export async function countFindingsOf(db: Db, orgId: string, ids: string[]): Promise<Array<[id: string, number]>> {
  const { rows } = await db.query<{ id: string; count: number }>({
    name: 'rules_count_findings',
    text: `SELECT rule_id AS id, count(*)::integer AS count FROM findings WHERE org_id = $1 AND rule_id = ANY($2::text[]) GROUP BY 1`,
    values: [orgId, ids],
  });
  return rows.map(({ id, count }) => [id, count]);
}
