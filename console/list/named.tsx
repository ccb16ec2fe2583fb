import type { ReactNode } from 'react';
import classes from './list.module.css';

/** The name of a row with a remark after it. Without room for the remark, only the name is shown. */
export const Named = ({ icon, children, note }: { icon?: ReactNode; children: ReactNode; note?: ReactNode }) => (
  <span className={classes.what}>
    {icon}
    <span className={classes.named}>
      <span className={classes.name}>{children}</span>
      {note && <span className={classes.remark}>{note}</span>}
    </span>
  </span>
);

/** Secondary text in a cell, in a fainter colour. */
export const Remark = ({ children }: { children: ReactNode }) => <span className={classes.remark}> {children}</span>;
