import { ages, type Filters, isAge, isListField, isSingleField, type ListField } from './fields.ts';

/** One value of a list filter. */
export type Choice = { value: string; excluded: boolean };

/** Filters in a JSON body: several values as an array. */
export type FilterBody = Record<string, string | number | boolean | string[]>;

const dayMs = 86_400_000;

/** `accepted_until_to:soon` and `due_to:soon` select what ends, or is due, within so many days. */
export const soonDays = { accepted_until_to: 30, due_to: 7 };

/** Picks the filters out of the parameters of a URL; the rest is not about which findings are shown. */
export function readFilters(search: Record<string, string>): Filters {
  const filters: Filters = {};
  for (const [name, value] of Object.entries(search)) {
    if (value !== '' && (name === 'q' || isListField(name) || isSingleField(name))) filters[name] = value;
  }
  return filters;
}

export function readChoices(text: string | undefined): Choice[] {
  return (text ?? '')
    .split(',')
    .filter((part) => part !== '' && part !== '-')
    .map((part) =>
      part.startsWith('-') ? { value: part.slice(1), excluded: true } : { value: part, excluded: false },
    );
}

export const writeChoices = (choices: Choice[]): string =>
  choices.map(({ value, excluded }) => (excluded ? `-${value}` : value)).join(',');

/** Adds a value to a filter, or removes it when it is there in the same sense. */
export function toggle(filters: Filters, field: ListField, value: string, excluded = false): Filters {
  const choices = readChoices(filters[field]);
  const present = choices.find((choice) => choice.value === value);
  const others = choices.filter((choice) => choice.value !== value);
  const next = present && present.excluded === excluded ? others : [...others, { value, excluded }];
  const { [field]: _, ...rest } = filters;
  return next.length === 0 ? rest : { ...rest, [field]: writeChoices(next) };
}

const timeOf = (days: number, now: number) => new Date(now - days * dayMs).toISOString().replace(/\.\d+Z$/, 'Z');

/** The parameters of the API that select the same findings. Ages count back from `now`, cut to the minute. */
export function toParameters(filters: Filters, now: number): Record<string, string> {
  const { age, ...rest } = filters;
  const parameters: Record<string, string> = { ...(rest as Record<string, string>) };
  if (age && isAge(age)) {
    const minute = Math.floor(now / 60_000) * 60_000;
    const { from, to } = ages[age] as { from?: number; to?: number };
    if (from !== undefined) parameters.from = timeOf(from, minute);
    if (to !== undefined) parameters.to = timeOf(to, minute);
  }
  for (const [field, days] of Object.entries(soonDays))
    if (parameters[field] === 'soon') parameters[field] = timeOf(-days, now);
  return parameters;
}

const booleans = new Set(['reopened', 'overdue', 'kev']);
const numbers = new Set(['priority_min', 'epss_min']);

/** The same filters as a JSON body has them, for views and changes of all that match. */
export function toBody(filters: Filters, now: number): FilterBody {
  return Object.fromEntries(
    Object.entries(toParameters(filters, now)).map(([name, value]) => {
      if (isListField(name)) return [name, readChoices(value).map((choice) => writeChoices([choice]))];
      if (booleans.has(name)) return [name, value === 'true'];
      return [name, numbers.has(name) ? Number(value) : value];
    }),
  );
}

export const isEmpty = (filters: Filters): boolean => Object.keys(filters).length === 0;

/** Whether two sets of filters select the same. */
export function isSame(one: Filters, other: Filters): boolean {
  const text = (filters: Filters) => JSON.stringify(Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)));
  return text(one) === text(other);
}
