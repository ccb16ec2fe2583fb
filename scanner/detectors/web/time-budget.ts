/** The time that all requests to one origin and all handshakes with it may take, so that a slow site holds no scan. */
export const originMs = 60_000;

/** Measures how long a site lets its visitor wait, by origin. */
export type TimeBudget = {
  /**
   * Calls `work` with the time it may take: `maxMs`, or less where little is left. Throws an error with a sentence when
   * nothing is left.
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
