import { addFeedMetrics } from './detection/advisories/feed-metrics.ts';
import { addFindingMetrics } from './findings/figures/finding-metrics.ts';
import manifest from './package.json' with { type: 'json' };
import type { Metrics } from './platform/metrics.ts';
import { addBuildMetrics } from './platform/monitoring/build-metrics.ts';
import { addPoolMetrics, addQueueMetrics } from './platform/monitoring/queue-metrics.ts';
import type { Database } from './platform/postgres/database.ts';

/** Adds the figures that every API reads from the database, and those of this one. */
export function addApiMetrics(metrics: Metrics, database: Database): void {
  addBuildMetrics(metrics, 'api', manifest.version);
  addQueueMetrics(metrics, database);
  addPoolMetrics(metrics, database);
  addFindingMetrics(metrics, database);
  addFeedMetrics(metrics, database);
}
