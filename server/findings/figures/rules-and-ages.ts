import type { Database } from '../../platform/postgres/database.ts';
import { type FindingFilters, preparedByText } from '../filters.ts';
import { openStatuses } from '../lifecycle.ts';
import { severities, severityName } from '../severity.ts';
import { nameValues } from './facet-queries.ts';
import { planSelection } from './measure-filters.ts';
import { selectFindings } from './select-findings.ts';

/** The upper bounds of the bands of age, in days; the last band has none. */
export const ageBands = [7, 30, 90, 180, 365, null] as const;
export const maxRules = 20;

export type RulesAndAges = {
  by_rule: Array<{ id: string; name: string; open: number; total: number }>;
  by_age: Array<{ up_to_days: number | null; open: number; by_severity: Record<string, number> }>;
  approximate: boolean;
};

type Row = { kind: 'all' | 'rule' | 'age'; value: string; severity: number | null; open: number; total: number };

/** SQL of whether a row with a `status` counts as open. */
export const isOpenStatus = `status IN (${openStatuses.map((status) => `'${status}'`).join(', ')})`;
const band = `width_bucket(extract(epoch FROM now() - first_seen_at)::float8 / 86400, ARRAY[${ageBands.slice(0, -1)}]::float8[])`;

const figures = (chosen: string) => `WITH chosen AS MATERIALIZED (${chosen})
  SELECT 'all' AS kind, COALESCE(max(spot), 0)::text AS value, NULL::smallint AS severity,
    count(*) FILTER (WHERE ${isOpenStatus}) AS open, count(*) AS total FROM chosen
  UNION ALL SELECT 'age', (${band})::text, severity, count(*), 0 FROM chosen WHERE ${isOpenStatus} GROUP BY 2, 3
  UNION ALL (SELECT 'rule', rule_id, NULL, count(*) FILTER (WHERE ${isOpenStatus}), count(*) FROM chosen
    GROUP BY rule_id ORDER BY 4 DESC, 5 DESC, 2 LIMIT ${maxRules})`;

/**
 * Counts the findings that the filters select by rule, the rules with the most open findings first, and the open ones by
 * age. Estimates are made to fit the numbers that are known.
 */
export async function countRulesAndAges(
  database: Database,
  orgId: string,
  filters: FindingFilters,
  known: Promise<{ open: number; total: number }>,
): Promise<RulesAndAges> {
  const selection = await selectFindings(database, orgId, filters);
  const statement = preparedByText(figures(selection.sql), selection.parameters.values);
  const rows = await database.single<Row>(orgId, statement, [planSelection]);
  const all = rows.find((row) => row.kind === 'all')!;
  const exact = selection.sampled ? await known : null;
  const scale = selection.scale({ count: all.total, lastSpot: Number(all.value) });
  const fit = (counted: number, number: number | undefined) =>
    number === undefined || counted === 0 ? scale : number / counted;
  const open = (count: number) => Math.round(count * fit(all.open, exact?.open));
  const total = (count: number) => Math.round(count * fit(all.total, exact?.total));
  const rules = rows.filter((row) => row.kind === 'rule');
  const ids = rules.map((row) => row.value);
  const names = await nameValues(database, orgId, { rule: ids });
  const inBand = (index: number) => rows.filter((row) => row.kind === 'age' && row.value === String(index));
  return {
    by_rule: rules.map((row) => ({
      id: row.value,
      name: names.get(`rule ${row.value}`) ?? row.value,
      open: open(row.open),
      total: total(row.total),
    })),
    by_age: ageBands.map((days, index) => {
      const counts = new Map(inBand(index).map((row) => [severityName(row.severity!), open(row.open)]));
      const by_severity = Object.fromEntries(severities.map((severity) => [severity, counts.get(severity) ?? 0]));
      return { up_to_days: days, open: Object.values(by_severity).reduce((sum, count) => sum + count, 0), by_severity };
    }),
    approximate: selection.sampled,
  };
}
