import { listRows } from '../columns/bits.ts';
import {
  countFlags,
  countSeverities,
  countValues,
  describeGroups,
  type Group,
  type Selection,
  selectionOf,
} from '../columns/counting.ts';
import type { FindingColumns, OrderKey } from '../columns/finding-columns.ts';
import { readId } from '../columns/id-words.ts';
import type { ListColumn, Term, TextColumn } from '../columns/term.ts';
import type { Facet } from '../filter.ts';
import {
  type AnyFilter,
  type FilterName,
  type FindingFilters,
  filterEntries,
  filters as table,
} from '../filters/table.ts';

/**
 * Findings that the database has found for a filter on data that columns don't have: by id if there are few, otherwise
 * by their numbers, comma-separated. With `excluded`, all other findings are selected.
 */
export type Found = ({ ids: readonly string[] } | { numbers: string }) & { excluded?: true };

export type Allowed = {
  /** The only data sources that the caller may see; all if absent. */
  dataSources?: readonly string[] | undefined;
  /** The findings that match filters on the database, as of its query; a finding may have been deleted since. */
  found?: readonly Found[] | undefined;
};

const termOf = ({ column }: AnyFilter, value: unknown): Term | null => column?.(value) ?? null;

const termsOfFound = new WeakMap<Found, Term>();

/** Returns the condition for findings that the database has found. Their numbers are parsed once. */
function termOfFound(found: Found): Term {
  const known = termsOfFound.get(found);
  if (known) return known;
  const term: Term = 'ids' in found ? found : { number: 'number', in: readNumbers(found.numbers) };
  const all: Term = found.excluded ? { not: term } : term;
  termsOfFound.set(found, all);
  return all;
}

/** Parses comma-separated numbers. */
function readNumbers(text: string): Uint32Array {
  const numbers = new Uint32Array((text.length + 1) >>> 1);
  let count = 0;
  for (let index = 0, number = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code !== 44) number = number * 10 + code - 48;
    if (code !== 44 && index < text.length - 1) continue;
    numbers[count++] = number;
    number = 0;
  }
  return numbers.subarray(0, count);
}

/** Returns the conditions of all filters on columns, except one. */
export function termsOf(given: FindingFilters, { dataSources, found }: Allowed, except?: FilterName): Term[] {
  const terms: Term[] = dataSources === undefined ? [] : [{ text: 'dataSourceId', in: dataSources }];
  terms.push(...(found ?? []).map(termOfFound));
  for (const [name, filter] of filterEntries) {
    if (name === except) continue;
    const [any, none] = [given[name], given.excluded?.[name]].map((value) =>
      value === undefined ? undefined : termOf(filter, value),
    );
    if ((any === null || none === null) && found === undefined)
      throw new Error(`The filter ${name} needs the database.`);
    if (any) terms.push(any);
    if (none) terms.push({ not: none });
  }
  return terms;
}

/** The in-memory columns of the columns of findings. */
const columnOf: Record<Exclude<Facet['column'], 'severity' | 'reported'>, TextColumn | ListColumn> = {
  status: 'status',
  source: 'source',
  data_source_id: 'dataSourceId',
  rule_id: 'ruleId',
  assignee_id: 'assigneeId',
  tags: 'tags',
  fact: 'identifiers',
};

type Counts = Map<string, number>;

function countField(columns: FindingColumns, selection: Selection, field: FilterName): Counts {
  const facet = (table[field] as AnyFilter).facet!;
  if (facet.column === 'severity')
    return new Map([...countSeverities(columns, selection)].map((count, rank) => [String(rank), count]));
  if (facet.column === 'reported') return countFlags(columns, selection, facet.flags!);
  const counts = countValues(columns, selection, columnOf[facet.column]);
  if (!facet.valuesOf) return new Map([...counts].map(([value, count]) => [value ?? 'none', count]));
  const found: Counts = new Map();
  for (const [id, count] of counts) {
    const dataSource = columns.dataSource(id!);
    for (const value of dataSource ? facet.valuesOf(dataSource) : []) found.set(value, (found.get(value) ?? 0) + count);
  }
  return found;
}

/** Compares texts by their bytes, like PostgreSQL's collation `C`. */
export const compareBytes = (one: string, other: string): number => {
  if (one === other) return 0;
  const isAscii = one.length < 500 && other.length < 500 && !/[\ud800-\udfff]/.test(one + other);
  return isAscii ? (one < other ? -1 : 1) : Buffer.compare(Buffer.from(one), Buffer.from(other));
};

type Counted = { value: string; count: number };

const byCount = (one: Counted, other: Counted) => other.count - one.count || compareBytes(one.value, other.value);

/** Returns the largest values in order; only candidates for them are sorted. */
function largest<Value extends Counted>(values: Value[], limit: number): Value[] {
  const counts = Uint32Array.from(values, ({ count }) => count).sort();
  const least = counts.length > limit ? counts[counts.length - limit]! : 0;
  return values
    .filter(({ count }) => count >= least)
    .sort(byCount)
    .slice(0, limit);
}

export type FacetQuestion = Allowed & {
  /** The maximum number of values per field. */
  limit: number;
  /** Only values that contain this text, ignoring case, are returned. */
  text?: string | undefined;
  /** The values of fields whose names contain the text; in other fields, the values themselves are matched. */
  named?: Partial<Record<FilterName, readonly string[]>>;
};

/** Returns a test of whether a value of a field is requested. Every severity is: the caller has their names. */
function valueTest({ text, named }: FacetQuestion, field: FilterName): (value: string) => boolean {
  if (text === undefined || field === 'severity') return () => true;
  const values = named?.[field] && new Set(named[field]);
  return (value) => values?.has(value) ?? value.toLowerCase().includes(text.toLowerCase());
}

/**
 * Counts the values of fields, each under all filters but its own, and the findings that match all filters. A severity
 * is its rank.
 */
export function countFacets(
  columns: FindingColumns,
  given: FindingFilters,
  fields: readonly FilterName[],
  question: FacetQuestion,
): { total: number; rows: Array<Counted & { field: FilterName }> } {
  const select = (except?: FilterName) => selectionOf(columns.select(termsOf(given, question, except)));
  const chosen = select();
  const rows = fields.flatMap((field) => {
    const isFiltered = given[field] !== undefined || given.excluded?.[field] !== undefined;
    const isAsked = valueTest(question, field);
    const values = [...countField(columns, isFiltered ? select(field) : chosen, field)]
      .filter(([value, count]) => count > 0 && isAsked(value))
      .map(([value, count]) => ({ field, value, count }));
    return largest(values, question.limit);
  });
  return { total: chosen.count, rows };
}

/** Sorts after every id with the preceding prefix; alone, it sorts after all ids. */
const behind = '~';

/** Parses the id of a position. With `~` it is after that id, or after all ids. */
function readPlace(id: string): Uint32Array {
  const words = new Uint32Array(4);
  if (id === behind) return words.fill(0xffffffff);
  readId(id.replace(behind, ''), words);
  if (!id.endsWith(behind)) return words;
  let index = 3;
  words[index]! += 1;
  while (words[index] === 0 && index > 0) words[--index]! += 1;
  return words;
}

/** A page of an order: `after` is the position of the previous page's last finding. */
export type PageQuestion = Allowed & {
  key: OrderKey;
  descending: boolean;
  after: { numbers: number[]; id: string } | null;
  limit: number;
  /** Only findings that changed before this time, in microseconds since the epoch. */
  changedBefore?: number | undefined;
};

/** Returns the ids of a page of matching findings, each with the numbers of its order key. */
export function findPage(
  columns: FindingColumns,
  given: FindingFilters,
  { key, descending, after, limit, changedBefore, ...allowed }: PageQuestion,
): Array<{ id: string; numbers: number[] }> {
  const place = after && { numbers: after.numbers, id: readPlace(after.id) };
  const terms = termsOf(given, allowed);
  if (changedBefore !== undefined) terms.push({ number: 'updatedAt', before: changedBefore });
  const rows = columns.page(terms, { key, descending, after: place, limit });
  return rows.map((row) => ({ id: columns.idOf(row), numbers: key.map((column) => columns.numbers(column)[row]!) }));
}

/** Returns the ids of the findings that the filters select; null if there are more than `max`. */
export function selectIds(
  columns: FindingColumns,
  given: FindingFilters,
  { max, ...allowed }: Allowed & { max: number },
): { ids: string[] | null } {
  const { bits, count } = selectionOf(columns.select(termsOf(given, allowed)));
  return { ids: count > max ? null : [...listRows(bits)].map((row) => columns.idOf(row)) };
}

const groupColumns = { rule: 'ruleId', data_source: 'dataSourceId', package: 'packageName' } as const;

export type GroupQuestion = Allowed & {
  by: keyof typeof groupColumns;
  filters: FindingFilters;
  /** The last group of the previous page. */
  after: Counted | null;
  limit: number;
};

/** Returns a page of the groups of matching findings, largest first. */
export function countGroups(
  columns: FindingColumns,
  { by, filters, after, limit, ...allowed }: GroupQuestion,
): Group[] {
  const selection = selectionOf(columns.select(termsOf(filters, allowed)));
  const counted = [...countValues(columns, selection, groupColumns[by])].flatMap(([value, count]) =>
    value === null || (after && byCount({ value, count }, after) <= 0) ? [] : [{ value, count }],
  );
  const chosen = largest(counted, limit).map(({ value }) => value);
  return describeGroups(columns, selection, groupColumns[by], chosen);
}
