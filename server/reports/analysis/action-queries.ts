import type { Severity } from '@assay/scanner/contract/severity.ts';
import { remediationOf } from '../../findings/finding-sql.ts';
import { ruleOf } from '../../findings/shared-texts.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { scoreSql } from './action-score.ts';
import { isOpen, type Scope, select } from './head-queries.ts';

/** The open findings that one action closes. `bySeverity` is in the order of ranks: info first. */
export type WorkRow = {
  findings: number;
  bySeverity: number[];
  score: number;
  priority: number;
  dueAt: Date | null;
  overdue: number;
  /** The data sources with the most findings first, at most 200. */
  dataSourceIds: string[];
  dataSourceCount: number;
  /** The most urgent finding. */
  findingId: string;
  /** The number of all such actions with a score. */
  total: number;
};

export type UpgradeRow = WorkRow & {
  ecosystem: string;
  name: string;
  /** Distinct pairs of the current and the fixed version, at most 200. */
  versions: Array<{ version: string | null; fixed: string }>;
};

/** A version of a package that has findings without a known fixed version. */
export type ReplacementRow = WorkRow & { ecosystem: string; name: string; version: string };

export type RuleWorkRow = WorkRow & { ruleId: string; source: string };

/** The number of findings with a CVSS score, by the severity of the tool and that of the score. */
export type ScoreRow = { severity: number; cvss: Severity; count: number };

/** The actions that open findings require. */
export type OpenWork = {
  /** The packages whose upgrade closes most findings with a known fix. */
  upgrades: UpgradeRow[];
  /** The package versions whose replacement closes most findings without a known fix. */
  replacements: ReplacementRow[];
  /** The rules with the highest total score among the remaining findings. */
  rules: RuleWorkRow[];
  scores: ScoreRow[];
};

/** The bit of `urgency_bits` for findings with a CVSS score. */
const hasScore = 4;

const bySeverity = [0, 1, 2, 3, 4].map((rank) => `count(*) FILTER (WHERE severity = ${rank})`).join(', ');

const listOf = (keys: string[]) => keys.join(', ');

/**
 * Returns SQL of the query `name` for the groups of open findings with the highest scores, as a `WorkRow` with the keys
 * of the group. Only the findings of these groups are read a second time.
 */
const largestGroups = (name: string, condition: string, keys: string[], columns: string, at: string, limit: number) => {
  const inGroup = keys.map((key) => `open.${key} = g.${key}`).join(' AND ');
  return `${name}_largest AS MATERIALIZED (
      SELECT *, count(*) FILTER (WHERE score > 0) OVER () AS total, row_number() OVER (ORDER BY score DESC, ${listOf(keys)}) AS place FROM (
        SELECT ${columns}, count(*) AS findings, ARRAY[${bySeverity}]::integer[] AS "bySeverity",
          sum(${scoreSql}) AS score, max(priority) AS priority, NULLIF(min(due_at), 'infinity') AS "dueAt",
          count(*) FILTER (WHERE due_at < ${at}) AS overdue
        FROM open WHERE ${condition} GROUP BY ${listOf(keys)}) grouped
      ORDER BY score DESC, ${listOf(keys)} LIMIT ${limit}),
    ${name}_own AS MATERIALIZED (
      SELECT g.place, open.id, open.data_source_id, open.severity, open.priority, open.first_seen_at
      FROM open JOIN ${name}_largest g ON ${inGroup} WHERE ${condition}),
    ${name}_places AS (SELECT place, array_agg(data_source_id ORDER BY findings DESC, data_source_id) AS ids FROM (
      SELECT place, data_source_id, count(*) AS findings FROM ${name}_own GROUP BY 1, 2) p GROUP BY 1),
    ${name}_examples AS (SELECT DISTINCT ON (place) place, id FROM ${name}_own
      ORDER BY place, severity DESC, priority DESC, first_seen_at, id),
    ${name} AS (SELECT g.*, places.ids[1:200] AS "dataSourceIds", cardinality(places.ids) AS "dataSourceCount",
        examples.id AS "findingId"
      FROM ${name}_largest g JOIN ${name}_places places USING (place) JOIN ${name}_examples examples USING (place)
      ORDER BY place)`;
};

/** The members of an `OpenWork`. */
const members = () => [jsonOf('upgrades'), jsonOf('replacements'), jsonOf('rules'), jsonOf('scores')];

const severityOfScore = `CASE WHEN score >= 9 THEN 'critical' WHEN score >= 7 THEN 'high' WHEN score >= 4 THEN 'medium'
  WHEN score > 0 THEN 'low' ELSE 'info' END`;

const jsonOf = (name: string, member = name) => `'${member}', (SELECT COALESCE(json_agg(q), '[]') FROM ${name} q)`;

/**
 * Reads the open findings once and returns the actions that they require. Their texts are read only if a column needs
 * them.
 */
export async function findOpenWork(
  tx: Db,
  orgId: string,
  scope: Scope,
  max: { upgrades: number; rules: number },
): Promise<OpenWork> {
  const [row] = await select<{ work: OpenWork }>(tx, orgId, scope, (where, parameters) => {
    const at = `${parameters.add(scope.at)}::timestamptz`;
    const versions = `(array_agg(DISTINCT jsonb_build_object('version', version, 'fixed', fixed)))[1:200] AS versions`;
    const noFix = 'open.fixed IS NULL AND open.name IS NOT NULL';
    const packageKeys = ['ecosystem', 'name', 'present'];
    const packageColumns = 'ecosystem, name, present, present AS version';
    const ruleColumns = 'source, rule_id, rule_id AS "ruleId"';
    return `WITH open AS MATERIALIZED (
        SELECT f.id, f.severity, f.priority, f.due_at, f.first_seen_at, f.data_source_id, f.source, f.rule_id,
          COALESCE(f.ecosystem, '') AS ecosystem, f.package_name AS name, f.package_version AS version,
          COALESCE(f.package_version, '') AS present, NULLIF(f.fixed_version, '') AS fixed,
          CASE WHEN f.urgency_bits & ${hasScore} <> 0 THEN f.cvss END AS score
        FROM findings f WHERE ${where} AND ${isOpen}),
      ${largestGroups('upgrades', 'open.fixed IS NOT NULL', ['ecosystem', 'name'], `ecosystem, name, ${versions}`, at, max.upgrades)},
      ${largestGroups('replacements', noFix, packageKeys, packageColumns, at, max.upgrades)},
      ${largestGroups('rules', 'open.fixed IS NULL AND open.name IS NULL', ['source', 'rule_id'], ruleColumns, at, max.rules)},
      scores AS (SELECT severity, ${severityOfScore} AS cvss, count(*) AS count
        FROM open WHERE score IS NOT NULL GROUP BY 1, 2)
      SELECT json_build_object(${members().join(', ')}) AS work`;
  });
  const { upgrades, replacements, rules, ...counts } = row!.work;
  return {
    upgrades: upgrades.map(withDate),
    replacements: replacements.map(withDate),
    rules: rules.map(withDate),
    ...counts,
  };
}

/** JSON has no dates. */
const withDate = <Row extends WorkRow>(row: Row): Row => ({ ...row, dueAt: row.dueAt && new Date(row.dueAt) });

export type ExampleRow = {
  id: string;
  title: string;
  rule: { id: string; name: string; url: string | null };
  identifiers: string[];
  remediation: string | null;
  path: string | null;
  url: string | null;
  package: { ecosystem: string; name: string; version: string | null } | null;
};

/** Returns the tools' texts about findings. */
export async function listExamples(tx: Db, orgId: string, ids: string[]): Promise<ExampleRow[]> {
  const { rows } = await tx.query<ExampleRow>({
    name: 'report_examples_list',
    text: `SELECT id, title, ${ruleOf} AS rule, identifiers, ${remediationOf} AS remediation, path, url,
             CASE WHEN in_package THEN json_build_object('ecosystem', ecosystem, 'name', package_name, 'version', package_version) END AS package
           FROM findings f WHERE org_id = $1 AND id = ANY($2::text[])`,
    values: [orgId, ids],
  });
  return rows;
}
