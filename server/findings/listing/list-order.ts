import { invalid } from '../../platform/errors.ts';
import type { Parameters } from '../filter.ts';

export const sorts = [
  '-first_seen_at',
  'first_seen_at',
  '-severity',
  'updated_at',
  '-updated_at',
  'due_at',
  '-priority',
] as const;
export type Sort = (typeof sorts)[number];

/** The orders of a list that is read page by page; `relevance` needs words to rank by. */
export const listSorts = [...sorts, 'relevance'] as const;
export type ListSort = (typeof listSorts)[number];

/** Refuses the order of relevance without words. */
export function requireWords(sort: ListSort, q: string | undefined): void {
  if (sort !== 'relevance' || q !== undefined) return;
  throw invalid('query', 'sort', 'can be relevance only together with q: without words there is nothing to rank by');
}

/** The end of the previous page: the sort key of its last row, times in microseconds as text, its id last. */
export type Position = readonly string[];

/**
 * Returns the milliseconds since the epoch of a time as PostgreSQL writes it: `2026-01-31 09:30:00.123456+00`, or with fewer
 * digits of a second.
 */
export const readTime = (text: string): number =>
  Date.parse(`${/^[^.+]+(\.\d{1,3})?/.exec(text)![0].replace(' ', 'T')}Z`);

export type Order = { columns: string[]; casts: string[]; descending: boolean };

const time = 'timestamptz';

export const orders: Record<Sort, Order> = {
  '-first_seen_at': { columns: ['first_seen_at', 'id'], casts: [time, 'text'], descending: true },
  first_seen_at: { columns: ['first_seen_at', 'id'], casts: [time, 'text'], descending: false },
  '-updated_at': { columns: ['updated_at', 'id'], casts: [time, 'text'], descending: true },
  updated_at: { columns: ['updated_at', 'id'], casts: [time, 'text'], descending: false },
  // Findings without a due date come last: theirs is infinity.
  due_at: { columns: ['due_at', 'id'], casts: [time, 'text'], descending: false },
  '-priority': { columns: ['priority', 'first_seen_at', 'id'], casts: ['smallint', time, 'text'], descending: true },
  '-severity': { columns: ['severity', 'first_seen_at', 'id'], casts: ['smallint', time, 'text'], descending: true },
};

/** Returns the terms of ORDER BY; `spell` returns the SQL of a column. */
export const orderBy = (order: Order, spell = (column: string) => `f.${column}`) =>
  order.columns.map((column) => `${spell(column)} ${order.descending ? 'DESC' : 'ASC'}`).join(', ');

/** Returns the condition for rows after the position. */
export function afterPosition(
  order: Order,
  after: Position | null,
  parameters: Parameters,
  spell = (column: string) => `f.${column}`,
): string[] {
  if (!after) return [];
  const columns = order.columns.map(spell).join(', ');
  const values = after.map((value, index) => `${parameters.add(value)}::${order.casts[index]}`).join(', ');
  return [`(${columns}) ${order.descending ? '<' : '>'} (${values})`];
}
