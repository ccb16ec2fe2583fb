import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { serverNow } from '../../api/clock.ts';
import type { Filters } from '../../filters/filters.ts';
import { readFilters } from '../../filters/parameters.ts';
import { paths } from '../../paths.ts';
import { arriveAt, leaveArrival } from './arrival.ts';
import { defaultSort, type GroupBy, groupOf, sortOf } from './parameters.ts';

export type FindingsState = {
  filters: Filters;
  sort: string;
  /** The finding in the panel. */
  open: string | null;
  view: string | null;
  group: GroupBy | null;
  setFilters: (filters: Filters) => void;
  setSort: (sort: string) => void;
  setGroup: (group: GroupBy | null) => void;
  /** Lists the findings of one group. */
  openGroup: (by: GroupBy, value: string) => void;
  setOpen: (id: string | null, options?: { replace?: boolean }) => void;
  /** Shows a view: its filters and order replace the current ones. */
  show: (view: { id: string; filters: Filters; sort: string | null }) => void;
  /** When the list was loaded, in milliseconds: counts and ages refer to this time. */
  loadedAt: number;
  reload: () => void;
};

/** Keeps the parts of the address that are not filters. */
const keepKnown = ({ sort, open, view, group }: Record<string, string>) =>
  Object.fromEntries(Object.entries({ sort, open, view, group }).filter(([, value]) => value !== undefined));

/** The state of the page, which is entirely in the URL, so that it survives links, reloads and the back button. */
export function useFindingsState(): FindingsState {
  const search = useSearch({ strict: false }) as Record<string, string>;
  const navigate = useNavigate();
  const [loadedAt, setLoadedAt] = useState(arriveAt);
  useEffect(leaveArrival, []);
  // The same object as long as the filters are the same, even if other parts of the address change.
  const current = JSON.stringify(readFilters(search));
  const filters = useMemo<Filters>(() => JSON.parse(current), [current]);
  const { sort, open, view, group } = search;
  const go = useCallback(
    (change: Record<string, string | undefined>, { replace = false, resetScroll = true } = {}) =>
      void navigate({
        to: paths.findings,
        search: (old: Record<string, string>) => ({ ...old, ...change }) as never,
        replace,
        resetScroll,
      }),
    [navigate],
  );
  const setFilters = useCallback(
    (next: Filters) => {
      setLoadedAt(serverNow());
      void navigate({
        to: paths.findings,
        search: (old: Record<string, string>) => ({ ...keepKnown(old), ...next }) as never,
      });
    },
    [navigate],
  );
  return {
    filters,
    sort: sortOf(sort, filters),
    open: open ?? null,
    view: view ?? null,
    group: groupOf(group),
    setFilters,
    setSort: (next) => {
      setLoadedAt(serverNow());
      go({ sort: next === defaultSort ? undefined : next });
    },
    setGroup: (next) => go({ group: next ?? undefined, open: undefined }),
    openGroup: (by, value) => go({ [by]: value, group: undefined }),
    // The list keeps its scroll position.
    setOpen: useCallback((id, options) => go({ open: id ?? undefined }, { ...options, resetScroll: false }), [go]),
    show: ({ id, filters: next, sort: order }) => {
      setLoadedAt(serverNow());
      void navigate({ to: paths.findings, search: { ...next, view: id, ...(order && { sort: order }) } as never });
    },
    loadedAt,
    reload: () => setLoadedAt(serverNow()),
  };
}
