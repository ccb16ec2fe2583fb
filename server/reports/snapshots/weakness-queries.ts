import type { Db } from '../../platform/postgres/database.ts';
import { isOpen, type Scope, select } from './head-queries.ts';

export type WeaknessRow = {
  /** The identifiers of examples of the rule, in which a CWE may be found. */
  identifiers: string[][];
  source: string;
  ruleId: string;
  isPackage: boolean;
  severity: number;
  count: number;
};

/** The number of rules whose weaknesses are looked up: those with the most findings. */
const maxRules = 20_000;
const examplesOfRule = 3;

/**
 * Counts open findings by rule and severity, each rule with the identifiers of its latest findings: a tool that leaves the
 * CWE out of one finding may name it in another.
 */
export const countWeaknesses = (tx: Db, orgId: string, scope: Scope): Promise<WeaknessRow[]> =>
  select(
    tx,
    orgId,
    scope,
    (where) => `WITH counts AS MATERIALIZED (
        SELECT f.rule_id, f.severity, min(f.source) AS source, count(*) AS count
        FROM findings f WHERE ${where} AND ${isOpen} GROUP BY 1, 2),
      rules AS MATERIALIZED (
        SELECT rule_id, min(source) AS source FROM counts GROUP BY 1 ORDER BY sum(count) DESC, rule_id LIMIT ${maxRules})
      SELECT example.identifiers, rules.source, rules.rule_id AS "ruleId", example."isPackage", counts.severity, counts.count
      FROM rules JOIN counts USING (rule_id) CROSS JOIN LATERAL (
        SELECT json_agg(e.identifiers) AS identifiers, bool_or(e.package) AS "isPackage" FROM (
          SELECT f.facts->'identifiers' AS identifiers, f.facts #>> '{location,package,name}' IS NOT NULL AS package
          FROM findings f WHERE f.org_id = $1 AND f.rule_id = rules.rule_id
          ORDER BY f.first_seen_at DESC, f.id DESC LIMIT ${examplesOfRule}) e) example`,
  );

export type ScoreRow = { severity: number; cvss: 'critical' | 'high' | 'medium' | 'low' | 'info'; count: number };

/** The bit of `urgency_bits` that says that there is a CVSS score. */
const hasScore = 4;

/** Counts open findings with a CVSS score by the severity of the tool and that of the score. */
export const countScores = (tx: Db, orgId: string, scope: Scope): Promise<ScoreRow[]> =>
  select(
    tx,
    orgId,
    scope,
    (
      where,
    ) => `SELECT severity, CASE WHEN score >= 9 THEN 'critical' WHEN score >= 7 THEN 'high' WHEN score >= 4 THEN 'medium'
          WHEN score > 0 THEN 'low' ELSE 'info' END AS cvss, count(*) AS count
      FROM (SELECT f.severity, (f.facts->>'cvss_score')::numeric AS score FROM findings f
        WHERE ${where} AND ${isOpen} AND f.urgency_bits & ${hasScore} <> 0) scored
      WHERE score IS NOT NULL GROUP BY 1, 2`,
  );
