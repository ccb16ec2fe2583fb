import type { Field, Value } from './grammar.ts';
import type { RangeField } from './ranges.ts';
import table from './table.json' with { type: 'json' };

type Bound = { keys: readonly string[]; end: 'from' | 'to'; direction?: 'back' | 'ahead' };

/** The server's description of a filter: its name in the API, and its form in the console. */
export type FilterRow = {
  name: string;
  label: string;
  keys: readonly string[];
  /** The type that the API accepts: several values, `true` or `false`, a number or a text. */
  type: 'list' | 'boolean' | 'number' | 'string';
  /** Whether the API counts the findings of each value, and whether it can do so for every list. */
  facet: 'quick' | 'slow' | null;
  /** Whether the API groups findings by its values. */
  grouping: boolean;
  /** Whether the filter applies to a finding's data source. */
  of_data_source: boolean;
  minimum?: number;
  maximum?: number;
  control:
    | { kind: 'choice'; values?: readonly { value: string; label?: string }[]; closed?: boolean; names?: string }
    | ({ kind: 'range' | 'time' } & Bound)
    | { kind: 'text' };
};

/** The server's description of an order of the list, which may need a filter. `-` means descending. */
type SortRow = { value: string; label: string; needs?: string };

/** All orders of the list, in display order. */
export const sortRows = table.sorts as readonly SortRow[];

/** All filters, in display order. */
export const filterRows = table.filters as readonly FilterRow[];

const rowsByName = new Map(filterRows.map((row) => [row.name, row]));
export const rowOf = (name: string): FilterRow | undefined => rowsByName.get(name);

/** Formats "accepted_until" as "Accepted until". */
export const readable = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

/** The known values of a filter, with their names. */
export const valuesOf = ({ control }: FilterRow): Value[] =>
  control.kind === 'choice'
    ? (control.values ?? []).map(({ value, label }) => ({ value, label: label ?? readable(value) }))
    : [];

function addBound(fields: Field[], row: FilterRow, control: Extract<FilterRow['control'], Bound>): void {
  const [name = row.name, ...aliases] = control.keys;
  const other = fields.find((field): field is RangeField => field.name === name && 'direction' in field);
  if (other) other[control.end] = row.name;
  else {
    const { end, direction } = control;
    const kind = control.kind === 'time' ? 'time' : 'number';
    fields.push({ kind, name, aliases, label: readable(name), [end]: row.name, direction });
  }
}

function fieldsOf(rows: readonly FilterRow[]): Field[] {
  const fields: Field[] = [];
  for (const row of rows) {
    const { control, type, label } = row;
    const [name = row.name, ...aliases] = row.keys;
    if (control.kind === 'range' || control.kind === 'time') addBound(fields, row, control);
    else if (type === 'list') {
      const ids = control.kind === 'choice' && (control.names === 'data_source' || control.names === 'person');
      fields.push({ kind: 'list', name, aliases, label: label, filter: row.name, ids });
    } else if (type === 'boolean') fields.push({ kind: 'flag', name, aliases, label: label, filter: row.name });
  }
  return fields;
}

/** The filters in their typed form: both bounds of a range are one field. */
export const fields: readonly Field[] = fieldsOf(filterRows);
