import { type ReactNode, useEffect } from 'react';
import classes from './page.module.css';

type PageProps = { title: string; lead?: ReactNode; actions?: ReactNode; children: ReactNode };

/** A page: its title is the browser's title and its only h1. */
export function Page({ title, lead, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} – Assay`;
  }, [title]);
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <div className={classes.title}>
          <h1>{title}</h1>
          {lead && <p className={classes.lead}>{lead}</p>}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

type SectionProps = { title: string; lead?: ReactNode; actions?: ReactNode; children: ReactNode };

/** A part of a page with a heading of its own, below a hairline. */
export function Section({ title, lead, actions, children }: SectionProps) {
  return (
    <section className={classes.section} aria-label={title}>
      <header className={classes.head}>
        <div className={classes.title}>
          <h2>{title}</h2>
          {lead && <p className={classes.lead}>{lead}</p>}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </section>
  );
}
