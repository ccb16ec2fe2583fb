import { useEffect, useRef } from 'react';
import classes from './check.module.css';
import type { Selection } from './selection.ts';

type CheckProps = { label: string; checked: boolean; some?: boolean; tabIndex?: number; onChange?: () => void };

const ignore = () => {};

/** The checkbox of a row. Without `onChange`, the surrounding list handles clicks. */
export function Check({ label, checked, some = false, tabIndex, onChange = ignore }: CheckProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = some;
  }, [some]);
  return (
    <span className={classes.target} data-check>
      <input
        ref={box}
        type="checkbox"
        className={classes.check}
        tabIndex={tabIndex}
        aria-label={label}
        checked={checked}
        onChange={onChange}
      />
    </span>
  );
}

/** The checkbox that selects all loaded rows, or none. */
export function CheckAll({ order, selection }: { order: readonly string[]; selection: Selection }) {
  const all = order.length > 0 && selection.ids.size >= order.length;
  return (
    <Check
      label="Select all loaded rows"
      checked={all}
      some={selection.ids.size > 0 && !all}
      onChange={() => (all ? selection.clear() : selection.set(order))}
    />
  );
}
