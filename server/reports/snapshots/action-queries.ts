import type { Db } from '../../platform/postgres/database.ts';
import { scoreSql } from '../analysis/action-score.ts';
import { isOpen, type Scope, select } from './head-queries.ts';

/** The open findings that one action closes. `bySeverity` is in the order of ranks: info first. */
export type WorkRow = {
  findings: number;
  bySeverity: number[];
  score: number;
  priority: number;
  dueAt: Date | null;
  overdue: number;
  /** Those with the most findings first, at most 200. */
  dataSourceIds: string[];
  dataSourceCount: number;
  /** The most urgent finding. */
  findingId: string;
  /** The number of all such actions. */
  total: number;
};

/** The bit of `urgency_bits` that says that a fixed version is known. */
const fixAvailable = 2;

const bySeverity = [0, 1, 2, 3, 4].map((rank) => `count(*) FILTER (WHERE severity = ${rank})`).join(', ');

const listOf = (keys: string[], prefix = '') => keys.map((key) => `${prefix}${key}`).join(', ');

/**
 * Returns SQL for the groups of the open findings `open` that count most, as a `WorkRow` with the keys of the group. Only
 * the findings of these groups are looked at again.
 */
const largestGroups = (open: string, keys: string[], columns: string, at: string, limit: number) => {
  const inGroup = keys.map((key) => `open.${key} = g.${key}`).join(' AND ');
  return `WITH open AS MATERIALIZED (${open}),
    grouped AS (SELECT ${columns}, count(*) AS findings, ARRAY[${bySeverity}]::integer[] AS "bySeverity",
        sum(${scoreSql})::float8 AS score, max(priority) AS priority, NULLIF(min(due_at), 'infinity') AS "dueAt",
        count(*) FILTER (WHERE due_at < ${at}) AS overdue
      FROM open GROUP BY ${listOf(keys)}),
    largest AS MATERIALIZED (
      SELECT *, count(*) OVER () AS total, row_number() OVER (ORDER BY score DESC, ${listOf(keys)}) AS place
      FROM grouped WHERE score > 0 ORDER BY score DESC, ${listOf(keys)} LIMIT ${limit}),
    own AS MATERIALIZED (SELECT g.place, open.* FROM open JOIN largest g ON ${inGroup}),
    places AS (SELECT place, array_agg(data_source_id ORDER BY findings DESC, data_source_id) AS ids FROM (
      SELECT place, data_source_id, count(*) AS findings FROM own GROUP BY 1, 2) p GROUP BY 1),
    examples AS (SELECT DISTINCT ON (place) place, id FROM own
      ORDER BY place, severity DESC, priority DESC, first_seen_at, id)
  SELECT g.*, places.ids[1:200] AS "dataSourceIds", cardinality(places.ids) AS "dataSourceCount",
    examples.id AS "findingId"
  FROM largest g JOIN places USING (place) JOIN examples USING (place) ORDER BY place`;
};

const workColumns = 'f.id, f.severity, f.priority, f.due_at, f.first_seen_at, f.data_source_id';

export type UpgradeRow = WorkRow & {
  ecosystem: string;
  name: string;
  /** Distinct pairs of the present and the fixed version, at most 200. */
  versions: Array<{ version: string | null; fixed: string }>;
};

/** Returns the packages whose upgrade closes most, of the findings with a known fix. */
export const listUpgrades = (tx: Db, orgId: string, scope: Scope, limit: number): Promise<UpgradeRow[]> =>
  select(tx, orgId, scope, (where, parameters) => {
    const open = `SELECT ${workColumns}, COALESCE(p.ecosystem, '') AS ecosystem, p.name, p.version, p.fixed_version AS fixed
      FROM findings f CROSS JOIN LATERAL json_to_record(f.facts #> '{location,package}')
        AS p(ecosystem text, name text, version text, fixed_version text)
      WHERE ${where} AND ${isOpen} AND f.urgency_bits & ${fixAvailable} <> 0 AND p.fixed_version <> ''`;
    const versions = `(array_agg(DISTINCT jsonb_build_object('version', version, 'fixed', fixed)))[1:200] AS versions`;
    const at = `${parameters.add(scope.at)}::timestamptz`;
    return largestGroups(open, ['ecosystem', 'name'], `ecosystem, name, ${versions}`, at, limit);
  });

export type RuleWorkRow = WorkRow & { ruleId: string; source: string };

/** Returns the rules whose open findings count most, of the findings without a known fixed version. */
export const listRuleWork = (tx: Db, orgId: string, scope: Scope, limit: number): Promise<RuleWorkRow[]> =>
  select(tx, orgId, scope, (where, parameters) => {
    const open = `SELECT ${workColumns}, f.source, f.rule_id FROM findings f
      WHERE ${where} AND ${isOpen} AND f.urgency_bits & ${fixAvailable} = 0`;
    const at = `${parameters.add(scope.at)}::timestamptz`;
    return largestGroups(open, ['source', 'rule_id'], 'source, rule_id, rule_id AS "ruleId"', at, limit);
  });

export type ExampleRow = {
  id: string;
  title: string;
  rule: { id: string; name: string; url: string | null };
  identifiers: string[];
  remediation: string | null;
  package: { ecosystem: string; name: string; version: string | null } | null;
};

/** Returns what the tools say about findings. */
export async function listExamples(tx: Db, orgId: string, ids: string[]): Promise<ExampleRow[]> {
  const { rows } = await tx.query<ExampleRow>({
    name: 'report_examples_list',
    text: `SELECT id, title, facts->'rule' AS rule, facts->'identifiers' AS identifiers, facts->>'remediation' AS remediation,
             facts #> '{location,package}' AS package
           FROM findings WHERE org_id = $1 AND id = ANY($2::text[])`,
    values: [orgId, ids],
  });
  return rows;
}
