/**
 * The filters of a page in the form of its URL, by their names in the API: `{ severity: 'critical,-info', due_to: '7d',
 * q: 'log4j' }`.
 */
export type Filters = Record<string, string>;

/** One value of a list filter. */
export type Choice = { value: string; excluded: boolean };

export function readChoices(text: string | undefined): Choice[] {
  return (text ?? '')
    .split(',')
    .filter((part) => part !== '' && part !== '-')
    .map((part) =>
      part.startsWith('-')
        ? { value: part.slice(1), excluded: true }
        : { value: part.replace(/^\\-/, '-'), excluded: false },
    );
}

export const writeChoices = (choices: Choice[]): string =>
  choices.map(({ value, excluded }) => (excluded ? `-${value}` : value.replace(/^-/, '\\-'))).join(',');

/** Adds a value to a list filter, or removes it if it is already there with the same sense. */
export function toggle(filters: Filters, name: string, value: string, excluded = false): Filters {
  const choices = readChoices(filters[name]);
  const present = choices.find((choice) => choice.value === value);
  const others = choices.filter((choice) => choice.value !== value);
  const next = present && present.excluded === excluded ? others : [...others, { value, excluded }];
  const rest = without(filters, name);
  return next.length === 0 ? rest : { ...rest, [name]: writeChoices(next) };
}

/** Returns the filters without one of them. */
export function without(filters: Filters, name: string): Filters {
  const { [name]: _, ...rest } = filters;
  return rest;
}

export const isEmpty = (filters: Filters): boolean => Object.keys(filters).length === 0;

/** Whether two sets of filters select the same findings. */
export function isSame(one: Filters, other: Filters): boolean {
  const text = (filters: Filters) => JSON.stringify(Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)));
  return text(one) === text(other);
}
