import type { Severity } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, memo, useState } from 'react';
import type { NameOf } from '../../filters/describe.ts';
import { type Filters, readChoices, toggle } from '../../filters/filters.ts';
import { type FilterRow, rowOf, valuesOf } from '../../filters/table.ts';
import { nameIn, useGrammar } from '../../filters/use-grammar.ts';
import { facetValuesQuery, useSettled } from '../../filters/use-suggestions.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconFilter } from '../../ui/icons.ts';
import { Failure, Skeleton } from '../../ui/states.tsx';
import classes from './facet-rail.module.css';
import { SeverityShape } from './marks.tsx';
import { facetsQuery } from './queries.ts';
import { isControlled, RailControls } from './rail-controls.tsx';
import { formatCount } from './words.ts';

type Value = { value: string; label: string | null; count: number };

/** The number of values that a field shows before "more". */
const shortLength = 6;
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** The name of a value, from the table or the server. */
const labelOf = (row: FilterRow, { value, label }: Value, nameOf: NameOf): string =>
  valuesOf(row).find((known) => known.value === value)?.label ?? label ?? nameOf(row.name, value) ?? value;

/** Whether the field is useless with a single value, as with a property that few people set on data sources. */
const isSeldomSet = ({ of_data_source: isOfSource, control }: FilterRow): boolean =>
  isOfSource && control.kind === 'choice' && (control.closed === true || control.names !== undefined);

type FieldProps = {
  row: FilterRow;
  values: Value[];
  /** Whether the field has further values. */
  more: boolean;
  filters: Filters;
  loadedAt: number;
  nameOf: NameOf;
  onChange: (filters: Filters) => void;
};

/** The values that contain the words. Values beyond the loaded ones come from the server. */
function useValues({ row, values, more, filters, loadedAt }: FieldProps, words: string): Value[] {
  const asked = useSettled(words.trim());
  const enabled = more && asked !== '' && words.trim() !== '';
  const { data } = useQuery({ ...facetValuesQuery(filters, loadedAt, row.name, asked), enabled });
  return enabled && data ? data : values;
}

function Field(props: FieldProps) {
  const { row, filters, nameOf, onChange } = props;
  const [words, setWords] = useState('');
  const [all, setAll] = useState(false);
  const values = useValues(props, words);
  const chosen = new Map(readChoices(filters[row.name]).map((choice) => [choice.value, choice]));
  // Chosen values stay visible even when no finding has them any more.
  const missing = [...chosen.keys()].filter((value) => !values.some((one) => one.value === value));
  const rows = [...values, ...missing.map((value) => ({ value, label: null, count: 0 }))].filter(
    (one) => one.count > 0 || chosen.has(one.value),
  );
  const found = rows.filter((one) => labelOf(row, one, nameOf).toLowerCase().includes(words.toLowerCase()));
  const shown = all || words !== '' ? found : found.slice(0, Math.max(shortLength, chosen.size));
  if (
    (rows.length === 0 && words === '') ||
    (words === '' && isSeldomSet(row) && rows.length === 1 && chosen.size === 0)
  )
    return null;
  const name = row.label;
  return (
    <fieldset className={classes.field}>
      <legend>{name}</legend>
      {(rows.length > shortLength + 2 || words !== '') && (
        <input
          className={classes.search}
          aria-label={`Search in ${name}`}
          placeholder="Search"
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
      )}
      {shown.map((one) => {
        const choice = chosen.get(one.value);
        const label = labelOf(row, one, nameOf);
        return (
          <button
            key={one.value}
            type="button"
            aria-pressed={choice !== undefined}
            title={`${label}${choice?.excluded ? ' (excluded)' : ''}. Alt-click excludes it.`}
            className={`${classes.value} ${choice?.excluded ? classes.excluded : ''}`}
            onClick={(event: MouseEvent) => onChange(toggle(filters, row.name, one.value, event.altKey))}
          >
            {row.name === 'severity' && <SeverityShape severity={one.value as Severity} quiet />}
            <span className={classes.name}>
              {choice?.excluded && <span className="visually-hidden">not </span>}
              {label}
            </span>
            <span className={classes.count} title={formatCount(one.count)}>
              {compact.format(one.count)}
            </span>
          </button>
        );
      })}
      {!all && words === '' && found.length > shown.length && (
        <button type="button" className={classes.more} onClick={() => setAll(true)}>
          {found.length - shown.length} more
        </button>
      )}
      {found.length === 0 && <p className={classes.hint}>Nothing matches.</p>}
    </fieldset>
  );
}

/**
 * The fields with their values and counts, under all other filters. It does not render again while the person moves
 * through the list.
 */
export const FacetRail = memo(function FacetRail({
  filters,
  loadedAt,
  onChange,
}: {
  filters: Filters;
  loadedAt: number;
  onChange: (filters: Filters) => void;
}) {
  const { data, error, refetch } = useQuery(facetsQuery(filters, loadedAt));
  const nameOf = nameIn(useGrammar(filters, false, data?.facets));
  const isCounted = data?.facets.some(({ values }) => values.some(({ count }) => count > 0));
  const hasControls = isCounted || isControlled(filters);
  return (
    <div className={classes.rail} role="region" aria-label="Filters" id="facets">
      {!data && error ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error && <Skeleton rows={12} />}
      {data?.facets.map(({ field, ...counts }) => {
        const row = rowOf(field);
        return (
          row && (
            <Field
              key={field}
              row={row}
              {...counts}
              nameOf={nameOf}
              filters={filters}
              loadedAt={loadedAt}
              onChange={onChange}
            />
          )
        );
      })}
      {data && hasControls && <RailControls filters={filters} onChange={onChange} />}
      {data && !hasControls && <p className={classes.hint}>Nothing to filter yet.</p>}
    </div>
  );
});

/** The folded filters beside an open finding. */
export const FoldedRail = ({ onUnfold }: { onUnfold: () => void }) => (
  <div className={classes.folded}>
    <IconButton label="Expand the filters" icon={IconFilter} onClick={onUnfold} />
  </div>
);
