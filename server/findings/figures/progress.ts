import { severities, severityRank } from '@assay/scanner/contract/severity.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { presentDay } from '../change-clock.ts';
import { Parameters } from '../filter.ts';
import { selectionOf } from '../filters/select.ts';
import type { FindingFilters } from '../filters/table.ts';
import { movesSince, pastOf } from '../flows/flow-queries.ts';
import type { ColumnService } from '../live-columns/column-service.ts';
import { boundedCount } from '../live-columns/found.ts';
import { nameValues } from './facet-queries.ts';

/** Repairs of one severity, or of all (null), in the period or, unless `isCurrent`, in the one before. */
type RepairRow = {
  severity: number | null;
  isCurrent: boolean;
  fixed: number;
  meanDays: number;
  p90Days: number;
  kept: number;
  missed: number;
};

export type Repairs = {
  fixed: number;
  mean_days: number | null;
  p90_days: number | null;
  due_kept: number;
  due_missed: number;
};

/** `from` is the first day. */
type MoveRow = { dataSourceId: string | null; ruleId: string | null; from: string } & Moves;
export type Moves = {
  new: number;
  reopened: number;
  fixed: number;
  dismissed: number;
  removed: number;
  change: number;
};
type NamedMoves = Moves & { id: string; name: string };

export type Progress = {
  from: string;
  repairs: Repairs & { before: Repairs };
  repairs_by_severity: Record<string, Repairs & { before: Repairs }>;
  moves: Moves;
  by_data_source: NamedMoves[];
  by_rule: NamedMoves[];
};

/** The maximum number of data sources, and of rules. */
export const maxMoved = 50;

const midnight = (daysBefore: string) => `((${presentDay} - ${daysBefore})::timestamp AT TIME ZONE 'UTC')`;

/** Due times have a precision of milliseconds, like the closing time in the API. */
const closedAt = `date_trunc('milliseconds', at)`;
const days = 'extract(epoch FROM at - opened_at) / 86400';

/** $n days and as many before them. A finding that closed with its data source was not fixed. */
function repairsStatement(orgId: string, filters: FindingFilters, dayCount: number) {
  const parameters = new Parameters(orgId);
  const n = `${parameters.add(dayCount)}::integer`;
  const moves = movesSince(filters, parameters, midnight(`(2 * ${n} - 1)`));
  const text = `SELECT severity, "isCurrent", count(*) AS fixed, avg(${days})::float8 AS "meanDays",
      percentile_cont(0.9) WITHIN GROUP (ORDER BY ${days})::float8 AS "p90Days",
      count(*) FILTER (WHERE ${closedAt} <= due_at) AS kept, count(*) FILTER (WHERE ${closedAt} > due_at) AS missed
    FROM (SELECT *, at >= ${midnight(`(${n} - 1)`)} AS "isCurrent" FROM (${moves}) m WHERE move = 'resolved') r
    GROUP BY GROUPING SETS ((severity, "isCurrent"), ("isCurrent"))`;
  return { text, values: parameters.values };
}

const movedCount = (moves: string) => `count(*) FILTER (WHERE move IN (${moves}))`;

function movesStatement(orgId: string, filters: FindingFilters, dayCount: number) {
  const parameters = new Parameters(orgId);
  const n = `(${parameters.add(dayCount)}::integer - 1)`;
  const from = midnight(n);
  const text = `SELECT data_source_id AS "dataSourceId", rule_id AS "ruleId", ${movedCount(`'new'`)} AS new,
      ${movedCount(`'reopened'`)} AS reopened, ${movedCount(`'resolved'`)} AS fixed, ${movedCount(`'removed'`)} AS removed,
      ${movedCount(`'accepted', 'false_positive'`)} AS dismissed,
      2 * ${movedCount(`'new', 'reopened'`)} - count(*) AS change,
      to_char(${presentDay} - ${n}, 'YYYY-MM-DD') AS "from"
    FROM (SELECT data_source_id, rule_id, move FROM (${movesSince(filters, parameters, from)}) m
      UNION ALL SELECT f.data_source_id, f.rule_id, 'new' FROM findings f
        WHERE ${selectionOf(pastOf(filters), parameters)} AND f.first_seen_at >= ${from}) moved
    GROUP BY GROUPING SETS ((data_source_id), (rule_id), ())`;
  return { text, values: parameters.values };
}

const noRepairs: Repairs = { fixed: 0, mean_days: null, p90_days: null, due_kept: 0, due_missed: 0 };

/** Hours and minutes of days are of no use to a reader. */
const rounded = (value: number) => Math.round(value * 100) / 100;

function repairsOf(rows: RepairRow[], severity: number | null, isCurrent: boolean): Repairs {
  const row = rows.find((one) => one.severity === severity && one.isCurrent === isCurrent);
  if (!row) return noRepairs;
  const { fixed, meanDays, p90Days, kept, missed } = row;
  return { fixed, mean_days: rounded(meanDays), p90_days: rounded(p90Days), due_kept: kept, due_missed: missed };
}

const both = (rows: RepairRow[], severity: number | null) => ({
  ...repairsOf(rows, severity, true),
  before: repairsOf(rows, severity, false),
});

const movesOf = ({ dataSourceId: _dataSource, ruleId: _rule, from: _from, ...moves }: MoveRow): Moves => moves;

const worstFirst = (a: MoveRow, b: MoveRow) =>
  b.change - a.change || b.new - a.new || ((a.ruleId ?? a.dataSourceId)! < (b.ruleId ?? b.dataSourceId)! ? -1 : 1);

/** Returns the rows that grew most and those that shrank most, with at most `maxMoved` together. */
function mostMoved(rows: MoveRow[]): MoveRow[] {
  if (rows.length <= maxMoved) return rows.sort(worstFirst);
  const chosen = rows.toSorted((a, b) => Math.abs(b.change) - Math.abs(a.change) || b.new - a.new).slice(0, maxMoved);
  return chosen.sort(worstFirst);
}

/**
 * Returns how the matching findings moved in the last `dayCount` days (UTC, including the present one), by data source
 * and rule, with the times to fix and the due dates kept in these days and in as many before. Call `sealDays` first.
 */
export async function findProgress(
  database: Database,
  orgId: string,
  filters: FindingFilters,
  dayCount: number,
  { columns, signal }: { columns?: ColumnService; signal?: AbortSignal | undefined } = {},
): Promise<Progress> {
  const read = <Row extends object>({ text, values }: { text: string; values: unknown[] }) =>
    database.single<Row>(orgId, { text, values, signal }, [boundedCount]);
  const [repairs, moved] = await Promise.all([
    read<RepairRow>(repairsStatement(orgId, filters, dayCount)),
    read<MoveRow>(movesStatement(orgId, filters, dayCount)),
  ]);
  const dataSources = mostMoved(moved.filter((row) => row.dataSourceId !== null));
  const rules = mostMoved(moved.filter((row) => row.ruleId !== null));
  const names = await nameValues({ database, columns }, orgId, [
    ...dataSources.map((row) => ({ field: 'data_source' as const, value: row.dataSourceId! })),
    ...rules.map((row) => ({ field: 'rule' as const, value: row.ruleId! })),
  ]);
  const named = (field: 'data_source' | 'rule', id: string, row: MoveRow): NamedMoves => ({
    ...{ id, name: names.get(`${field} ${id}`) ?? id },
    ...movesOf(row),
  });
  const all = moved.find((row) => row.dataSourceId === null && row.ruleId === null)!;
  return {
    from: all.from,
    repairs: both(repairs, null),
    repairs_by_severity: Object.fromEntries(
      severities.map((severity) => [severity, both(repairs, severityRank[severity])]),
    ),
    moves: movesOf(all),
    by_data_source: dataSources.map((row) => named('data_source', row.dataSourceId!, row)),
    by_rule: rules.map((row) => named('rule', row.ruleId!, row)),
  };
}
