import { isOnline, onOnlineChange } from './online.ts';
import { queryClient } from './query-client.ts';
import {
  announceFindings,
  refreshAll,
  showDecisions,
  showFindingCounts,
  showSingleDecisions,
  showThing,
} from './show-event.ts';

/** The time without a connection after which pages poll again. Servers end each connection after 15 minutes. */
const graceMs = 10_000;
/** The pause before a refused connection is retried. */
const refusedMs = 30_000;

let live = false;

/** The interval of queries that events keep current: they poll only while no events arrive. */
export const unlessLive = (ms: number): number | false => (live ? false : ms);

/** Whether the server can be reached. */
const checkServer = () =>
  void queryClient.refetchQueries({ queryKey: ['findings', 'summary'], type: 'active' }, { cancelRefetch: false });

/**
 * Keeps pages up to date over one event stream, until the returned function is called. The browser reconnects by itself
 * and resumes with the last event's id. Background tabs have no connection: browsers allow few per server.
 */
export function followEvents(): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether events may have been missed. */
  let missed = false;
  let wasOpen = false;

  const refresh = () => {
    missed = false;
    refreshAll();
    announceFindings(null);
  };
  const onOpen = () => {
    clearTimeout(timer);
    timer = undefined;
    live = true;
    // The server also ends the connection when the person's role changes.
    if (wasOpen) void queryClient.invalidateQueries({ queryKey: ['profile'] });
    wasOpen = true;
    if (missed) refresh();
  };
  const poll = () => {
    timer = undefined;
    live = false;
    missed = true;
    refreshAll();
  };
  const onError = () => {
    checkServer();
    if (source?.readyState === EventSource.CLOSED) {
      source = null;
      poll();
      timer = setTimeout(connect, refusedMs);
    } else timer ??= setTimeout(poll, graceMs);
  };
  const close = () => {
    clearTimeout(timer);
    timer = undefined;
    missed ||= source !== null;
    source?.close();
    source = null;
    live = false;
  };
  const connect = () => {
    close();
    if (document.hidden) return;
    source = new EventSource('/api/v1/events');
    source.onopen = onOpen;
    source.onerror = onError;
    for (const type of ['scan', 'report', 'bulk_operation'] as const) {
      source.addEventListener(type, ({ data }) => showThing(type, JSON.parse(data)));
    }
    source.addEventListener('decision', showDecisions);
    source.addEventListener('findings', ({ data }) => {
      showFindingCounts();
      showSingleDecisions();
      announceFindings(JSON.parse(data));
    });
    source.addEventListener('reset', refresh);
  };
  const onVisible = () => (document.hidden ? close() : connect());
  // A connection that seems open may have died with the network: open a new one and reload everything.
  const stopWatching = onOnlineChange(() => isOnline() && connect());

  connect();
  document.addEventListener('visibilitychange', onVisible);
  window.addEventListener('offline', checkServer);
  window.addEventListener('online', checkServer);
  return () => {
    close();
    stopWatching();
    document.removeEventListener('visibilitychange', onVisible);
    window.removeEventListener('offline', checkServer);
    window.removeEventListener('online', checkServer);
  };
}
