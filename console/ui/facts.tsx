import { Fragment, type ReactNode } from 'react';
import classes from './facts.module.css';

/** Names and values, one per line. Entries without a value are left out. */
export function Facts({ entries }: { entries: [string, ReactNode][] }) {
  return (
    <dl className={classes.facts}>
      {entries
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  );
}
