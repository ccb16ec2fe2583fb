import { Redis } from 'ioredis';
import type { Log } from './log.ts';
import {
  type Allowance,
  admits,
  allowanceOf,
  capacityOf,
  createMemoryRateLimiter,
  type Rate,
  type RateLimiter,
} from './rate-limit.ts';

/**
 * Reads a bucket, lets what has been refilled since flow back, and takes `cost` requests if they fit below `ceiling`. By the
 * server's own clock, so that nodes whose clocks differ agree. Answers what was used before, to full precision.
 * KEYS: bucket. ARGV: requests per millisecond, ceiling, cost.
 */
const script = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local rate, ceiling, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local stored = redis.call('HMGET', KEYS[1], 'used', 'at')
local used, at = tonumber(stored[1] or '0'), tonumber(stored[2] or '0')
used = math.max(0, used - math.max(0, now - at) * rate)
if cost > 0 and used + cost <= ceiling + 0.000001 then
  redis.call('HSET', KEYS[1], 'used', string.format('%.17g', used + cost), 'at', string.format('%.17g', now))
  redis.call('PEXPIRE', KEYS[1], math.ceil((used + cost) / rate) + 1000)
end
return string.format('%.17g', used)
`;

type BucketCommand = (key: string, rate: number, ceiling: number, cost: number) => Promise<string>;

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
  async function shared(key: string, rate: Rate, ceiling: number, cost: number): Promise<number | null> {
    try {
      const used = Number(await bucket(prefix + key, rate.requestsPerMinute / 60_000, ceiling, cost));
      report(null);
      return used;
    } catch (err) {
      // Before the first connection stands, or has failed, there is nothing to tell yet.
      if (connected) report(err as Error);
      return null;
    }
  }
  const answer = (used: number, rate: Rate): Allowance => allowanceOf(used, rate, admits(used, rate));

  return {
    async take(key, rate) {
      const used = await shared(key, rate, capacityOf(rate), 1);
      return used === null ? local.take(key, rate) : answer(used, rate);
    },
    async peek(key, rate) {
      const used = await shared(key, rate, capacityOf(rate), 0);
      return used === null ? local.peek(key, rate) : answer(used, rate);
    },
    async charge(key, rate) {
      if ((await shared(key, rate, 2 * capacityOf(rate), 1)) === null) await local.charge(key, rate);
    },
    async close() {
      redis.disconnect();
    },
  };
}
