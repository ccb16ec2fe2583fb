import type { Database } from '../../platform/postgres/database.ts';
import { Parameters } from '../filter.ts';
import { preparedByText, selectionOf } from '../filters/select.ts';
import type { FindingFilters } from '../filters/table.ts';
import { type Status, statuses } from '../lifecycle.ts';
import { isKept } from '../listing/filter-shape.ts';
import { severities, severityName, severityRank } from '../severity.ts';
import { planSelection } from './measure-filters.ts';
import { countRulesAndAges, isOpenStatus, type RulesAndAges } from './rules-and-ages.ts';
import { boundedCount } from './select-findings.ts';

/** The findings of a data source, or those of a source, severity and status: the others are null. */
type CountRow = { total: number; open: number } & (
  | { dataSourceId: string; source: null; severity: null; status: null }
  | { dataSourceId: null; source: string; severity: number; status: Status }
);
/** The findings opened and closed on a day, by severity in the order of `severities`. */
type DayRow = { date: string; opened: number[]; closed: number[] };
type Day = {
  date: string;
  opened: number;
  closed: number;
  by_severity: Record<string, { opened: number; closed: number }>;
};

export type Summary = {
  total: number;
  open: number;
  by_severity: Record<string, number>;
  by_status: Record<string, number>;
  by_source: Record<string, number>;
  by_data_source: Array<{ id: string; name: string; open: number; total: number }>;
  daily: Day[];
};

/**
 * Returns SQL that adds up the counts in the database, since an organization has tens of thousands of figures. The
 * figures have the same columns as findings, so the same conditions apply to both.
 */
const counts = (table: string, count: string, conditions: string) =>
  `SELECT data_source_id AS "dataSourceId", source, severity, status, COALESCE(${count}, 0)::bigint AS total,
     COALESCE(${count} FILTER (WHERE ${isOpenStatus}), 0)::bigint AS open
   FROM ${table} f WHERE ${conditions} GROUP BY GROUPING SETS ((data_source_id), (source, severity, status))`;

const keptCounts = (conditions: string) => counts('finding_counts', 'sum(count)', `${conditions} AND count > 0`);
const freshCounts = (conditions: string) => counts('findings', 'count(*)', conditions);

const today = `(now() AT TIME ZONE 'UTC')::date`;

const days = (n: string) => `SELECT day::date FROM generate_series(
  ${today} - (${n}::int - 1), ${today}, interval '1 day') AS day`;

const bySeverity = (column: string) =>
  `ARRAY[${severities.map((severity) => `COALESCE(sum(f.${column}) FILTER (WHERE f.severity = ${severityRank[severity]}), 0)`)}]::integer[]`;

/** Returns SQL for a row for each day; `moves` selects days with a severity and how many opened and closed. */
const series = (moves: string, n: string) =>
  `SELECT to_char(days.day, 'YYYY-MM-DD') AS date, ${bySeverity('opened')} AS opened, ${bySeverity('closed')} AS closed
   FROM (${days(n)}) days LEFT JOIN (${moves}) f ON f.day = days.day GROUP BY days.day ORDER BY days.day`;

const keptDays = (conditions: string, n: string) =>
  series(
    `SELECT day, severity, sum(opened) AS opened, sum(closed) AS closed FROM finding_daily f
     WHERE ${conditions} AND f.day >= ${today} - (${n}::int - 1) GROUP BY day, severity`,
    n,
  );

/** With other filters the series shows when the findings that they select now were first seen and closed. */
const freshDays = (conditions: string, n: string) =>
  `WITH chosen AS (SELECT first_seen_at, closed_at, severity FROM findings f WHERE ${conditions})
   ${series(
     `SELECT (first_seen_at AT TIME ZONE 'UTC')::date AS day, severity, count(*) AS opened, 0 AS closed FROM chosen GROUP BY 1, 2
      UNION ALL SELECT (closed_at AT TIME ZONE 'UTC')::date, severity, 0, count(*) FROM chosen GROUP BY 1, 2`,
     n,
   )}`;

const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);

const dayOf = ({ date, opened, closed }: DayRow): Day => ({
  date,
  opened: sum(opened),
  closed: sum(closed),
  by_severity: Object.fromEntries(
    severities.map((severity, index) => [severity, { opened: opened[index]!, closed: closed[index]! }]),
  ),
});

/** The daily figures have no status: a finding that opened or closed on a day did so whatever its status is now. */
function dayConditions(orgId: string, filters: FindingFilters, kept: boolean) {
  const parameters = new Parameters(orgId);
  const conditions = selectionOf(kept ? { ...filters, status: undefined } : filters, parameters);
  return { conditions, parameters };
}

const tally = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 0]));

function add(figures: Record<string, number>, name: string, count: number): void {
  figures[name] = (figures[name] ?? 0) + count;
}

/**
 * Returns the figures of the findings that the filters select, and how many opened and closed on each of the last
 * `dayCount` days (UTC).
 */
export async function summarizeFindings(
  database: Database,
  orgId: string,
  filters: FindingFilters,
  dayCount: number,
  signal?: AbortSignal,
): Promise<Summary & RulesAndAges> {
  const kept = isKept(filters);
  const parameters = new Parameters(orgId);
  const conditions = selectionOf(filters, parameters);
  const daily = dayConditions(orgId, filters, kept);
  const n = daily.parameters.add(dayCount);
  // The kept figures have one index, so that one plan is good for all values.
  const read = <Row extends object>(text: string, values: unknown[]) =>
    kept
      ? database.single<Row>(orgId, preparedByText(text, values), [planSelection])
      : database.single<Row>(orgId, { text, values, signal }, [boundedCount]);
  const counting = Promise.all([
    read<CountRow>(kept ? keptCounts(conditions) : freshCounts(conditions), parameters.values),
    database.single<{ id: string; name: string }>(orgId, {
      name: 'findings_summary_data_sources',
      text: 'SELECT id, name FROM data_sources WHERE org_id = $1',
      values: [orgId],
    }),
  ]).then(([rows, sources]) => summaryOf(rows, new Map(sources.map((row) => [row.id, row.name]))));
  const [summary, daysCounted, rulesAndAges] = await Promise.all([
    counting,
    read<DayRow>(kept ? keptDays(daily.conditions, n) : freshDays(daily.conditions, n), daily.parameters.values),
    countRulesAndAges(database, orgId, filters, signal),
  ]);
  return { ...summary, ...rulesAndAges, daily: daysCounted.map(dayOf) };
}

function summaryOf(counts: CountRow[], names: Map<string, string>): Omit<Summary, 'daily'> {
  const summary = {
    total: 0,
    open: 0,
    by_severity: tally(severities),
    by_status: tally(statuses),
    by_source: {} as Record<string, number>,
  };
  const dataSources: Summary['by_data_source'] = [];
  for (const { dataSourceId: id, source, severity, status, total, open } of counts) {
    if (id !== null) {
      dataSources.push({ id, name: names.get(id) ?? '', open, total });
      continue;
    }
    summary.total += total;
    summary.open += open;
    add(summary.by_source, source, total);
    add(summary.by_severity, severityName(severity), total);
    add(summary.by_status, status, total);
  }
  const by_data_source = dataSources.sort((a, b) => b.open - a.open || b.total - a.total || (a.id < b.id ? -1 : 1));
  return { ...summary, by_data_source };
}
