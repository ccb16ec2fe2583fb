import { type Filters, readChoices, writeChoices } from './filters.ts';
import { momentAt } from './ranges.ts';
import { rowOf } from './table.ts';

/** Filters in a JSON body: several values as an array. */
export type FilterBody = Record<string, string | number | boolean | string[]>;

/** Picks the filters out of the parameters of a URL; the rest is not about which findings are shown. */
export const readFilters = (search: Record<string, string>): Filters =>
  Object.fromEntries(Object.entries(search).filter(([name, value]) => value !== '' && rowOf(name)));

/** The same filters with moments instead of times from now: for requests whose answers belong together. */
export function filtersAt(filters: Filters, now: number): Filters {
  return Object.fromEntries(
    Object.entries(filters).map(([name, value]) => {
      const control = rowOf(name)?.control;
      return [name, control?.kind === 'time' ? momentAt(value, control.end, now) : value];
    }),
  );
}

/** Whether a time of the filters is a number of hours from now, which is another one at each moment of a day. */
export const dependsOnMoment = (filters: Filters): boolean =>
  Object.entries(filters).some(([name, value]) => rowOf(name)?.control.kind === 'time' && value.endsWith('h'));

function bodyValue(name: string, value: string): FilterBody[string] {
  const type = rowOf(name)?.type;
  if (type === 'list') return readChoices(value).map((choice) => writeChoices([choice]));
  if (type === 'boolean') return value === 'true';
  return type === 'number' ? Number(value) : value;
}

/** The filters as a JSON body has them. */
export const toBody = (filters: Filters): FilterBody =>
  Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, bodyValue(name, value)]));

/** The filters of a JSON body, each a text as in a URL. */
export const fromBody = (body: Readonly<Record<string, unknown>>): Filters =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, Array.isArray(value) ? value.join() : String(value)]),
  );
