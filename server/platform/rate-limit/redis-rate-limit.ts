import { Redis } from 'ioredis';
import type { Log } from '../log.ts';
import { admits, allowanceOf, capacityOf, createMemoryRateLimiter, type RateLimiter } from './rate-limit.ts';

/**
 * Reads a bucket, lets what has been refilled since flow back, and takes one request if it fits. By the server's own clock,
 * so that nodes whose clocks differ agree. Answers what was used before, to full precision.
 * KEYS: bucket. ARGV: requests per millisecond, capacity.
 */
const script = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local rate, capacity = tonumber(ARGV[1]), tonumber(ARGV[2])
local stored = redis.call('HMGET', KEYS[1], 'used', 'at')
local used, at = tonumber(stored[1] or '0'), tonumber(stored[2] or '0')
used = math.max(0, used - math.max(0, now - at) * rate)
if used + 1 <= capacity + 0.000001 then
  redis.call('HSET', KEYS[1], 'used', string.format('%.17g', used + 1), 'at', string.format('%.17g', now))
  redis.call('PEXPIRE', KEYS[1], math.ceil((used + 1) / rate) + 1000)
end
return string.format('%.17g', used)
`;

type BucketCommand = (key: string, requestsPerMs: number, capacity: number) => Promise<string>;

const commandTimeoutMs = 250;

/**
 * Buckets in Redis or Valkey, counted over all nodes. While it can't be reached each node counts in its own memory,
 * which admits more rather than none; one line in the log tells when that begins and one when it ends.
 */
export function createRedisRateLimiter(options: { url: string; log: Log; prefix?: string }): RateLimiter {
  const prefix = options.prefix ?? 'assay:rate:';
  const local = createMemoryRateLimiter();
  const redis = new Redis(options.url, {
    commandTimeout: commandTimeoutMs,
    connectTimeout: 2_000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
    scripts: { bucket: { lua: script, numberOfKeys: 1 } },
  });
  let away = false;
  const report = (err: Error | null) => {
    if (away === (err !== null)) return;
    away = err !== null;
    if (err) options.log.warn({ err }, 'Redis is away: rate limits are counted by each node alone.');
    else options.log.info('Redis is back: rate limits are counted over all nodes.');
  };
  let connected = false;
  redis.on('error', report);
  redis.once('ready', () => {
    connected = true;
  });

  const bucket = (redis as unknown as { bucket: BucketCommand }).bucket.bind(redis);

  return {
    async take(key, rate) {
      try {
        const used = Number(await bucket(prefix + key, rate.requestsPerMinute / 60_000, capacityOf(rate)));
        report(null);
        return allowanceOf(used, rate, admits(used, rate));
      } catch (err) {
        // Before the first connection stands, or has failed, there is nothing to tell yet.
        if (connected) report(err as Error);
        return local.take(key, rate);
      }
    },
    async close() {
      redis.disconnect();
    },
  };
}
