import { type ReactNode, useEffect } from 'react';
import classes from './page.module.css';
import { type Tab, Tabs } from './tabs.tsx';

type PageProps = {
  title: string;
  /** A link to the list that contains the page's subject. */
  parent?: ReactNode;
  /** The tabs of the page, each with its own address. */
  tabs?: Tab[];
  /** A few words at the end of the bar, such as a count. */
  note?: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
};

/** A page: its title is the browser's title and its only h1. A list that is the whole page has no margin around it. */
export function Page({ title, parent, tabs, note, lead, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} – Assay`;
  }, [title]);
  return (
    <div className={classes.page}>
      <header className={classes.bar}>
        {parent && <span className={classes.parent}>{parent}</span>}
        <h1>{title}</h1>
        {tabs && tabs.length > 1 && <Tabs label={title} tabs={tabs} />}
        <span className={classes.end}>
          {note && <span className={classes.note}>{note}</span>}
          {actions}
        </span>
      </header>
      <div className={classes.content}>
        {lead && <p className={classes.lead}>{lead}</p>}
        {children}
      </div>
    </div>
  );
}

type SectionProps = { title: string; lead?: ReactNode; actions?: ReactNode; children: ReactNode };

/** A section of a page with its own heading, below a hairline. */
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
