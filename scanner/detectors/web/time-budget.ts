/**
 * The total time for all requests to one origin and all handshakes with it, so that a slow site does not block a scan.
 */
export const originMs = 60_000;

/** Measures the time that requests wait for a site, by origin. */
export type TimeBudget = {
  /**
   * Calls `work` with its time limit: `maxMs`, or less if little is left. Throws an error with a sentence if nothing is
   * left.
   */
  spend<T>(origin: string, maxMs: number, work: (timeoutMs: number) => Promise<T>): Promise<T>;
};

export function createTimeBudget(limitMs = originMs): TimeBudget {
  const spent = new Map<string, number>();
  return {
    async spend(origin, maxMs, work) {
      const left = limitMs - (spent.get(origin) ?? 0);
      if (left <= 0) throw new Error(`${origin} took longer than ${limitMs / 1000} seconds in all`);
      const begun = performance.now();
      try {
        return await work(Math.ceil(Math.min(maxMs, left)));
      } finally {
        spent.set(origin, (spent.get(origin) ?? 0) + performance.now() - begun);
      }
    },
  };
}
