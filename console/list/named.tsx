import type { ReactNode } from 'react';
import classes from './list.module.css';

/** The name of a row with a remark behind it, which gives way: where it has no room, only the name is shown. */
export const Named = ({ icon, children, note }: { icon?: ReactNode; children: ReactNode; note?: ReactNode }) => (
  <span className={classes.what}>
    {icon}
    <span className={classes.named}>
      <span className={classes.name}>{children}</span>
      {note && <span className={classes.remark}>{note}</span>}
    </span>
  </span>
);

/** Text after the first words of a cell, fainter. */
export const Remark = ({ children }: { children: ReactNode }) => <span className={classes.remark}> {children}</span>;
