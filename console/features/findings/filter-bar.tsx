import type { Criticality, FindingStatus, Severity } from '@assay/client';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { criticalityNames } from '../../api/importance.ts';
import { ages, type Filters, isAge, isListField } from '../../filters/fields.ts';
import { isEmpty, isSame, readChoices, soonDays, toggle } from '../../filters/filters.ts';
import { parseText, writeText } from '../../filters/text.ts';
import { IconX } from '../../ui/icons.ts';
import classes from './filter-bar.module.css';
import { contextNames, fieldNames, severityNames, statusNames } from './words.ts';

/** The pause after the last key before the text is applied, in milliseconds. */
const debounceMs = 150;

type Names = (field: string, value: string) => string | null;
type Chip = { key: string; text: string; without: Filters };

function nameOf(field: string, value: string, names: Names): string {
  if (field === 'severity') return severityNames[value as Severity] ?? value;
  if (field === 'status') return statusNames[value as FindingStatus] ?? value;
  if (field === 'criticality') return criticalityNames[value as Criticality] ?? value;
  if ((field === 'assignee' || field === 'owner') && value === 'none') return 'nobody';
  if ((field === 'due_to' || field === 'accepted_until_to') && value === 'soon')
    return `${soonDays[field]} days from now`;
  if (field === 'context') return contextNames[value] ?? value;
  if (value === 'true') return 'yes';
  if (field === 'age' && isAge(value)) return ages[value].label;
  return names(field, value) ?? value;
}

function chipsOf(filters: Filters, names: Names): Chip[] {
  return Object.entries(filters).flatMap(([field, text]): Chip[] => {
    const title = fieldNames[field] ?? field;
    if (isListField(field)) {
      return readChoices(text).map(({ value, excluded }) => ({
        key: `${field}:${value}`,
        text: `${title} ${excluded ? 'is not' : 'is'} ${nameOf(field, value, names)}`,
        without: toggle(filters, field, value, excluded),
      }));
    }
    const without = Object.fromEntries(Object.entries(filters).filter(([name]) => name !== field));
    return [{ key: field, text: `${title}: ${nameOf(field, text ?? '', names)}`, without }];
  });
}

type FilterBarProps = {
  filters: Filters;
  onChange: (filters: Filters) => void;
  /** The names of the ids in filters. */
  names: Names;
  box: RefObject<HTMLInputElement | null>;
  children?: React.ReactNode;
};

/** The filters as one line of text and as chips: the same state twice. */
export function FilterBar({ filters, onChange, names, box, children }: FilterBarProps) {
  const [text, setText] = useState(() => writeText(filters));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** Filters that were typed and applied, but are not in `filters` yet. */
  const applied = useRef<Filters[]>([]);
  const apply = (value: string) => {
    clearTimeout(timer.current);
    const next = parseText(value);
    if (isSame(next, applied.current.at(-1) ?? filters)) return;
    applied.current.push(next);
    onChange(next);
  };
  const latestApply = useRef(apply);
  latestApply.current = apply;
  // Changes from elsewhere are written into the box. Those that were typed are not: more has been typed since.
  useEffect(() => {
    const own = applied.current.findIndex((one) => isSame(one, filters));
    applied.current = applied.current.slice(own < 0 ? applied.current.length : own + 1);
    if (own >= 0) return;
    clearTimeout(timer.current);
    setText((old) => (isSame(parseText(old), filters) ? old : writeText(filters)));
  }, [filters]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <>
      <div className={classes.bar}>
        <input
          ref={box}
          className={classes.box}
          type="search"
          aria-label="Filter findings"
          placeholder="Filter: severity:critical,high -tag:test me words"
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={(event) => {
            const { value } = event.currentTarget;
            setText(value);
            clearTimeout(timer.current);
            timer.current = setTimeout(() => latestApply.current(value), debounceMs);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') apply(text);
            if (event.key !== 'Escape') return;
            // Chromium would empty a search field.
            event.preventDefault();
            event.currentTarget.blur();
          }}
          onBlur={() => apply(text)}
        />
        {children}
      </div>
      {!isEmpty(filters) && (
        <div className={classes.chips}>
          {chipsOf(filters, names).map(({ key, text: label, without }) => (
            <button
              key={key}
              type="button"
              className={classes.chip}
              aria-label={`Remove filter: ${label}`}
              onClick={() => onChange(without)}
            >
              <span>{label}</span>
              <IconX size={14} aria-hidden />
            </button>
          ))}
          <button type="button" className={classes.clear} onClick={() => onChange({})}>
            Clear filters
          </button>
        </div>
      )}
    </>
  );
}
