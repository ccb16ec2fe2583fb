import type { Db } from '../../platform/postgres/database.ts';

/** The number of days without an update after which a feed is old: KEV changes every few days, the others daily. */
export const maxFeedDays = 7;

/** The time since a feed was loaded. */
export type FeedAge = { feed: string; loadedAt: Date; ageSeconds: number };

/**
 * Returns the time since each loaded feed last changed: an unchanged file is not loaded again. Advisories come in one
 * archive per ecosystem, of which the newest counts.
 */
export async function findFeedAges(tx: Db): Promise<FeedAge[]> {
  const { rows } = await tx.query<FeedAge>({
    name: 'feed_ages',
    text: `SELECT feed, at AS "loadedAt", extract(epoch FROM clock_timestamp() - at)::float8 AS "ageSeconds" FROM (
             SELECT 'advisories' AS feed, max(synced_at) AS at FROM advisory_archives
             UNION ALL SELECT name, loaded_at FROM exploitation_feeds) AS loaded
           WHERE at IS NOT NULL ORDER BY feed`,
  });
  return rows;
}
