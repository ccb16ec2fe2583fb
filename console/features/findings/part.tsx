import { createContext, type ReactNode, useContext } from 'react';
import classes from './detail.module.css';

/** The level of the headings below the finding's title: h2 on a page of its own, h3 beside the list. */
export const PartHeading = createContext<'h2' | 'h3'>('h3');

type PartProps = {
  title: ReactNode;
  /** Its name, where the title is not a word alone. */
  label?: string;
  actions?: ReactNode;
  /** Whether a hairline parts it from what is above. */
  ruled?: boolean;
  children: ReactNode;
};

/** A section of a finding. */
export function Part({ title, label, actions, ruled = false, children }: PartProps) {
  const Heading = useContext(PartHeading);
  return (
    <section
      className={`${classes.block} ${ruled ? classes.ruled : ''}`}
      aria-label={label ?? (typeof title === 'string' ? title : undefined)}
    >
      <div className={classes.blockHead}>
        <Heading className={classes.partTitle}>{title}</Heading>
        {actions}
      </div>
      {children}
    </section>
  );
}
