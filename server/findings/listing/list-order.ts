import Type from 'typebox';
import type { ApiError } from '../../platform/errors.ts';
import { enumeration } from '../../platform/http/schema.ts';
import type { Parameters } from '../filter.ts';
import type { FilterInput } from '../filters/table.ts';
import {
  columnTypes,
  defaultSort,
  type ListOrder,
  type ListSort,
  listOrders,
  listSorts,
  type Order,
} from '../orders.ts';

const entries = Object.entries(listOrders) as Array<[ListSort, ListOrder]>;
const notes = entries.flatMap(([name, { note }]) => (note === undefined ? [] : [`With \`${name}\`, ${note}`]));
const moving = entries.filter(([, { mayMove }]) => mayMove).map(([name]) => `\`${name}\``);

/** The order of a list. The extension `x-sorts` has the labels of all orders and the filters that they need. */
export const sortParameter = Type.Optional(
  enumeration(listSorts, {
    $id: 'FindingSort',
    description: [
      `The order; \`-\` means descending. The default is \`${defaultSort}\`.`,
      `With ${moving.join(', ')}, a finding whose place changes while you read can be skipped or returned twice.`,
      ...notes,
    ].join(' '),
    'x-sorts': entries.map(([value, { label, needs }]) => ({ value, label, needs })),
  }),
);

/** Throws the error that `refuse` returns if an order needs a filter that is missing. */
export function requireFilterOf(sort: ListSort, given: FilterInput, refuse: (message: string) => ApiError): void {
  const { needs } = listOrders[sort] as ListOrder;
  if (needs === undefined || given[needs] !== undefined) return;
  throw refuse(`can be ${sort} only together with ${needs}: without it there is nothing to rank by`);
}

/** The end of the previous page: the sort key of its last row with times in microseconds as text, and its id last. */
export type Position = readonly string[];

/**
 * Returns the milliseconds since the epoch of a time in PostgreSQL's output format: `2026-01-31 09:30:00.123456+00`,
 * possibly with fewer digits of a second.
 */
export const readTime = (text: string): number =>
  Date.parse(`${/^[^.+]+(\.\d{1,3})?/.exec(text)![0].replace(' ', 'T')}Z`);

/** Returns the microseconds since the epoch of a time in the same format, `Infinity` for `infinity`. */
export function readMicroseconds(text: string): number {
  if (text === 'infinity') return Number.POSITIVE_INFINITY;
  const [, digits = ''] = /\.(\d+)/.exec(text) ?? [];
  return readTime(text) * 1000 + Number(digits.padEnd(6, '0').slice(3));
}

type Columns = Pick<Order, 'columns' | 'descending'>;

/** Returns the terms of ORDER BY; `spell` returns the SQL of a column. */
export const orderBy = (order: Columns, spell = (column: string) => `f.${column}`) =>
  order.columns.map((column) => `${spell(column)} ${order.descending ? 'DESC' : 'ASC'}`).join(', ');

/** Returns the condition for rows after the position. */
export function afterPosition(
  order: Columns,
  after: Position | null,
  parameters: Parameters,
  spell = (column: string) => `f.${column}`,
): string[] {
  if (!after) return [];
  const columns = order.columns.map(spell).join(', ');
  const values = order.columns.map((column, index) => `${parameters.add(after[index])}::${columnTypes[column]}`);
  return [`(${columns}) ${order.descending ? '<' : '>'} (${values.join(', ')})`];
}
