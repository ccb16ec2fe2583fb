import type { ReactNode } from 'react';
import classes from './toolbar.module.css';

/** The filters of a list. */
export function Toolbar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <search aria-label={label} className={classes.bar}>
      {children}
    </search>
  );
}
