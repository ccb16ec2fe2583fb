import { useSyncExternalStore } from 'react';

let online = true;
const listeners = new Set<() => void>();

/** Calls a function whenever the server becomes reachable or unreachable. */
export function onOnlineChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const isOnline = () => online;

/** Records whether the last request reached the server. */
export function setOnline(value: boolean): void {
  if (value === online) return;
  online = value;
  for (const listener of listeners) listener();
}

export const useOnline = (): boolean => useSyncExternalStore(onOnlineChange, isOnline);
