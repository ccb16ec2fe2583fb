import type { Database } from '../../platform/postgres/database.ts';

/** Findings of one page of the table have more in common than others: each page counts as one, and has at most so many. */
const maxRowsOfPage = 16;

/**
 * Returns the share of the table's pages whose findings are about `rows` ones of all organizations. `population` is the number of
 * one organization, which is what remains to go by where the table has no statistics.
 */
export async function shareOfRows(database: Database, population: number, rows: number): Promise<number> {
  const [table] = await database.single<{ count: number }>(null, {
    name: 'findings_estimate_count',
    text: `SELECT reltuples::bigint AS count FROM pg_class WHERE oid = 'findings'::regclass`,
  });
  return Math.min(1, rows / Math.max(table!.count, population));
}

/** Returns the number of findings that `rows` rows of such a share of the table stand for. */
export const estimateOf = (rows: number, share: number): number => Math.round(rows / share);

/**
 * Returns by how much an estimate is off at most, in 95 of 100 cases: two standard deviations of a count of pages, each of which is
 * read or not by chance. Where no row was read, three pages may have been missed.
 */
export function marginOf(rows: number, share: number): number {
  if (share === 1) return 0;
  return Math.ceil((2 * Math.sqrt((1 - share) * maxRowsOfPage * Math.max(rows, maxRowsOfPage))) / share);
}
