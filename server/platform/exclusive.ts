const tails = new Map<string, Promise<unknown>>();

/** Runs `work` after all earlier work with the same key in this process has ended: one call at a time, in order. */
export async function exclusively<T>(key: string, work: () => Promise<T>): Promise<T> {
  const earlier = tails.get(key) ?? Promise.resolve();
  const mine = earlier.then(work, work);
  const tail = mine.catch(() => {});
  tails.set(key, tail);
  try {
    return await mine;
  } finally {
    if (tails.get(key) === tail) tails.delete(key);
  }
}
