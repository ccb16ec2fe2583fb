import { Link } from '@tanstack/react-router';
import classes from './tabs.module.css';

export type Tab = {
  label: string;
  count?: number | undefined;
  to: string;
  search: Record<string, string>;
  current: boolean;
};

/** The tabs of a page by name; the first has the page's own address. */
export const tabsOf = (to: string, names: Record<string, string>, current: string | undefined): Tab[] =>
  Object.entries(names).map(([id, label], index) => ({
    label,
    to,
    search: index === 0 ? ({} as Record<string, string>) : { tab: id },
    current: id === current,
  }));

/** The tabs of a page, each with its own address. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  return (
    <nav aria-label={label} className={classes.tabs}>
      {tabs.map(({ label: text, count, to, search, current }) => (
        <Link
          key={text}
          to={to}
          search={search}
          className={classes.tab ?? ''}
          // The router would mark every tab as current: their addresses differ only in parameters.
          activeOptions={{ exact: true, includeSearch: true }}
          aria-current={current ? 'page' : false}
        >
          {text}
          {count !== undefined && <span>{count.toLocaleString('en')}</span>}
        </Link>
      ))}
    </nav>
  );
}
