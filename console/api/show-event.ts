import type { FindingsEvent } from '@assay/client';
import type { Query, QueryKey } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';

type Thing = { id: string; status: string; trigger?: string; scheduled_report_id?: string | null };

const isRunning = ({ status }: Thing) => status === 'queued' || status === 'running' || status === 'pending';

/** The queries that depend on each kind of resource, by the first parts of their keys. */
const dependents: Record<'scan' | 'report' | 'bulk_operation', (thing: Thing) => QueryKey[]> = {
  scan: (scan) => [
    ['scans'],
    ...(scan.trigger === 'schedule' ? [['scan-schedules']] : []),
    ...(isRunning(scan) ? [] : [['detection-sources'], ['data-sources']]),
  ],
  report: ({ id, scheduled_report_id: scheduled }) => [
    ['reports', 'pages'],
    ['reports', 'one', id],
    ...(scheduled ? [['scheduled-reports']] : []),
  ],
  bulk_operation: ({ id }) => [['bulk-operation', id], ['bulk-operations']],
};

/** The last shown status of each resource. */
const shown = new Map<string, string>();

const renew = (queryKey: QueryKey) => void queryClient.invalidateQueries({ queryKey });

/** Returns a query's loaded data with a newer state of one row; the same object if it has no such row. */
function withThing(loaded: unknown, thing: Thing): unknown {
  if (Array.isArray(loaded)) {
    return loaded.some(({ id }) => id === thing.id)
      ? loaded.map((row) => (row.id === thing.id ? { ...row, ...thing } : row))
      : loaded;
  }
  if (typeof loaded !== 'object' || loaded === null) return loaded;
  if ('pages' in loaded) {
    const old = loaded.pages as Array<{ data: unknown }>;
    const pages = old.map((page) => {
      const data = withThing(page.data, thing);
      return data === page.data ? page : { ...page, data };
    });
    return pages.some((page, index) => page !== old[index]) ? { ...loaded, pages } : loaded;
  }
  return 'id' in loaded && loaded.id === thing.id ? { ...loaded, ...thing } : loaded;
}

/** Updates a scan, report or bulk operation from an event and reloads data that its new status affects. */
export function showThing(kind: keyof typeof dependents, thing: Thing): void {
  const keys = dependents[kind](thing);
  if (kind !== 'bulk_operation') {
    for (const query of queryClient.getQueryCache().findAll({ queryKey: keys[0]!.slice(0, 1) })) {
      const data = withThing(query.state.data, thing);
      if (data !== query.state.data) queryClient.setQueryData(query.queryKey, data);
    }
  }
  if (kind !== 'bulk_operation' && shown.get(thing.id) === thing.status) return;
  shown.set(thing.id, thing.status);
  for (const key of keys) renew(key);
}

/** The shortest time between two reads of what changes continuously. */
const pauseMs = 2_000;

/** Returns a function that schedules a read, unless one is waiting. */
function paced(read: () => void): () => void {
  let waiting = false;
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (waiting) return;
    waiting = true;
    setTimeout(
      () => {
        waiting = false;
        readAt = performance.now();
        read();
      },
      Math.max(0, readAt + pauseMs - performance.now()),
    );
  };
}

/** The list of findings stays unchanged until the person loads new ones; a PDF and a preview are snapshots. */
const kept = ['findings list', 'reports pdf', 'bulk-preview', 'import-preview', 'auth'];

const mayChange = ({ queryKey: [first, second], state }: Query) =>
  state.status === 'error' || !kept.some((key) => key === first || key === `${first} ${second}`);

/** The open finding with its timeline. A finding in a conflict dialog stays unchanged. */
const isOpenFinding = ({ queryKey: [first, , third] }: Query) => first === 'finding' && third !== 'conflict';

/** Schedules a refresh of the counts of findings and of an open finding. */
export const showFindingCounts = paced(() => {
  void queryClient.invalidateQueries({ queryKey: ['findings'], predicate: mayChange });
  void queryClient.invalidateQueries({ predicate: isOpenFinding });
});

/** Schedules a refresh of the decisions, their requests and the number of those to approve. */
export const showDecisions = paced(() => renew(['decisions']));

/** Reloads the lists with decisions about single findings, whose changes are events of findings alone. */
export const showSingleDecisions = paced(() => {
  for (const key of [['pages', 'ending'], ['ending soon'], ['single']]) renew(['decisions', ...key]);
});

type FindingsListener = (event: FindingsEvent | null) => void;
const findingsListeners = new Set<FindingsListener>();

/** Calls a function with the changes to findings; null if they are unknown because events were missed. */
export function onFindingsChanged(listener: FindingsListener): () => void {
  findingsListeners.add(listener);
  return () => void findingsListeners.delete(listener);
}

export function announceFindings(event: FindingsEvent | null): void {
  for (const listener of findingsListeners) listener(event);
}

/** Refreshes everything on the page except data that stays unchanged on purpose. */
export function refreshAll(): void {
  shown.clear();
  void queryClient.invalidateQueries({ predicate: mayChange });
}
