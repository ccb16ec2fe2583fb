/** The number of resealed values, and the keys of those that neither secret key could open. */
export type Resealed = { resealed: number; unreadable: string[] };

/** The number of secrets that are resealed at a time. */
const resealedAtOnce = 100;

/**
 * Reseals the values from `list`, page by page in the order of `key`, and stores each with `store`, which returns
 * false for a value that was replaced meanwhile. `reseal` throws for a value that it can't open: such a value is
 * reported and stays unchanged.
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
