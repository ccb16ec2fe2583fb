import { type Filters, readChoices, writeChoices } from './filters.ts';
import { momentAt } from './ranges.ts';
import { rowOf } from './table.ts';

/** Filters in a JSON body: several values as an array. */
export type FilterBody = Record<string, string | number | boolean | string[]>;

/** Picks the filters out of the parameters of a URL. The other parameters don't select findings. */
export const readFilters = (search: Record<string, string>): Filters =>
  Object.fromEntries(Object.entries(search).filter(([name, value]) => value !== '' && rowOf(name)));

/** The filters with absolute instead of relative times, for requests whose responses must be consistent. */
export function filtersAt(filters: Filters, now: number): Filters {
  return Object.fromEntries(
    Object.entries(filters).map(([name, value]) => {
      const control = rowOf(name)?.control;
      return [name, control?.kind === 'time' ? momentAt(value, control.end, now) : value];
    }),
  );
}

/** Whether the filters have a time in hours from now, which changes within a day. */
export const dependsOnMoment = (filters: Filters): boolean =>
  Object.entries(filters).some(([name, value]) => rowOf(name)?.control.kind === 'time' && value.endsWith('h'));

function bodyValue(name: string, value: string): FilterBody[string] {
  const type = rowOf(name)?.type;
  if (type === 'list') return readChoices(value).map((choice) => writeChoices([choice]));
  if (type === 'boolean') return value === 'true';
  return type === 'number' ? Number(value) : value;
}

/** Converts the filters for a JSON body. */
export const toBody = (filters: Filters): FilterBody =>
  Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, bodyValue(name, value)]));

/** Converts the filters of a JSON body to strings, as in a URL. */
export const fromBody = (body: Readonly<Record<string, unknown>>): Filters =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, Array.isArray(value) ? value.join() : String(value)]),
  );
