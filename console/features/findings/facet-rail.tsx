import type { Criticality, FindingStatus, Severity } from '@assay/client';
import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, memo, useEffect, useState } from 'react';
import { criticalityNames } from '../../api/importance.ts';
import { ages, type Filters, type ListField } from '../../filters/fields.ts';
import { isSame, readChoices, soonDays, toggle } from '../../filters/filters.ts';
import { Failure, Skeleton } from '../../ui/states.tsx';
import classes from './facet-rail.module.css';
import { SeverityShape } from './marks.tsx';
import type { RailField } from './parameters.ts';
import { facetsQuery, facetValuesQuery } from './queries.ts';
import { fieldNames, formatCount, severityNames, statusNames } from './words.ts';

type Value = { value: string; label: string | null; count: number };

/** The number of values that a field shows before "more". */
const shortLength = 6;
/** The pause after the last key before the server is asked for values. */
const askAfterMs = 200;
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

function labelOf(field: ListField, { value, label }: Value): string {
  if (field === 'severity') return severityNames[value as Severity] ?? value;
  if (field === 'status') return statusNames[value as FindingStatus] ?? value;
  if (field === 'criticality') return criticalityNames[value as Criticality] ?? value;
  if ((field === 'assignee' || field === 'owner') && value === 'none') return 'Nobody';
  return label ?? value;
}

/** Fields with which an organization may describe its data sources: a single value for everything says nothing. */
const isSeldomSet = (field: RailField): boolean => field === 'criticality' || field === 'owner';

type FieldProps = {
  field: RailField;
  values: Value[];
  /** Whether the field has more values than these. */
  more: boolean;
  approximate: boolean;
  margin: number;
  filters: Filters;
  loadedAt: number;
  onChange: (filters: Filters) => void;
};

/** The values that contain the words; those that the rail does not have come from the server. */
function useValues({ field, values, more, filters, loadedAt }: FieldProps, words: string): Value[] {
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(words.trim()), askAfterMs);
    return () => clearTimeout(timer);
  }, [words]);
  const enabled = more && asked !== '' && words.trim() !== '';
  const { data } = useQuery({ ...facetValuesQuery(filters, loadedAt, field, asked), enabled });
  return enabled && data ? data : values;
}

function Field(props: FieldProps) {
  const { field, approximate, margin, filters, onChange } = props;
  const [words, setWords] = useState('');
  const [all, setAll] = useState(false);
  const values = useValues(props, words);
  const chosen = new Map(readChoices(filters[field]).map((choice) => [choice.value, choice]));
  // Chosen values stay visible even when no finding has them any more.
  const missing = [...chosen.keys()].filter((value) => !values.some((one) => one.value === value));
  const rows = [...values, ...missing.map((value) => ({ value, label: null, count: 0 }))].filter(
    (one) => one.count > 0 || chosen.has(one.value),
  );
  const found = rows.filter((one) => labelOf(field, one).toLowerCase().includes(words.toLowerCase()));
  const shown = all || words !== '' ? found : found.slice(0, Math.max(shortLength, chosen.size));
  if (
    (rows.length === 0 && words === '') ||
    (words === '' && isSeldomSet(field) && rows.length === 1 && chosen.size === 0)
  )
    return null;
  const name = fieldNames[field] ?? field;
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
        const label = labelOf(field, one);
        return (
          <button
            key={one.value}
            type="button"
            aria-pressed={choice !== undefined}
            title={`${label}${choice?.excluded ? ' (excluded)' : ''}. Alt-click excludes it.`}
            className={`${classes.value} ${choice?.excluded ? classes.excluded : ''}`}
            onClick={(event: MouseEvent) => onChange(toggle(filters, field, one.value, event.altKey))}
          >
            {field === 'severity' && <SeverityShape severity={one.value as Severity} />}
            <span className={classes.name}>
              {choice?.excluded && <span className="visually-hidden">not </span>}
              {label}
            </span>
            <span
              className={classes.count}
              title={approximate ? `${formatCount(one.count)} ± ${formatCount(margin)}` : formatCount(one.count)}
            >
              {approximate ? '≈ ' : ''}
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

type Preset = { label: string; set: Filters };

const agePresets: Preset[] = Object.entries(ages).map(([age, { label }]) => ({ label, set: { age } }));
const duePresets: Preset[] = [
  { label: 'Overdue', set: { overdue: 'true' } },
  { label: `In ${soonDays.due_to} days, or overdue`, set: { due_to: 'soon' } },
];

const exploitedPresets: Preset[] = [
  { label: 'Known to be exploited', set: { kev: 'true' } },
  { label: 'EPSS of 10 % or more', set: { epss_min: '0.1' } },
];

const contextPresets: Preset[] = [
  { label: 'Outside of tests', set: { context: '-test' } },
  { label: 'In tests and examples', set: { context: 'test' } },
];

/** Choices without counts, of which one or none is set. */
function Presets({
  title,
  presets,
  filters,
  onChange,
}: {
  title: string;
  presets: Preset[];
  filters: Filters;
  onChange: (filters: Filters) => void;
}) {
  const fields = new Set(presets.flatMap(({ set }) => Object.keys(set)));
  const rest: Filters = Object.fromEntries(Object.entries(filters).filter(([field]) => !fields.has(field)));
  return (
    <fieldset className={classes.field}>
      <legend>{title}</legend>
      {presets.map(({ label, set }) => {
        const chosen = isSame({ ...rest, ...set }, filters);
        return (
          <button
            key={label}
            type="button"
            aria-pressed={chosen}
            className={classes.value}
            onClick={() => onChange(chosen ? rest : { ...rest, ...set })}
          >
            <span className={classes.name}>{label}</span>
          </button>
        );
      })}
    </fieldset>
  );
}

/** The fields with their values and counts, under all other filters. It is not drawn again while one moves through the list. */
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
  return (
    <div className={classes.rail} role="region" aria-label="Filters" id="facets">
      {!data && error ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error && <Skeleton rows={12} />}
      {data?.facets.map(({ field, approximate, margin, more, values }) => (
        <Field
          key={field}
          field={field as RailField}
          approximate={approximate}
          margin={margin}
          values={values}
          more={more}
          filters={filters}
          loadedAt={loadedAt}
          onChange={onChange}
        />
      ))}
      {data && (
        <>
          <Presets title="Due" presets={duePresets} filters={filters} onChange={onChange} />
          <Presets title="Exploitation" presets={exploitedPresets} filters={filters} onChange={onChange} />
          <Presets title="Context" presets={contextPresets} filters={filters} onChange={onChange} />
          <Presets title="Age" presets={agePresets} filters={filters} onChange={onChange} />
        </>
      )}
    </div>
  );
});
