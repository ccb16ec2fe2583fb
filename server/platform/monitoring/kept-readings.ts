const minEveryMs = 60_000;
/** The pause after a reading, as a multiple of its duration: reading takes at most a twentieth of the time. */
const pauseOfDuration = 20;
const maxAgeMs = 3_600_000;
const waitMs = 2_000;

/**
 * Reads expensive figures at most once a minute, however often they are requested. A scrape starts `read` and gets
 * the previous figures; only the first scrape waits. If reading fails, figures are kept for up to an hour.
 */
export function keepReadings<T>(read: () => Promise<T>, now: () => number = () => performance.now()): () => Promise<T> {
  let kept: { value: T; readAt: number } | null = null;
  let reading: Promise<T> | null = null;
  let nextAt = Number.NEGATIVE_INFINITY;

  function start(): Promise<T> {
    const startedAt = now();
    const started = read()
      .then((value) => {
        kept = { value, readAt: now() };
        return value;
      })
      .finally(() => {
        reading = null;
        nextAt = now() + Math.max(minEveryMs, (now() - startedAt) * pauseOfDuration);
      });
    started.catch(() => {});
    return started;
  }

  return async () => {
    if (reading === null && now() >= nextAt) reading = start();
    if (kept && now() - kept.readAt < maxAgeMs) return kept.value;
    if (reading === null) throw new Error('The figures could not be read.');
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error('The figures were not read in time.')), waitMs);
    return Promise.race([reading, late.promise]).finally(() => clearTimeout(timer));
  };
}
