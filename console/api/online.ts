import { useSyncExternalStore } from 'react';

let online = true;
const listeners = new Set<() => void>();

/** Notes whether the server could be reached by the last request. */
export function setOnline(value: boolean): void {
  if (value === online) return;
  online = value;
  for (const listener of listeners) listener();
}

export function useOnline(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => online,
  );
}
