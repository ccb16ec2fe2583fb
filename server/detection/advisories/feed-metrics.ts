import type { Instruments } from '../../platform/metrics.ts';
import { keepReadings } from '../../platform/monitoring/kept-readings.ts';
import type { Database } from '../../platform/postgres/database.ts';

type FeedAge = { feed: string; loadedAt: Date };

function readAges(database: Database): Promise<FeedAge[]> {
  return database.single<FeedAge>(null, {
    name: 'feed_list_ages',
    text: `SELECT name AS feed, loaded_at AS "loadedAt" FROM exploitation_feeds
           UNION ALL SELECT 'advisories', max(synced_at) FROM advisory_archives HAVING max(synced_at) IS NOT NULL`,
  });
}

/** Adds the age of each loaded feed: the time since it last changed. A feed that was never loaded has none. */
export function addFeedMetrics(metrics: Instruments, database: Database): void {
  const read = keepReadings(() => readAges(database));
  const help = 'The time since new content of the feed was loaded: advisories, epss, kev.';
  metrics.gauge('feed_age_seconds', help, ['feed'], async () =>
    (await read()).map(({ feed, loadedAt }) => ({
      labels: { feed },
      value: Math.max(0, (Date.now() - loadedAt.getTime()) / 1_000),
    })),
  );
}
