import { type MouseEvent, useState } from 'react';
import { type Filters, readChoices, toggle, without } from '../../filters/filters.ts';
import type { Field } from '../../filters/grammar.ts';
import { type RangeField, readRange, writeBound } from '../../filters/ranges.ts';
import { type FilterRow, fields, filterRows, readable, valuesOf } from '../../filters/table.ts';
import { rangeValues } from '../../filters/use-suggestions.ts';
import classes from './facet-rail.module.css';

/** The number of values of a range that are shown before "more". */
const maxShown = 4;
/** The size up to which all values of a set are shown. */
const maxValues = 12;

type Props = { filters: Filters; onChange: (filters: Filters) => void };

type RowProps = { label: string; isChosen: boolean; isExcluded?: boolean; onClick: (event: MouseEvent) => void };

function Row({ label, isChosen, isExcluded = false, onClick }: RowProps) {
  return (
    <button
      type="button"
      title={label}
      aria-pressed={isChosen}
      className={`${classes.value} ${isExcluded ? classes.excluded : ''}`}
      onClick={onClick}
    >
      <span className={classes.name}>
        {isExcluded && <span className="visually-hidden">not </span>}
        {label}
      </span>
    </button>
  );
}

const flags = fields.filter((field): field is Extract<Field, { kind: 'flag' }> => field.kind === 'flag');
const ranges = fields.filter((field): field is RangeField => field.kind === 'time' || field.kind === 'number');
/** Small sets whose values are not counted. */
const choices = filterRows.filter(
  ({ facet, type, control }) => facet === null && type === 'list' && control.kind === 'choice' && control.closed,
);

const controlled = [
  ...choices.map(({ name }) => name),
  ...flags.map(({ filter }) => filter),
  ...ranges.flatMap(({ from, to }) => [from, to]),
];

/** Returns whether a filter is set that these controls show. */
export const isControlled = (filters: Filters): boolean =>
  controlled.some((name) => name !== undefined && filters[name] !== undefined);

/**
 * The values of a small set. In a large set, values that stand for many others (`owasp-2025` for its parts) come first.
 */
function Choice({ row, filters, onChange }: Props & { row: FilterRow }) {
  const chosen = new Map(readChoices(filters[row.name]).map(({ value, excluded }) => [value, excluded]));
  const [all, setAll] = useState(false);
  const values = valuesOf(row);
  const isShown = ({ value }: { value: string }) => !value.includes(':') || chosen.has(value);
  const shown = all || values.length <= maxValues ? values : values.filter(isShown);
  return (
    <fieldset className={classes.field}>
      <legend>{row.label}</legend>
      {shown.map(({ value, label }) => (
        <Row
          key={value}
          label={label}
          isChosen={chosen.has(value)}
          isExcluded={chosen.get(value) === true}
          onClick={({ altKey }) => onChange(toggle(filters, row.name, value, altKey))}
        />
      ))}
      {shown.length < values.length && (
        <button type="button" className={classes.more} onClick={() => setAll(true)}>
          {values.length - shown.length} more
        </button>
      )}
    </fieldset>
  );
}

/** Yes-or-no filters: a click selects findings with the property, an Alt-click findings without it. */
function Flags({ filters, onChange }: Props) {
  return (
    <fieldset className={classes.field}>
      <legend>Only</legend>
      {flags.map(({ filter, label }) => (
        <Row
          key={filter}
          label={label}
          isChosen={filters[filter] !== undefined}
          isExcluded={filters[filter] === 'false'}
          onClick={({ altKey }) => {
            const value = String(!altKey);
            onChange(filters[filter] === value ? without(filters, filter) : { ...filters, [filter]: value });
          }}
        />
      ))}
    </fieldset>
  );
}

/** Ranges of a time or a number to choose from, the usual ones first. */
function Range({ field, filters, onChange }: Props & { field: RangeField }) {
  const names = [field.from, field.to].filter((name) => name !== undefined);
  const rest = names.reduce(without, filters);
  const chosen = (['from', 'to'] as const).flatMap((bound) => {
    const name = field[bound];
    const value = name && filters[name];
    return value ? [writeBound(field, bound, value) ?? value] : [];
  });
  const [all, setAll] = useState(false);
  const values = rangeValues(field);
  const shown = all ? values : values.filter(({ value }, index) => index < maxShown || chosen.includes(value));
  return (
    <fieldset className={classes.field}>
      <legend>{field.label}</legend>
      {shown.map(({ value, label }) => {
        const isChosen = chosen.length === 1 && chosen[0] === value;
        const bounds = Object.entries(readRange(field, value.charAt(0) as '<', value.slice(1))!);
        const set = Object.fromEntries(bounds.map(([bound, limit]) => [field[bound as 'from'], limit]));
        return (
          <Row
            key={value}
            label={readable(label)}
            isChosen={isChosen}
            onClick={() => onChange(isChosen ? rest : { ...rest, ...set })}
          />
        );
      })}
      {shown.length < values.length && (
        <button type="button" className={classes.more} onClick={() => setAll(true)}>
          {values.length - shown.length} more
        </button>
      )}
    </fieldset>
  );
}

/** The filters whose values are not counted: small sets, properties, times and numbers. Other values are typed. */
export function RailControls({ filters, onChange }: Props) {
  return (
    <>
      {choices.map((row) => (
        <Choice key={row.name} row={row} filters={filters} onChange={onChange} />
      ))}
      <Flags filters={filters} onChange={onChange} />
      {ranges.map((field) => (
        <Range key={field.name} field={field} filters={filters} onChange={onChange} />
      ))}
    </>
  );
}
