import type { Db } from '../../platform/postgres/database.ts';

export type IdentifierRow = {
  ruleId: string;
  /** The identifiers of examples of the rule, in which a CWE may be found. */
  identifiers: string[][];
  isPackage: boolean;
};

const examplesOfRule = 3;

/** Returns the identifiers of the latest of the most severe findings of rules: a tool that leaves the CWE out of one may name it in another. */
export async function listIdentifiers(tx: Db, orgId: string, ruleIds: string[]): Promise<IdentifierRow[]> {
  const { rows } = await tx.query<IdentifierRow>({
    name: 'report_identifiers_list',
    text: `SELECT rules.rule_id AS "ruleId", json_agg(e.identifiers) AS identifiers, bool_or(e.package) AS "isPackage"
           FROM unnest($2::text[]) AS rules(rule_id) CROSS JOIN LATERAL (
             SELECT f.facts->'identifiers' AS identifiers, f.facts #>> '{location,package,name}' IS NOT NULL AS package
             FROM findings f WHERE f.org_id = $1 AND f.rule_id = rules.rule_id
             ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC LIMIT ${examplesOfRule}) e
           GROUP BY 1`,
    values: [orgId, ruleIds],
  });
  return rows;
}
