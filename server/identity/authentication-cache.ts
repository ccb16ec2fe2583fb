const maxEntries = 10_000;

type Entry<Value> = { loadedAt: number; value: Promise<Value | undefined> };

export type AuthenticationCache<Value> = {
  /**
   * Returns what `load` returns for this key, no older than the maximum age. Keys that were not found are not cached.
   */
  get(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined>;
  clear(): void;
};

/**
 * Caches the owner of a credential for `maxAgeMs()`, counted from before the database was queried. Age 0 disables
 * the cache.
 */
export function createAuthenticationCache<Value>(
  maxAgeMs: () => number,
  now: () => number = () => performance.now(),
): AuthenticationCache<Value> {
  const entries = new Map<string, Entry<Value>>();

  return {
    get(key, load) {
      const known = entries.get(key);
      if (known && now() - known.loadedAt < maxAgeMs()) return known.value;
      const entry: Entry<Value> = { loadedAt: now(), value: load() };
      const forget = () => {
        if (entries.get(key) === entry) entries.delete(key);
      };
      // Deleted first, so that the map is in the order of loading, and the oldest entry is removed first.
      entries.delete(key);
      entries.set(key, entry);
      if (entries.size > maxEntries) entries.delete(entries.keys().next().value!);
      entry.value.then((value) => value === undefined && forget(), forget);
      return entry.value;
    },
    clear: () => entries.clear(),
  };
}
