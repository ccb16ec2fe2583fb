import { Link } from '@tanstack/react-router';
import classes from './tabs.module.css';

export type Tab = { label: string; to: string; search: Record<string, string>; current: boolean };

/** Parts of a page that have addresses of their own. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  return (
    <nav aria-label={label} className={classes.tabs}>
      {tabs.map(({ label: text, to, search, current }) => (
        <Link
          key={text}
          to={to}
          search={search}
          className={classes.tab ?? ''}
          // The link itself would be current on every tab: their addresses differ in parameters only.
          activeOptions={{ exact: true, includeSearch: true }}
          aria-current={current ? 'page' : false}
        >
          {text}
        </Link>
      ))}
    </nav>
  );
}
