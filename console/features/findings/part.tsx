import { createContext, type ReactNode, useContext } from 'react';
import classes from './detail.module.css';

/** The level of the headings below the finding's title: h2 on the finding's page, h3 beside the list. */
export const PartHeading = createContext<'h2' | 'h3'>('h3');

type PartProps = {
  title: ReactNode;
  /** The name of the section, if the title is not just text. */
  label?: string;
  actions?: ReactNode;
  /** Whether a hairline separates the section from the one above. */
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
