import type { Db } from '../../platform/postgres/database.ts';

/** The days after which a feed without news is old: KEV changes every few days, the others daily. */
export const maxFeedDays = 7;

/** The time since a feed was loaded. */
export type FeedAge = { feed: string; loadedAt: Date; ageSeconds: number };

/**
 * Returns the ages of the feeds that were loaded. What has not changed is not loaded again. Advisories come in one archive
 * for each ecosystem, of which the newest counts.
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
