import { anyOf, conditionsOf, type FindingFilters, type Parameters, rangeConditions } from './filters.ts';
import { statuses } from './lifecycle.ts';
import { afterPosition, type Order, orderBy, orders, type Position, type Sort } from './list-order.ts';
import { severityRank } from './severity.ts';
import { traitConditions } from './traits.ts';

export type ListRequest = { filters: FindingFilters; sort: Sort; after: Position | null; limit: number };

type Filter = keyof FindingFilters;

/** How an index is walked in the order asked for: what holds of each of its ranges, and which filters that answers. */
type Walk = { ranges: Array<(parameters: Parameters) => string[]>; answers: Filter[] };

/** Filters that one value of makes an index of its own, the one that is likely to leave least first. */
const leading = [
  ['assignee', 'f.assignee_id'],
  ['rule', 'f.rule_id'],
  ['dataSource', 'f.data_source_id'],
] as const;

const single = (filters: FindingFilters, filter: 'assignee' | 'rule' | 'dataSource' | 'source') => {
  const values = filters[filter];
  return values?.length === 1 && values[0] !== 'none' ? values[0] : undefined;
};

/** The index on status and severity is in order for one status (by severity) or one of each (by time): its ranges are merged. */
function pairs({ filters, sort }: ListRequest): Walk {
  const ranks = filters.severity?.map((severity) => severityRank[severity]) ?? [4, 3, 2, 1, 0];
  const apart = filters.severity !== undefined || sort !== '-severity';
  const of = (status: string) => (parameters: Parameters) => [`f.status = ${parameters.add(status)}`];
  const both = (status: string, rank: number) => (parameters: Parameters) => [
    `f.status = ${parameters.add(status)} AND f.severity = ${parameters.add(rank)}`,
  ];
  const chosen = filters.status ?? statuses;
  const ranges = chosen.flatMap((status) => (apart ? ranks.map((rank) => both(status, rank)) : [of(status)]));
  return { ranges, answers: sort === '-severity' ? ['status', 'severity'] : ['status', 'severity', 'from', 'to'] };
}

function chooseWalk(request: ListRequest): Walk {
  const { filters, sort } = request;
  if (sort === '-severity') return pairs(request);
  if (sort.endsWith('updated_at')) return { ranges: [() => []], answers: ['updatedFrom'] };
  const by = (filter: Filter, column: string, value: string): Walk => ({
    ranges: [(parameters) => [`${column} = ${parameters.add(value)}`]],
    answers: [filter, 'from', 'to'],
  });
  for (const [filter, column] of leading) {
    const value = single(filters, filter);
    if (value !== undefined) return by(filter, column, value);
  }
  if (filters.status || filters.severity) return pairs(request);
  const source = single(filters, 'source');
  return source === undefined ? { ranges: [() => []], answers: ['from', 'to'] } : by('source', 'f.source', source);
}

/** Changes whose transactions may yet be outrun by later ones wait: see change-clock.ts. */
const horizon = (sort: Sort) =>
  sort === 'updated_at' ? [`f.updated_at < current_setting('app.changes_before')::timestamptz`] : [];

const only = (filters: FindingFilters, keep: (filter: Filter) => boolean): FindingFilters =>
  Object.fromEntries(
    Object.entries(filters).filter(([filter, value]) => value !== undefined && keep(filter as Filter)),
  );

const keyColumns = (order: Order) => order.columns.map((column) => `f.${column}`).join(', ');

/** What an index entry tells of itself. */
const entryColumns = (order: Order) => [...new Set([...order.columns, 'first_seen_at', 'updated_at', 'traits'])];

/** The findings of keys that come in the order asked for, those that meet the filters; read no further than needed. */
function confirm(keys: string, { filters, sort, limit }: ListRequest, parameters: Parameters, also: string[] = []) {
  const conditions = [...conditionsOf(filters, parameters), ...also];
  return `SELECT f.* FROM (${keys}) k JOIN findings f ON f.id = k.id WHERE ${conditions.join(' AND ')}
          ORDER BY ${orderBy(orders[sort], (column) => `k.${column}`)} LIMIT ${limit}`;
}

export type WalkPage = {
  sql: string /** Whether nothing can be faster: all filters are answered by the walk itself. */;
  exact: boolean;
};

/**
 * The page by walking an index in the order asked for, `window` entries at most (null: to the end). Entries are passed over
 * by their traits; `also` are further conditions on findings that only the table answers.
 */
export function walkPage(
  request: ListRequest,
  parameters: Parameters,
  window: number | null,
  also?: (parameters: Parameters) => string[],
): WalkPage {
  const { filters, sort, after, limit } = request;
  const order = orders[sort];
  const { ranges, answers } = chooseWalk(request);
  const rest = only(filters, (filter) => !answers.includes(filter));
  const exact = Object.keys(rest).length === 0 && also === undefined;
  const bounds = [
    ...rangeConditions(
      only(filters, (filter) => answers.includes(filter)),
      parameters,
    ),
    ...afterPosition(order, after, parameters),
    ...horizon(sort),
  ];
  const entries = (columns: string) =>
    ranges
      .map((range) => ['f.org_id = $1', ...range(parameters), ...bounds].join(' AND '))
      .map((conditions) => `SELECT ${columns} FROM findings f WHERE ${conditions}`)
      .join(' UNION ALL ');
  const ordered = `ORDER BY ${orderBy(order)}`;
  if (exact && ranges.length === 1) return { sql: `${entries('f.*')} ${ordered} LIMIT ${limit}`, exact };
  const entry = entryColumns(order).map((column) => `f.${column}`);
  const most = exact ? `LIMIT ${limit}` : window === null ? '' : `LIMIT ${window}`;
  const walked = `SELECT * FROM (${entries(entry.join(', '))}) f ${ordered} ${most}`;
  const passed = [...traitConditions(rest, parameters), ...rangeConditions(rest, parameters), 'true'].join(' AND ');
  const keys = `SELECT ${keyColumns(order)} FROM (${walked}) f WHERE ${passed}`;
  return { sql: confirm(keys, request, parameters, also?.(parameters)), exact };
}

/** A way to fetch everything that one filter selects: by an index that leads with it. */
export type Collection = {
  from: string;
  conditions: (parameters: Parameters) => string[] /** Of an entry, against an index-only one. */;
  cost: number;
};

/** The filters that an index can answer at all. */
export function collectionsOf(filters: FindingFilters): Collection[] {
  const collections: Collection[] = [];
  const add = (conditions: Collection['conditions'], from = 'findings f', cost = 1) =>
    collections.push({ from, conditions, cost });
  const { assignee, rule, dataSource, source, status, severity, tag, from, to, updatedFrom } = filters;
  if (assignee && !assignee.includes('none')) add((p) => [anyOf('f.assignee_id', assignee, 'text', p)]);
  if (rule) add((p) => [anyOf('f.rule_id', rule, 'text', p)]);
  if (dataSource) add((p) => [anyOf('f.data_source_id', dataSource, 'text', p)]);
  if (updatedFrom) add((p) => rangeConditions({ updatedFrom }, p));
  if (from || to) add((p) => rangeConditions({ from, to }, p));
  if (status || severity) {
    const ranks = (severity ?? (Object.keys(severityRank) as Array<keyof typeof severityRank>)).map(
      (one) => severityRank[one],
    );
    add((p) => [
      `f.status = ANY(${p.add(status ?? [...statuses])}::text[]) AND f.severity = ANY(${p.add(ranks)}::smallint[])`,
    ]);
  }
  if (source) add((p) => [anyOf('f.source', source, 'text', p)]);
  if (tag) {
    const tagged = (p: Parameters) => [`t.org_id = $1 AND f.id = t.finding_id AND ${anyOf('t.tag', tag, 'text', p)}`];
    add(tagged, 'finding_tags t JOIN findings f ON true', 4);
  }
  return collections;
}

/** How many entries each collection has, `most` at most, as the columns `c0`, `c1`, … */
export function countCollections(collections: Collection[], parameters: Parameters, most: number): string {
  const counts = collections.map(({ from, conditions }, index) => {
    const holds = ['f.org_id = $1', ...conditions(parameters)].join(' AND ');
    return `(SELECT count(*) FROM (SELECT FROM ${from} WHERE ${holds} LIMIT ${most}) AS entries) AS c${index}`;
  });
  return `SELECT ${counts.join(', ')}`;
}

/** The page from all that the collection has, sorted: for few findings that lie far apart in the order asked for. */
export function collectPage(request: ListRequest, parameters: Parameters, { from, conditions }: Collection): string {
  const { filters, sort, after } = request;
  const order = orders[sort];
  const spell = (column: string) => (column === 'severity' ? '(f.traits & 7)::smallint' : `f.${column}`);
  const holds = [
    'f.org_id = $1',
    ...conditions(parameters),
    ...traitConditions(filters, parameters),
    ...rangeConditions(filters, parameters),
    ...afterPosition(order, after, parameters, spell),
    ...horizon(sort),
  ];
  const columns = order.columns.map((column) => `${spell(column)} AS ${column}`).join(', ');
  const collected = `WITH f AS MATERIALIZED (SELECT DISTINCT ${columns} FROM ${from} WHERE ${holds.join(' AND ')})`;
  return confirm(`${collected} SELECT * FROM f ORDER BY ${orderBy(order)}`, request, parameters);
}
