import { planWithoutValues } from '../../platform/postgres/statement.ts';
import type { Parameters } from '../filter.ts';
import { conditionsOf, rangeConditions, traitConditions } from '../filters/select.ts';
import type { FilterName, FindingFilters } from '../filters/table.ts';
import { type Order, orders, type Sort } from '../orders.ts';
import { chooseWalk, dayBefore, type Ordered, type Walk } from './choose-walk.ts';
import { afterPosition, orderBy, readTime } from './list-order.ts';

export type ListRequest = Ordered & {
  limit: number;
  /** SQL of further members of each finding, as `findingJson` takes it. */
  members?: string;
  /** The only fields to return besides `id`; all by default. */
  fields?: readonly string[] | undefined;
  /** SQL of the text to return for each finding `f` instead of its JSON. */
  text?: (parameters: Parameters) => string;
  /** The maximum number of index entries that the last walk reads; no limit by default. */
  maxWalk?: number;
};

/** Holds back changes that a running transaction may still precede: see change-clock.ts. */
export const horizon = (sort: Sort) =>
  sort === 'updated_at' ? [`f.updated_at < current_setting('app.changes_before')::timestamptz`] : [];

const only = (filters: FindingFilters, keep: (filter: FilterName) => boolean): FindingFilters =>
  Object.fromEntries(
    Object.entries(filters).filter(([filter, value]) => value !== undefined && keep(filter as FilterName)),
  );

/** The sort key as text, as a position has it: the columns `k0`, `k1`, … */
export const keysAsText = (order: Order) =>
  order.columns.map((column, index) => `f.${column}::text AS k${index}`).join(', ');

const keyColumns = (order: Order) => order.columns.map((column) => `f.${column}`).join(', ');

/** The columns of an index entry that a list in this order reads. */
export const entryColumns = (sort: Sort) => [
  ...new Set([...orders[sort].columns, 'first_seen_at', 'updated_at', 'traits']),
];

/**
 * Returns the findings of ordered keys that meet the filters, and reads no further than needed. OFFSET 0 keeps the
 * conditions out of the lookup: each finding is read by its id, whatever the planner thinks of the filters.
 */
export function confirm(keys: string, { sort, limit }: ListRequest, conditions: string[]) {
  return `SELECT f.* FROM (${keys}) k
            CROSS JOIN LATERAL (SELECT * FROM findings WHERE org_id = $1 AND id = k.id OFFSET 0) f
          WHERE ${conditions.join(' AND ') || 'true'}
          ORDER BY ${orderBy(orders[sort], (column) => `k.${column}`)} LIMIT ${limit}`;
}

export type WalkPage = {
  sql: string;
  /** Whether several ranges are merged: see mergeRanges. */
  merges: boolean;
  /**
   * A statement that returns the last entry of the window, as a position, if the walk stopped there with entries left;
   * null when it always goes to the end.
   */
  findCut: ((parameters: Parameters) => string) | null;
};

/**
 * Runs before every statement of a list, in its transaction: each shape of statement is planned once per connection.
 * Planning it for the values of each request costs as much as running it.
 */
export const planOnce = planWithoutValues();

/**
 * The same for a walk that merges ranges: the planner, which knows neither the values nor how much of each range is
 * needed, would read and sort them all.
 */
export const mergeRanges = planWithoutValues({ enable_sort: 'off' });

/**
 * A finding that was first seen after a time has changed after it, too: lists by `updated_at` begin there, instead of
 * skipping all earlier changes. The day allows for clocks that were set back.
 */
const changedSince = ({ filters: { from, updated_from }, sort }: ListRequest): FindingFilters =>
  from && !updated_from && sort.endsWith('updated_at') ? { updated_from: dayBefore(from) } : {};

/**
 * Returns the bounds of a walk. Of two on the same side, the end of the previous page and the filter's, only the nearer
 * one is used: the index scan can begin at only one of them.
 */
function boundsOf(request: ListRequest, covers: FilterName[], parameters: Parameters): string[] {
  const { sort, after } = request;
  const order = orders[sort];
  const filters = { ...only(request.filters, (filter) => covers.includes(filter)), ...changedSince(request) };
  const [first, last] =
    order.columns[0] === 'updated_at' ? (['updated_from', 'updated_to'] as const) : (['from', 'to'] as const);
  const near = order.descending ? last : first;
  const bound = ['first_seen_at', 'updated_at'].includes(order.columns[0]!) ? filters[near] : undefined;
  const reached = after?.[0]?.endsWith('+00') ? readTime(after[0]) : Number.NaN;
  // Allows a second, because `to` has a precision of one second and positions are finer than a Date.
  const isPast = bound && (order.descending ? reached < bound.getTime() - 1000 : reached > bound.getTime() + 1000);
  const isAhead = bound && (order.descending ? reached > bound.getTime() + 2000 : reached < bound.getTime() - 1000);
  return [
    ...rangeConditions(isPast ? { ...filters, [near]: undefined } : filters, parameters),
    ...(isAhead ? [] : afterPosition(order, after, parameters)),
    ...horizon(sort),
  ];
}

/** Returns the entries that a walk reads, in the requested order. */
function entriesOf(
  request: ListRequest,
  parameters: Parameters,
  walk: Walk,
  columns = entryColumns(request.sort)
    .map((column) => `f.${column}`)
    .join(', '),
) {
  const order = orders[request.sort];
  const ordered = `ORDER BY ${orderBy(order)}`;
  // Parameters that a statement does not use have no type.
  const shared = walk.ranges.every((range) => range.after !== undefined)
    ? []
    : boundsOf(request, walk.covers, parameters);
  // The order within each range lets them be merged while they are read.
  const ranges = walk.ranges.map(({ conditions, after }) => {
    const bounds = after !== undefined ? boundsOf({ ...request, after }, walk.covers, parameters) : shared;
    const holds = ['f.org_id = $1', ...conditions(parameters), ...bounds].join(' AND ');
    return `SELECT ${columns} FROM findings f WHERE ${holds} ${ordered}`;
  });
  if (ranges.length === 0) return `SELECT ${columns} FROM findings f WHERE f.org_id = $1 AND false`;
  if (ranges.length === 1) return ranges[0]!;
  return `SELECT * FROM (${ranges.map((range) => `(${range})`).join(' UNION ALL ')}) f ${ordered}`;
}

/**
 * Builds the page by walking an index in the requested order, at most `window` entries (null: to the end). Entries are
 * skipped by their traits; `also` adds conditions that need the table. Where no trait can skip an entry, the findings
 * themselves are read in that order: looking each up by its id costs as much again.
 */
export function walkPage(
  request: ListRequest,
  parameters: Parameters,
  window: number | null,
  also: (parameters: Parameters) => string[] = () => [],
): WalkPage {
  const { filters, sort, limit } = request;
  const order = orders[sort];
  const walk = chooseWalk(request);
  const merges = walk.ranges.length > 1;
  const rest = only(filters, (filter) => !walk.covers.includes(filter));
  const skips = [...traitConditions(rest, parameters), ...rangeConditions(rest, parameters)];
  const checks = [...also(parameters), ...conditionsOf(rest, parameters).slice(1)];
  const exact = skips.length === 0 && checks.length === 0;
  const maxEntries = exact ? limit : window;
  const walked = (columns?: string) =>
    `${entriesOf(request, parameters, walk, columns)} ${maxEntries === null ? '' : `LIMIT ${maxEntries}`}`;
  const findCut = (given: Parameters) =>
    `SELECT ${keysAsText(order)} FROM (${entriesOf(request, given, walk)} OFFSET ${window! - 1} LIMIT 2) f ORDER BY ${orderBy(order)}`;
  const page = { merges, findCut: exact || window === null ? null : findCut };
  if (skips.length > 0) {
    const keys = `SELECT ${keyColumns(order)} FROM (${walked()}) f WHERE ${skips.join(' AND ')}`;
    return { ...page, sql: confirm(keys, request, checks) };
  }
  const holds = checks.length > 0 ? `WHERE ${checks.join(' AND ')}` : '';
  return { ...page, sql: `SELECT f.* FROM (${walked('f.*')}) f ${holds} ORDER BY ${orderBy(order)} LIMIT ${limit}` };
}
