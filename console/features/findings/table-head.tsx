import { useEffect, useRef } from 'react';
import type { Selection } from '../../list/selection.ts';
import type { FindingColumn } from './columns.tsx';
import { sortsBy } from './parameters.ts';
import classes from './table.module.css';

/** The box that selects all loaded findings, or none. */
function SelectAll({ order, selection }: { order: readonly string[]; selection: Selection }) {
  const box = useRef<HTMLInputElement>(null);
  const all = order.length > 0 && selection.ids.size >= order.length;
  useEffect(() => {
    if (box.current) box.current.indeterminate = selection.ids.size > 0 && !all;
  }, [selection.ids.size, all]);
  return (
    <input
      ref={box}
      type="checkbox"
      className={classes.check}
      aria-label="Select all that are loaded"
      checked={all}
      onChange={() => (all ? selection.clear() : selection.set([...order]))}
    />
  );
}

type HeadProps = {
  columns: FindingColumn[];
  template: string;
  order: readonly string[];
  selection: Selection;
  sort: string;
  onSort: (sort: string) => void;
};

/** The headings of the columns. Those by which the list can be ordered are buttons. */
export function TableHead({ columns, template, order, selection, sort, onSort }: HeadProps) {
  return (
    <div role="row" aria-rowindex={1} className={classes.head} style={{ gridTemplateColumns: template }}>
      <span role="columnheader" className={classes.checkTarget}>
        <SelectAll order={order} selection={selection} />
      </span>
      {columns.map(({ id, title, field = id }) => {
        const sorts = sortsBy(field);
        const current = sorts.indexOf(sort);
        const next = sorts[(current + 1) % Math.max(sorts.length, 1)];
        const direction = current < 0 ? undefined : sort.startsWith('-') ? 'descending' : 'ascending';
        return (
          <span key={id} role="columnheader" aria-sort={direction}>
            {next === undefined ? (
              title
            ) : (
              <button type="button" className={classes.sort} onClick={() => onSort(next)}>
                {title}
                {direction && <span aria-hidden="true">{direction === 'descending' ? ' ↓' : ' ↑'}</span>}
              </button>
            )}
          </span>
        );
      })}
    </div>
  );
}
