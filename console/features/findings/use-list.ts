import type { FindingsEvent } from '@assay/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { assay } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { onFindingsChanged } from '../../api/show-event.ts';
import { type Command, useCommands } from '../../keys/registry.ts';
import type { Selection } from '../../list/selection.ts';
import { listShown, showRead } from './cache.ts';
import { type ListedFinding, listedFields } from './listed-finding.ts';
import { findingQuery, listQuery } from './queries.ts';
import type { FindingsState } from './state.ts';

/** An event with this many ids does not list all changed findings. */
const maxNamed = 200;
/** The number of findings up to which they are read one by one. */
const maxSingle = 10;
const maxPages = 5;

/** Reloads the changed rows in place. Without an event, reloads the rows that changed since a time. */
async function renewRows(event: FindingsEvent | null, loadedAt: number): Promise<void> {
  const shown = listShown();
  const named = event && event.ids.length < maxNamed ? event.ids.filter((id) => shown.has(id)) : null;
  if (shown.size === 0 || named?.length === 0) return;
  try {
    if (named && named.length <= maxSingle) {
      showRead(await Promise.all(named.map((id) => assay.findings.get(id))));
      return;
    }
    const since = event?.since ?? new Date(loadedAt).toISOString();
    let cursor: string | null = null;
    for (let page = 0; page < maxPages; page++) {
      const read: Awaited<ReturnType<typeof readPage>> = await readPage(since, cursor);
      showRead(read.data);
      cursor = read.next_cursor;
      if (cursor === null) return;
    }
  } catch {
    // The rows stay unchanged; their versions prevent changes of them from overwriting newer data.
  }
}

const readPage = (since: string, cursor: string | null) =>
  assay.findings.list({
    updated_from: since,
    sort: '-updated_at',
    fields: [...listedFields],
    limit: 200,
    ...(cursor !== null && { next_cursor: cursor }),
  });

export type List = {
  findings: ListedFinding[];
  query: ReturnType<typeof useInfiniteQuery>;
  current: ListedFinding | undefined;
  move: (step: number) => void;
  onNeedMore: () => void;
};

/** The loaded rows, the current row for the keys, and the moves between rows. */
export function useList(state: FindingsState): List {
  const query = useInfiniteQuery({
    ...listQuery(state.filters, state.sort, state.loadedAt),
    enabled: state.group === null,
  });
  const findings = useMemo(() => query.data?.pages.flatMap(({ data }) => data) ?? [], [query.data]);
  const [currentId, setCurrentId] = useState<string | null>(state.open);
  const { open, setOpen } = state;
  useEffect(() => {
    if (open !== null) setCurrentId(open);
  }, [open]);
  useEffect(() => onFindingsChanged((event) => void renewRows(event, state.loadedAt)), [state.loadedAt]);
  const index = findings.findIndex(({ id }) => id === currentId);
  const go = (next: number) => {
    const finding = findings[Math.min(Math.max(next, 0), findings.length - 1)];
    if (!finding) return;
    setCurrentId(finding.id);
    if (open !== null) setOpen(finding.id, { replace: true });
  };
  const move = (step: number) => go(index < 0 ? 0 : index + step);
  // The next finding is prefetched.
  useEffect(() => {
    if (index < 0 || open === null) return;
    for (const neighbour of [findings[index + 1], findings[index - 1]]) {
      if (neighbour) void queryClient.prefetchQuery(findingQuery(neighbour.id));
    }
  }, [findings, index, open]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const onNeedMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return { findings, query: query as List['query'], current: findings[index], move, onNeedMore };
}

type MoveOptions = {
  list: List;
  state: FindingsState;
  selection: Selection;
  onOpenPage: (id: string) => void;
};

/** The keys that move through the list, select rows, and open findings. */
export function useMoveCommands({ list, state, selection, onOpenPage }: MoveOptions): void {
  const { findings, current, move } = list;
  const order = findings.map(({ id }) => id);
  const extend = (step: number) => {
    const index = current ? order.indexOf(current.id) : -1;
    const next = order[Math.min(Math.max(index + step, 0), order.length - 1)];
    if (current && !selection.ids.has(current.id)) selection.toggle(current.id);
    if (next) selection.extendTo(next, order);
    move(step);
  };
  const section = 'List';
  const commands: Command[] = [
    { keys: ['j', 'ArrowDown'], label: 'Next finding', section, unlisted: true, run: () => move(1) },
    { keys: ['k', 'ArrowUp'], label: 'Previous finding', section, unlisted: true, run: () => move(-1) },
    { keys: ['PageDown'], label: 'Ten forward', section, unlisted: true, run: () => move(10) },
    { keys: ['PageUp'], label: 'Ten back', section, unlisted: true, run: () => move(-10) },
    {
      keys: ['o', 'Space'],
      label: 'Open or close the panel',
      section,
      run: () => {
        if (state.open !== null) state.setOpen(null);
        else if (current) state.setOpen(current.id);
        else move(0);
      },
    },
    { keys: ['Enter'], label: 'Open as a page', section, run: () => current && onOpenPage(current.id) },
    {
      keys: ['Escape'],
      label: 'Close the panel, then clear the selection',
      section,
      unlisted: true,
      run: () => (state.open !== null ? state.setOpen(null) : selection.clear()),
    },
    { keys: ['x'], label: 'Select', section, unlisted: true, run: () => current && selection.toggle(current.id) },
    { keys: ['Shift+j', 'Shift+ArrowDown'], label: 'Extend down', section, unlisted: true, run: () => extend(1) },
    { keys: ['Shift+k', 'Shift+ArrowUp'], label: 'Extend up', section, unlisted: true, run: () => extend(-1) },
    { keys: ['Ctrl+a'], label: 'Select all loaded rows', section, run: () => selection.set(order) },
  ];
  useCommands(state.group === null ? commands : []);
}
