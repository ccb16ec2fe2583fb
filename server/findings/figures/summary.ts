import { severities, severityName, severityRank } from '@assay/scanner/contract/severity.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { presentDay } from '../change-clock.ts';
import { Parameters } from '../filter.ts';
import { preparedByText, selectionOf } from '../filters/select.ts';
import type { FindingFilters } from '../filters/table.ts';
import { closed, grown, movesOfChosen, opened } from '../flows/flow-queries.ts';
import { statuses } from '../lifecycle.ts';
import { isKept, withoutFilter } from '../listing/filter-shape.ts';
import type { ColumnService } from '../live-columns/column-service.ts';
import { boundedCount, findForColumns } from '../live-columns/found.ts';
import type { CountRow } from '../live-columns/summarize.ts';
import {
  ageBands,
  countRulesAndAges,
  isOpenStatus,
  maxRules,
  nameRulesAndAges,
  type RulesAndAges,
} from './rules-and-ages.ts';
import { planSelection } from './select-findings.ts';

/** The flows of a day, and the number of currently open findings, by severity in the order of `severities`. */
type DayRow = { date: string; opened: number[]; closed: number[]; grown: number[]; now: number[] };
type DayCounts = { opened: number; closed: number; open: number };
type Day = DayCounts & { date: string; by_severity: Record<string, DayCounts> };

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
 * Returns SQL that adds up the counts in the database, since an organization has tens of thousands of them. The counts
 * have the same columns as findings, so the same conditions apply to both.
 */
const counts = (table: string, count: string, conditions: string) =>
  `SELECT data_source_id AS "dataSourceId", source, severity, status, COALESCE(${count}, 0)::bigint AS total,
     COALESCE(${count} FILTER (WHERE ${isOpenStatus}), 0)::bigint AS open
   FROM ${table} f WHERE ${conditions} GROUP BY GROUPING SETS ((data_source_id), (source, severity, status))`;

const keptCounts = (conditions: string) => counts('finding_counts', 'sum(count)', `${conditions} AND count > 0`);
const freshCounts = (conditions: string) => counts('findings', 'count(*)', conditions);

const bySeverity = (column: string) =>
  `ARRAY[${severities.map((severity) => `COALESCE(sum(f.${column}) FILTER (WHERE f.severity = ${severityRank[severity]}), 0)`)}]::integer[]`;

/**
 * Returns SQL for one row per day. `moves` selects days with a severity, the numbers of opened and closed findings, and
 * the growth of open ones; `open` selects the findings that are open now. Days start with `since.day`.
 */
const series = (moves: string, open: string, n: string, before = '') =>
  `WITH since AS MATERIALIZED (SELECT ${presentDay} AS today, ${presentDay} - (${n}::int - 1) AS day)${before}
   SELECT to_char(days.day, 'YYYY-MM-DD') AS date, ${['opened', 'closed', 'grown'].map((name) => `${bySeverity(name)} AS ${name}`).join(', ')},
     (SELECT ${bySeverity('open')} FROM (${open}) f) AS now
   FROM (SELECT each.day::date AS day FROM since, generate_series(since.day, since.today, interval '1 day') AS each(day)) days
   LEFT JOIN (SELECT LEAST(day, (SELECT today FROM since)) AS day, severity, opened, closed, grown FROM (${moves}) m) f ON f.day = days.day
   GROUP BY days.day ORDER BY days.day`;

const keptDays = (conditions: string, n: string) =>
  series(
    `SELECT day, severity, sum(${opened}) AS opened, sum(${closed}) AS closed, sum(${grown}) AS grown FROM finding_flows f
     WHERE ${conditions} AND f.day >= (SELECT day FROM since) GROUP BY day, severity`,
    `SELECT severity, count AS open FROM finding_counts f WHERE ${conditions} AND ${isOpenStatus}`,
    n,
  );

/** With other filters the series covers the findings that match now. */
const freshDays = (conditions: string, n: string) =>
  series(
    `SELECT day, severity, sum(opened) AS opened, sum(closed) AS closed, sum(opened - closed) AS grown FROM (
       SELECT (at AT TIME ZONE 'UTC')::date AS day, severity, (move IN ('new', 'reopened'))::int AS opened, (move NOT IN ('new', 'reopened'))::int AS closed
       FROM (${movesOfChosen(`(SELECT day::timestamp AT TIME ZONE 'UTC' FROM since)`)}) moved) f GROUP BY day, severity`,
    'SELECT severity, 1 AS open FROM chosen WHERE is_open',
    n,
    `, chosen AS MATERIALIZED (SELECT f.id, f.first_seen_at, f.severity, ${isOpenStatus} AS is_open FROM findings f WHERE ${conditions})`,
  );

const dayMicros = 86_400_000_000;

const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);

const total = (list: DayCounts[], name: keyof DayCounts) => sum(list.map((one) => one[name]));

/** Returns the days. The last day ends with the findings that are open now. */
function daysOf(rows: DayRow[]): Day[] {
  const open = [...(rows[0]?.now ?? [])];
  const days = rows.toReversed().map(({ date, opened, closed, grown }): Day => {
    const own = severities.map((_, index) => ({ opened: opened[index]!, closed: closed[index]!, open: open[index]! }));
    grown.forEach((by, index) => {
      open[index]! -= by;
    });
    return {
      date,
      opened: total(own, 'opened'),
      closed: total(own, 'closed'),
      open: total(own, 'open'),
      by_severity: Object.fromEntries(severities.map((severity, index) => [severity, own[index]!])),
    };
  });
  return days.reverse();
}

/** The daily figures have no status: a finding that opened or closed on a day counts whatever its status is now. */
function dayConditions(orgId: string, filters: FindingFilters, kept: boolean) {
  const parameters = new Parameters(orgId);
  const conditions = selectionOf(kept ? withoutFilter(filters, 'status') : filters, parameters);
  return { conditions, parameters };
}

const tally = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 0]));

function add(figures: Record<string, number>, name: string, count: number): void {
  figures[name] = (figures[name] ?? 0) + count;
}

/**
 * Returns the figures of the matching findings, and how many opened, closed and were open on each of the last
 * `dayCount` days (UTC). Call `sealDays` first.
 */
export async function summarizeFindings(
  database: Database,
  orgId: string,
  filters: FindingFilters,
  dayCount: number,
  { columns, signal }: { columns?: ColumnService; signal?: AbortSignal | undefined } = {},
): Promise<Summary & RulesAndAges> {
  const kept = isKept(filters);
  const daily = dayConditions(orgId, filters, kept);
  const n = daily.parameters.add(dayCount);
  // The stored counts have one index, so one plan is good for all values.
  const read = <Row extends object>(text: string, values: unknown[]) =>
    kept
      ? database.single<Row>(orgId, preparedByText(text, values), [planSelection])
      : database.single<Row>(orgId, { text, values, signal }, [boundedCount]);
  const parameters = new Parameters(orgId);
  const conditions = selectionOf(filters, parameters);
  const count = async (): Promise<[CountRow[], RulesAndAges]> => {
    const inColumns = columns && (await countInColumns(database, columns, orgId, filters, signal));
    if (inColumns)
      return [inColumns.counts, await nameRulesAndAges({ database, columns }, orgId, inColumns.rulesAndAges)];
    return Promise.all([
      read<CountRow>(kept ? keptCounts(conditions) : freshCounts(conditions), parameters.values),
      countRulesAndAges({ database, columns }, orgId, filters, signal),
    ]);
  };
  const [[counts, rulesAndAges], sources, days] = await Promise.all([
    count(),
    database.single<{ id: string; name: string }>(orgId, {
      name: 'findings_summary_data_sources',
      text: 'SELECT id, name FROM data_sources WHERE org_id = $1',
      values: [orgId],
    }),
    read<DayRow>(kept ? keptDays(daily.conditions, n) : freshDays(daily.conditions, n), daily.parameters.values),
  ]);
  const names = new Map(sources.map((row) => [row.id, row.name]));
  return { ...summaryOf(counts, names), ...rulesAndAges, daily: daysOf(days) };
}

/** Counts in columns; null if columns aren't available. */
async function countInColumns(
  database: Database,
  columns: ColumnService,
  orgId: string,
  filters: FindingFilters,
  signal: AbortSignal | undefined,
) {
  const found = await findForColumns(database, columns, orgId, filters, signal);
  if (found === null) return null;
  const ages = ageBands.flatMap((days) => (days === null ? [] : [days * dayMicros]));
  return columns.ask(orgId, 'summarize', filters, { now: Date.now() * 1_000, ages, maxRules, found });
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
