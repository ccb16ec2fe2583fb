import type { FindingsEvent } from '@assay/client';
import type { Query, QueryKey } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';

type Thing = { id: string; status: string; trigger?: string; scheduled_report_id?: string | null };

const isRunning = ({ status }: Thing) => status === 'queued' || status === 'running' || status === 'pending';

/** The queries that depend on a thing of each kind, by the first parts of their keys. */
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

/** The status in which each thing was last shown. */
const shown = new Map<string, string>();

const renew = (queryKey: QueryKey) => void queryClient.invalidateQueries({ queryKey });

/** Returns what a query has loaded with a newer state of one of its rows; the same object when it has no such row. */
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

/** Shows a scan, report or bulk operation as an event has it, and reads again what a new status changes elsewhere. */
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

/** The shortest time between two reads of counts while findings change all the time. */
const pauseMs = 2_000;
let waiting = false;
let readAt = Number.NEGATIVE_INFINITY;

/** The list of findings stays as it is until somebody asks for what is new; a PDF and a preview are of one moment. */
const kept = ['findings list', 'reports pdf', 'bulk-preview', 'import-preview', 'auth'];

const mayChange = ({ queryKey: [first, second], state }: Query) =>
  state.status === 'error' || !kept.some((key) => key === first || key === `${first} ${second}`);

/** A finding that is open, with its timeline; what somebody decides on after a conflict stays as it was. */
const isOpenFinding = ({ queryKey: [first, , third] }: Query) => first === 'finding' && third !== 'conflict';

/** Schedules a refresh of the counts of findings and of an open finding. */
export function showFindingCounts(): void {
  if (waiting) return;
  waiting = true;
  const read = () => {
    waiting = false;
    readAt = performance.now();
    void queryClient.invalidateQueries({ queryKey: ['findings'], predicate: mayChange });
    void queryClient.invalidateQueries({ predicate: isOpenFinding });
  };
  setTimeout(read, Math.max(0, readAt + pauseMs - performance.now()));
}

type FindingsListener = (event: FindingsEvent | null) => void;
const findingsListeners = new Set<FindingsListener>();

/** Calls a function with what changed of the findings; null when that is unknown, since events were missed. */
export function onFindingsChanged(listener: FindingsListener): () => void {
  findingsListeners.add(listener);
  return () => void findingsListeners.delete(listener);
}

export function announceFindings(event: FindingsEvent | null): void {
  for (const listener of findingsListeners) listener(event);
}

/** Refreshes everything that the page shows, except data that stays unchanged on purpose. */
export function refreshAll(): void {
  shown.clear();
  void queryClient.invalidateQueries({ predicate: mayChange });
}
