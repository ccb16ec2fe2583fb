const maximumEntries = 10_000;

type Entry<Value> = { loadedAt: number; value: Promise<Value | undefined> };

export type AuthenticationCache<Value> = {
  /** What `load` answers for this key, not older than the maximum age. Nothing is remembered of what was not found. */
  get(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined>;
  clear(): void;
};

/**
 * Remembers who is behind a credential for `maximumAgeMs()`, counted from before the database was asked.
 * Age 0 means that nothing is remembered at all.
 */
export function createAuthenticationCache<Value>(
  maximumAgeMs: () => number,
  now: () => number = () => performance.now(),
): AuthenticationCache<Value> {
  const entries = new Map<string, Entry<Value>>();

  return {
    get(key, load) {
      const known = entries.get(key);
      if (known && now() - known.loadedAt < maximumAgeMs()) return known.value;
      const entry: Entry<Value> = { loadedAt: now(), value: load() };
      const forget = () => {
        if (entries.get(key) === entry) entries.delete(key);
      };
      // Deleted first, so that the map's order is that of loading, and the oldest is the first to go.
      entries.delete(key);
      entries.set(key, entry);
      if (entries.size > maximumEntries) entries.delete(entries.keys().next().value!);
      entry.value.then((value) => value === undefined && forget(), forget);
      return entry.value;
    },
    clear: () => entries.clear(),
  };
}
