import { createContext, type ReactNode, useContext } from 'react';
import classes from './detail.module.css';

/** The level of the headings below the finding's title: h2 on a page of its own, h3 beside the list. */
export const PartHeading = createContext<'h2' | 'h3'>('h3');

/** A part of what is shown of a finding. */
export function Part({ title, label = title, actions, children }: PartProps) {
  const Heading = useContext(PartHeading);
  return (
    <section className={classes.block} aria-label={label}>
      <div className={classes.blockHead}>
        <Heading className={classes.partTitle}>{title}</Heading>
        {actions}
      </div>
      {children}
    </section>
  );
}

type PartProps = { title: string; label?: string; actions?: ReactNode; children: ReactNode };
