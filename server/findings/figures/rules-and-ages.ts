import { severities, severityName } from '@assay/scanner/contract/severity.ts';
import type { FindingFilters } from '../filters/table.ts';
import { openStatuses } from '../lifecycle.ts';
import type { RuleOrAge } from '../live-columns/summarize.ts';
import { nameValues, type Reads } from './facet-queries.ts';
import { countRows, selectFindings } from './select-findings.ts';

/** The upper bounds of the age bands, in days; the last band has none. */
export const ageBands = [7, 30, 90, 180, 365, null] as const;
export const maxRules = 20;

export type RulesAndAges = {
  by_rule: Array<{ id: string; name: string; open: number; total: number }>;
  by_age: Array<{ up_to_days: number | null; open: number; by_severity: Record<string, number> }>;
};

/** SQL of whether a row with a `status` counts as open. */
export const isOpenStatus = `status IN (${openStatuses.map((status) => `'${status}'`).join(', ')})`;
const band = `width_bucket(extract(epoch FROM now() - first_seen_at)::float8 / 86400, ARRAY[${ageBands.slice(0, -1)}]::float8[])`;

/** Returns SQL that counts a selection by rule and by age in one pass. */
const figures = (chosen: string) => `WITH counted AS MATERIALIZED (
    SELECT GROUPING(rule_id) = 1 AS "isAge", rule_id, age, severity, count(*) FILTER (WHERE ${isOpenStatus}) AS open, count(*) AS total
    FROM (SELECT *, ${band} AS age FROM (${chosen}) chosen) chosen GROUP BY GROUPING SETS ((rule_id), (age, severity)))
  SELECT 'age' AS kind, age::text AS value, severity, open, 0 AS total FROM counted WHERE "isAge" AND open > 0
  UNION ALL (SELECT 'rule', rule_id, NULL, open, total FROM counted WHERE NOT "isAge" ORDER BY 4 DESC, 5 DESC, 2 LIMIT ${maxRules})`;

/** Counts the matching findings by rule, rules with the most open findings first, and the open ones by age. */
export async function countRulesAndAges(
  reads: Reads,
  orgId: string,
  filters: FindingFilters,
  signal?: AbortSignal,
): Promise<RulesAndAges> {
  const selection = selectFindings(orgId, filters);
  const rows = await countRows<RuleOrAge>(reads.database, orgId, selection, figures(selection.sql), signal);
  return nameRulesAndAges(reads, orgId, rows);
}

/** Returns the figures of these rows, with the names of rules. */
export async function nameRulesAndAges(reads: Reads, orgId: string, rows: readonly RuleOrAge[]): Promise<RulesAndAges> {
  const rules = rows.filter((row) => row.kind === 'rule');
  const names = await nameValues(
    reads,
    orgId,
    rules.map(({ value }) => ({ field: 'rule', value })),
  );
  const inBand = (index: number) => rows.filter((row) => row.kind === 'age' && row.value === String(index));
  return {
    by_rule: rules.map((row) => ({
      id: row.value,
      name: names.get(`rule ${row.value}`) ?? row.value,
      open: row.open,
      total: row.total,
    })),
    by_age: ageBands.map((days, index) => {
      const counts = new Map(inBand(index).map((row) => [severityName(row.severity!), row.open]));
      const by_severity = Object.fromEntries(severities.map((severity) => [severity, counts.get(severity) ?? 0]));
      return { up_to_days: days, open: Object.values(by_severity).reduce((sum, count) => sum + count, 0), by_severity };
    }),
  };
}
