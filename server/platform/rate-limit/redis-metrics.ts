import type { Metrics } from '../metrics.ts';
import type { RedisRateLimiter } from './redis-rate-limit.ts';

/** Adds whether this node can reach Redis. */
export function addRedisMetrics(metrics: Metrics, limiter: Pick<RedisRateLimiter, 'isConnected'>): void {
  metrics.gauge('redis_connected', 'Whether this node reaches Redis: 1 or 0.', [], async () => [
    { labels: {}, value: limiter.isConnected() ? 1 : 0 },
  ]);
}
