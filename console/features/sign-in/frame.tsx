import { type ReactNode, useEffect } from 'react';
import classes from './frame.module.css';

/** A page for people who are not signed in: one column in the middle. */
export function Frame({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} – Assay`;
  }, [title]);
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <div className={classes.brand}>
          <img src={document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href} alt="Assay" />
        </div>
        <h1>{title}</h1>
        {lead && <p className={classes.lead}>{lead}</p>}
        {children}
      </div>
    </main>
  );
}
