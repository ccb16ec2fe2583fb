/** The number of values that were sealed again, and what could not be opened with either key. */
export type Resealed = { resealed: number; unreadable: string[] };

/** Secrets are sealed again so many at a time. */
const resealedAtOnce = 100;

/**
 * Seals what `list` returns, page after page in the order of `key`, and stores each with `store`, which returns false for
 * a value that somebody has replaced meanwhile. `reseal` throws for what cannot be opened: it is reported and left.
 */
export async function resealPages<Row extends { key: string }>(
  list: (after: string, limit: number) => Promise<Row[]>,
  reseal: (row: Row) => Promise<string> | string,
  store: (row: Row, sealed: string) => Promise<boolean>,
): Promise<Resealed> {
  const result: Resealed = { resealed: 0, unreadable: [] };
  for (let after = ''; ; ) {
    const rows = await list(after, resealedAtOnce);
    for (const row of rows) {
      const sealed = await Promise.resolve(row)
        .then(reseal)
        .catch(() => null);
      if (sealed === null) result.unreadable.push(row.key);
      else if (await store(row, sealed)) result.resealed += 1;
    }
    if (rows.length < resealedAtOnce) return result;
    after = rows.at(-1)!.key;
  }
}
