import { ranksOf } from '@assay/scanner/contract/severity.ts';
import type { Statement } from '../../platform/postgres/database.ts';
import { anyOf, type Parameters } from '../filter.ts';
import { candidatesOfScans } from '../filters/scan.ts';
import { conditionOf, conditionsOf, rangeConditions, traitConditions } from '../filters/select.ts';
import {
  type AnyFilter,
  type FilterName,
  type FindingFilters,
  filterEntries,
  filters as table,
} from '../filters/table.ts';
import { statuses } from '../lifecycle.ts';
import { type Order, type OrderColumn, orders } from '../orders.ts';
import type { Search } from '../shared-texts.ts';
import { afterPosition, orderBy } from './list-order.ts';
import { confirm, entryColumns, horizon, type ListRequest } from './list-walks.ts';

/** The columns of orders that all indexes of lists have, the severity among the traits. */
const commonColumns: readonly OrderColumn[] = ['id', 'severity', 'first_seen_at', 'updated_at'];
/** Columns such as due dates and priorities, each in an index of its own, and in no other. */
const loneColumns = Object.values<Order>(orders).flatMap(({ columns }) =>
  columns.filter((column) => !commonColumns.includes(column)),
);

/** Everything that one filter selects, read from the index that leads with it. */
export type Collection = {
  from: string;
  conditions: (parameters: Parameters) => string[];
  /** Counts the entries, where there is a shorter way than reading each. */
  count?: (parameters: Parameters) => string;
  /** Whether each finding is looked up by its id; the others are read from an index alone. */
  byId?: boolean;
  /** The column that only this index has besides those that all have. */
  has?: OrderColumn | undefined;
};

/** More findings of scans are not fetched by their ids. */
const maxOfScans = 200_001;

const own = 'f.org_id = $1';

/** Returns the collection of a filter that has an index of its own. */
function collectionOf(filters: FindingFilters, name: FilterName): Collection[] {
  const { index } = table[name] as AnyFilter;
  const value = filters[name];
  if (value === undefined || !index || index.combined || index.serves?.(value) === false) return [];
  return [{ from: 'findings f', conditions: (p) => [own, conditionOf(name, value, p)], has: index.has }];
}

/** Returns the collections of the filters that an index serves. */
export function collectionsOf(filters: FindingFilters): Collection[] {
  const collections = filterEntries.flatMap(([name]) => collectionOf(filters, name));
  const add = (conditions: Collection['conditions'], index: Pick<Collection, 'has'> = {}) =>
    collections.push({ from: 'findings f', conditions, ...index });
  const { source, status, severity, tag, from, to, updated_from, updated_to, priority_min, scan } = filters;
  if (updated_from || updated_to) add((p) => [own, ...rangeConditions({ updated_from, updated_to }, p)]);
  if (from || to) add((p) => [own, ...rangeConditions({ from, to }, p)]);
  const ranks = ranksOf(severity);
  if (priority_min !== undefined) {
    const ofSeverity = (p: Parameters) => `f.severity = ANY(${p.add(ranks)}::smallint[])`;
    add((p) => [own, ofSeverity(p), conditionOf('priority_min', priority_min, p)], { has: 'priority' });
  }
  if (status || severity) {
    add((p) => [
      own,
      `f.status = ANY(${p.add(status ?? [...statuses])}::text[]) AND f.severity = ANY(${p.add(ranks)}::smallint[])`,
    ]);
  }
  if (source) {
    // No index leads with the source, of which there are few: the figures show in which data sources it was used.
    const used = (p: Parameters) => `c.org_id = $1 AND c.count > 0 AND ${anyOf('c.source', source, 'text', p)}`;
    collections.push({
      from: 'findings f',
      conditions: (p) => [
        own,
        `f.data_source_id = ANY(ARRAY(SELECT DISTINCT data_source_id FROM finding_counts c WHERE ${used(p)}))`,
      ],
      count: (p) => `SELECT COALESCE(sum(count), 0)::bigint FROM finding_counts c WHERE ${used(p)}`,
    });
  }
  if (tag) {
    const tagged = (p: Parameters) => `t.org_id = $1 AND ${anyOf('t.tag', tag, 'text', p)}`;
    collections.push({
      from: 'findings f',
      conditions: (p) => [own, `f.id = ANY(ARRAY(SELECT finding_id FROM finding_tags t WHERE ${tagged(p)}))`],
      count: (p) => `SELECT count(*) FROM finding_tags t WHERE ${tagged(p)}`,
      byId: true,
    });
  }
  if (scan) {
    collections.push({
      from: 'findings f',
      conditions: (p) => [own, `f.id = ANY(ARRAY(${candidatesOfScans(scan, p)}))`],
      count: (p) =>
        `SELECT count(*) FROM (SELECT FROM (${candidatesOfScans(scan, p)}) ids LIMIT ${maxOfScans}) AS entries`,
      byId: true,
    });
  }
  return collections;
}

/** Returns the findings of the chosen numbers, which are few; undefined without any. */
export const collectionOfNumbers = (filters: FindingFilters): Collection | undefined =>
  collectionOf(filters, 'number').map((collection) => ({ ...collection, byId: true }))[0];

/** Returns SQL that counts the entries of each collection, at most `max`, as the columns `c0`, `c1`, … */
export function countCollections(collections: Collection[], parameters: Parameters, max: number): string {
  const counts = collections.map(({ from, conditions, count }, index) => {
    if (count) return `(${count(parameters)}) AS c${index}`;
    const holds = conditions(parameters).join(' AND ');
    return `(SELECT count(*) FROM (SELECT FROM ${from} WHERE ${holds} LIMIT ${max}) AS entries) AS c${index}`;
  });
  return `SELECT ${counts.join(', ')}`;
}

/** The columns of the order that the index of a collection lacks. */
const columnsToLookUp = ({ sort }: ListRequest, { byId, has }: Collection): string[] =>
  byId ? [] : orders[sort].columns.filter((column) => loneColumns.includes(column) && column !== has);

/** Returns whether the key of the order has to be looked up for each finding of the collection that could match. */
export const looksUpKeys = (request: ListRequest, collection: Collection) =>
  columnsToLookUp(request, collection).length > 0;

/**
 * Returns the entries of a collection, and the conditions on them that every match meets. A column that is not in the index is
 * looked up for the entries that meet them, since the planner would rather read all findings of the organization in
 * the index that has it.
 */
function possibleMatches(request: ListRequest, parameters: Parameters, collection: Collection, lookUp: string[]) {
  const { filters, sort } = request;
  const read = ['id', ...entryColumns(sort).filter((column) => !['id', 'severity', ...lookUp].includes(column))];
  const conditions = collection.conditions(parameters).join(' AND ');
  const holds = ['true', ...traitConditions(filters, parameters), ...rangeConditions(filters, parameters)];
  // OFFSET 0: the collection is read by its own index, even where another fits the order or the other filters.
  const entries = `(SELECT ${read.map((column) => `f.${column}`).join(', ')} FROM ${collection.from} WHERE ${conditions} OFFSET 0) f`;
  return { entries, holds };
}

/** Returns SQL that counts the entries of a collection that could match, as `count`. */
export function countPossible(request: ListRequest, parameters: Parameters, collection: Collection): string {
  const { entries, holds } = possibleMatches(request, parameters, collection, columnsToLookUp(request, collection));
  return `SELECT count(*) FROM ${entries} WHERE ${holds.join(' AND ')}`;
}

/** Builds the page by sorting the whole collection: for few findings that are far apart in the requested order. */
export function collectPage(
  request: ListRequest,
  parameters: Parameters,
  collection: Collection,
  also: (parameters: Parameters) => string[] = () => [],
): string {
  const { filters, sort, after } = request;
  const order = orders[sort];
  const lookUp = columnsToLookUp(request, collection);
  const { entries, holds } = possibleMatches(request, parameters, collection, lookUp);
  // The severity is among the traits.
  const spell = (column: string) => {
    if (column === 'severity') return '(f.traits & 7)::smallint';
    return lookUp.includes(column) ? `looked_up.${column}` : `f.${column}`;
  };
  const from = lookUp.length
    ? `${entries} CROSS JOIN LATERAL (SELECT ${lookUp.join(', ')} FROM findings WHERE org_id = $1 AND id = f.id OFFSET 0) looked_up`
    : entries;
  const conditions = [...holds, ...afterPosition(order, after, parameters, spell), ...horizon(sort)];
  const columns = order.columns.map((column) => `${spell(column)} AS ${column}`).join(', ');
  const keys = `SELECT ${columns} FROM ${from} WHERE ${conditions.join(' AND ')} ORDER BY ${orderBy(order, spell)}`;
  return confirm(keys, request, [...also(parameters), ...conditionsOf(filters, parameters)]);
}

/**
 * Selects the ids of the findings with all words, of those with the value if one is given; null when there are more
 * than `max`.
 */
export const allWords = (words: string[], max: number, of?: readonly [column: string, value: string]): Statement => ({
  name: 'findings_with_all_words',
  text: 'SELECT findings_with_all_words($1::text[], $2, $3, $4) AS ids',
  values: [words, max, of?.[0] ?? null, of?.[1] ?? null],
});

/**
 * Returns statements that select ids of findings of the packages, of those with the filters' own words, and of those with all
 * words of `q`, if there are at most `max`; null otherwise. Their indexes are hidden from other statements by row-level security.
 */
export function hitStatements(packages: string[] | undefined, search: Search | undefined, max: number): Statement[] {
  const hits = (name: string, call: string, value: unknown): Statement => ({
    name,
    text: `SELECT CASE WHEN count(*) <= $2 THEN COALESCE(array_agg(id), ARRAY[]::text[]) END AS ids FROM ${call} AS id`,
    values: [value, max],
  });
  const statements: Statement[] = [];
  if (packages) statements.push(hits('findings_of_packages', 'findings_of_packages($1::text[], $2 + 1)', packages));
  if (search?.own) statements.push(hits('findings_with_words', 'findings_with_words($1::tsquery, $2 + 1)', search.own));
  if (search && search.words.length > 0) statements.push(allWords(search.words, max));
  return statements;
}

/** A finding of a rare word is read from the table, so this many cost as much as a first walk with words. */
const maxRare = 2_000;

/**
 * Selects the ids of the findings with the rarest of the words; null when none is rare. That a word occurs nowhere is found out
 * by the indexes of words alone.
 */
export const rarestWord = (words: string[]): Statement => ({
  name: 'findings_with_rarest_word',
  text: 'SELECT findings_with_rarest_word($1::text[], $2) AS ids',
  values: [words, maxRare],
});

/** Returns the ids that the first of these statements with few enough selects; null when none has. */
export async function findIds(
  run: (statement: Statement) => Promise<Array<{ ids: string[] | null }>>,
  statements: Statement[],
): Promise<string[] | null> {
  for (const statement of statements) {
    const [row] = await run(statement);
    if (row!.ids) return row!.ids;
  }
  return null;
}
