import { type Filters, readChoices, toggle, without } from './filters.ts';
import { dayOf, sayRelative } from './ranges.ts';
import { type FilterRow, rowOf, valuesOf } from './table.ts';

/** Returns the name of a value that is an id; null if it is unknown. */
export type NameOf = (filter: string, value: string) => string | null;

/** A filter in words, and the remaining filters without it. */
export type Chip = { key: string; text: string; rest: Filters };

const minute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });

/** Formats a time: "30 days ago", "31 Jan 2026", or with the time of day unless it is a whole day. */
function sayTime(value: string, bound: 'from' | 'to'): string {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return sayRelative(value) ?? value;
  return dayOf(value, bound) === null ? minute.format(date) : day.format(date);
}

const digits = '0123456789abcdefghjkmnpqrstvwxyz';
const changesOfScan: Record<string, string> = {
  new: 'new',
  seen: 'seen again',
  reopened: 'reopened',
  resolved: 'fixed',
};

/**
 * Describes a scan by its time, which is in its id, and its effect on the findings: "of 31 Jan 2026, 10:30, reopened".
 */
function sayScan(value: string): string {
  const [id = '', change] = value.split(':');
  const ms = [...id.slice('scan_'.length, 'scan_'.length + 10)].reduce((sum, one) => sum * 32 + digits.indexOf(one), 0);
  return [`of ${minute.format(ms)}`, ...(change === undefined ? [] : [changesOfScan[change] ?? change])].join(', ');
}

const sayValue = (row: FilterRow, value: string, nameOf: NameOf): string =>
  row.name === 'scan' ? sayScan(value) : sayNamed(row, value, nameOf);

const sayNamed = (row: FilterRow, value: string, nameOf: NameOf): string =>
  valuesOf(row).find((known) => known.value === value)?.label ?? nameOf(row.name, value) ?? value;

function chipsOf(filters: Filters, name: string, nameOf: NameOf): Chip[] {
  const [row, value] = [rowOf(name), filters[name]];
  if (!row || value === undefined) return [];
  const { label, type, control } = row;
  if (type === 'list') {
    return readChoices(value).map((choice) => ({
      key: `${name}:${choice.value}`,
      text: `${label} ${choice.excluded ? 'is not' : 'is'} ${sayValue(row, choice.value, nameOf)}`,
      rest: toggle(filters, name, choice.value, choice.excluded),
    }));
  }
  const text = control.kind === 'time' ? sayTime(value, control.end) : sayValue(row, value, nameOf);
  return [{ key: name, text: `${label}: ${text}`, rest: without(filters, name) }];
}

const any = new Intl.ListFormat('en', { type: 'disjunction' });

/**
 * Describes the filters in one sentence, with the values of a list joined: "Severity is High or Critical". All filters
 * apply.
 */
export const sayFilters = (filters: Filters, nameOf: NameOf): string[] =>
  Object.keys(filters).flatMap((name) => {
    const [row, value] = [rowOf(name), filters[name]];
    if (row?.type !== 'list' || value === undefined) return chipsOf(filters, name, nameOf).map(({ text }) => text);
    const choices = readChoices(value);
    return [false, true].flatMap((isExcluded) => {
      const said = choices
        .filter(({ excluded }) => excluded === isExcluded)
        .map((one) => sayValue(row, one.value, nameOf));
      return said.length === 0 ? [] : [`${row.label} is ${isExcluded ? 'not ' : ''}${any.format(said)}`];
    });
  });

/** Describes each filter, and each value of a list, in words. */
export const describeFilters = (filters: Filters, nameOf: NameOf): Chip[] =>
  Object.keys(filters).flatMap((name) => chipsOf(filters, name, nameOf));
