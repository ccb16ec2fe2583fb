import type { FindingUpdate } from '@assay/client';
import { useSyncExternalStore } from 'react';

/** The decision on a finding and its version, as the person last saw them. */
export type SeenFinding = {
  id: string;
  title: string;
  version: number;
  status: NonNullable<FindingUpdate['status']>;
  tags: string[];
  assignee: { id: string; name: string; email: string } | null;
  accepted_until: string | null;
};

/**
 * A change of a finding that has not been applied: it waits for the connection, or conflicts with somebody else's
 * decision. `seen` is the finding that the person decided on; in a conflict, the current finding.
 */
export type PendingChange = {
  key: string;
  state: 'waiting' | 'conflict';
  seen: SeenFinding;
  change: FindingUpdate;
  /** Whether the change was sent before: its response may have been lost. */
  wasSent: boolean;
};

const maxWaiting = 100;
const prefix = 'assay.pending.';

let storageKey: string | null = null;
let changes: readonly PendingChange[] = [];
const listeners = new Set<() => void>();

function set(next: readonly PendingChange[]): void {
  changes = next;
  try {
    if (storageKey !== null && next.length > 0) sessionStorage.setItem(storageKey, JSON.stringify(next));
    else if (storageKey !== null) sessionStorage.removeItem(storageKey);
  } catch {
    // The browser blocks storage for this site: the changes last until the page is left.
  }
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Discards all unapplied changes, when the person signs out. */
export function forgetPending(except: string | null = null): void {
  try {
    const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(prefix));
    for (const key of keys) if (except === null || !key.endsWith(except)) sessionStorage.removeItem(key);
  } catch {
    // Nothing is stored there.
  }
  if (except === null) set([]);
}

/** Loads this tab's stored changes of a person in an organization, and removes those of other people. */
export function openPending(userId: string, organizationId: string): void {
  forgetPending(`.${userId}`);
  storageKey = `${prefix}${organizationId}.${userId}`;
  try {
    changes = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]') as PendingChange[];
  } catch {
    changes = [];
  }
  set(changes);
}

export const isPendingOf = (userId: string, organizationId: string): boolean =>
  storageKey === `${prefix}${organizationId}.${userId}`;

export const readWaiting = (): PendingChange[] => changes.filter(({ state }) => state === 'waiting');

export const findPending = (id: string): PendingChange | undefined => changes.findLast(({ seen }) => seen.id === id);

/** Stores a change until the connection is back. Returns false if 100 are waiting. */
export function addWaiting(change: Omit<PendingChange, 'state'>): boolean {
  if (readWaiting().length >= maxWaiting) return false;
  set([...changes, { ...change, state: 'waiting' }]);
  return true;
}

const joined = (texts: (string | undefined)[]) => texts.filter((text) => text !== undefined).join('\n\n');

/** Merges two changes of one finding. */
function merge({ accepted_until: until, ...earlier }: FindingUpdate, later: FindingUpdate): FindingUpdate {
  const comment = joined([earlier.comment, later.comment]);
  return {
    ...earlier,
    ...(until !== undefined && later.status === undefined && { accepted_until: until }),
    ...later,
    ...(comment !== '' && { comment }),
  };
}

/** Stores a change that conflicts with somebody else's decision until the person decides. */
export function addConflict(seen: SeenFinding, change: FindingUpdate): PendingChange {
  const earlier = changes.find((other) => other.state === 'conflict' && other.seen.id === seen.id);
  const conflict: PendingChange = {
    key: earlier?.key ?? crypto.randomUUID(),
    state: 'conflict',
    seen,
    change: earlier ? merge(earlier.change, change) : change,
    wasSent: false,
  };
  set([...changes.filter((other) => other !== earlier), conflict]);
  return conflict;
}

/** Rebases the waiting changes of a finding on the change that was applied before them. */
export const rebaseWaiting = (seen: SeenFinding): void =>
  set(
    changes.map((change) => (change.state === 'waiting' && change.seen.id === seen.id ? { ...change, seen } : change)),
  );

export const noteSent = (key: string): void =>
  set(changes.map((change) => (change.key === key ? { ...change, wasSent: true } : change)));

/** Returns whether the change existed. */
export function removePending(key: string): boolean {
  const left = changes.filter((change) => change.key !== key);
  const isGone = left.length < changes.length;
  if (isGone) set(left);
  return isGone;
}

export const usePending = (): readonly PendingChange[] => useSyncExternalStore(subscribe, () => changes);

/** The last unapplied change of a finding. */
export const usePendingOf = (id: string): PendingChange | undefined =>
  useSyncExternalStore(subscribe, () => findPending(id));
