import { IconX } from '../ui/icons.ts';
import { describeFilters, type NameOf } from './describe.ts';
import classes from './filter-box.module.css';
import { type Filters, isEmpty } from './filters.ts';

/** The filters in words, each with a button that removes it. */
export function FilterChips({
  filters,
  nameOf,
  onChange,
}: {
  filters: Filters;
  nameOf: NameOf;
  onChange: (filters: Filters) => void;
}) {
  if (isEmpty(filters)) return null;
  return (
    <div className={classes.chips}>
      {describeFilters(filters, nameOf).map(({ key, text, rest }) => (
        <button
          key={key}
          type="button"
          className={classes.chip}
          aria-label={`Remove filter: ${text}`}
          onClick={() => onChange(rest)}
        >
          <span>{text}</span>
          <IconX size={14} aria-hidden />
        </button>
      ))}
      <button type="button" className={classes.clear} onClick={() => onChange({})}>
        Clear filters
      </button>
    </div>
  );
}
