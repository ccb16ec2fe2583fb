import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Log } from '../log.ts';
import {
  type Allowance,
  admits,
  allowanceOf,
  capacityOf,
  createMemoryRateLimiter,
  type LocalRateLimiter,
  maxLevel,
  type Rate,
  type RateLimiter,
} from './rate-limit.ts';

const publishEveryMs = 500;
/** A node that has been silent for this long counts as stopped. */
const peerSilenceMs = 5_000;
/** Keeps a message below a quarter of a megabyte. */
const maxLevelsPerMessage = 2_000;

/** A bucket, its rate and its level. */
type Level = [key: string, requestsPerMinute: number, burstPerMinute: number, used: number];
type Message = { node: string; levels: Level[] };

type SharedLevels = {
  /** The level of every bucket known to this node, at most half a second old. */
  readonly known: LocalRateLimiter;
  /** Records a level that Redis reported for a bucket, and sends it to the other nodes. */
  note(key: string, rate: Rate, used: number): void;
  /** The number of nodes, including this one. */
  countNodes(): number;
  close(): void;
};

/**
 * Shares the presence of the nodes and the levels of all buckets over a Redis channel, so that each node can take
 * over its part when Redis becomes unavailable.
 */
function shareLevels(publisher: Redis, channel: string): SharedLevels {
  const node = randomUUID();
  const known = createMemoryRateLimiter();
  const changed = new Map<string, Rate>();
  const peers = new Map<string, number>();
  const subscriber = publisher.duplicate({ autoResubscribe: false });

  const receive = (text: string) => {
    const message = JSON.parse(text) as Message;
    if (message.node === node) return;
    peers.set(message.node, performance.now());
    for (const [key, requestsPerMinute, burstPerMinute, used] of message.levels) {
      known.raise(key, { requestsPerMinute, burstPerMinute }, used);
    }
  };
  const publish = () => {
    if (publisher.status !== 'ready') return;
    const levels: Level[] = [];
    for (const [key, rate] of changed) {
      if (levels.length === maxLevelsPerMessage) break;
      changed.delete(key);
      levels.push([key, rate.requestsPerMinute, rate.burstPerMinute, known.used(key, rate)]);
    }
    const message: Message = { node, levels };
    publisher.publish(channel, JSON.stringify(message)).catch(() => {});
  };

  subscriber.on('error', () => {});
  subscriber.on('ready', () => void subscriber.subscribe(channel).catch(() => {}));
  subscriber.on('message', (_channel, text) => receive(text));
  const timer = setInterval(publish, publishEveryMs).unref();

  return {
    known,
    note(key, rate, used) {
      known.restore(key, rate, used);
      changed.set(key, rate);
    },
    countNodes() {
      const since = performance.now() - peerSilenceMs;
      for (const [peer, heardAt] of peers) if (heardAt < since) peers.delete(peer);
      return 1 + peers.size;
    },
    close() {
      clearInterval(timer);
      subscriber.disconnect();
    },
  };
}

/**
 * Reads a bucket and refills it by the Redis server's clock, so that nodes with different clocks agree. KEYS: bucket.
 * ARGV: requests per millisecond, capacity, and the minimum level of the bucket.
 */
const readBucket = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local rate, capacity, least = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local stored = redis.call('HMGET', KEYS[1], 'used', 'at')
local used, at = tonumber(stored[1] or '0'), tonumber(stored[2] or '0')
used = math.max(0, used - math.max(0, now - at) * rate)
local function keep(level)
  redis.call('HSET', KEYS[1], 'used', string.format('%.17g', level), 'at', string.format('%.17g', now))
  redis.call('PEXPIRE', KEYS[1], math.ceil(level / rate) + 1000)
end
`;

/** Takes one request if there is room. Returns the previous level, at full precision. */
const takeScript = `${readBucket}
if used + 1 <= capacity + 0.000001 then keep(used + 1) end
return string.format('%.17g', used)
`;

/** Adds the minimum level's figure to a bucket. ARGV also contains the maximum level. Returns the new level. */
const spendScript = `${readBucket}
local after = math.max(0, math.min(tonumber(ARGV[4]), used + least))
keep(after)
return string.format('%.17g', after)
`;

/** Raises a bucket to a level known to a node. */
const raiseScript = `${readBucket}
if least > used then keep(math.min(least, capacity)) end
return string.format('%.17g', used)
`;

type BucketCommand = (key: string, requestsPerMs: number, capacity: number, least: number) => Promise<string>;
type SpendCommand = (key: string, perMs: number, capacity: number, amount: number, max: number) => Promise<string>;

const commandTimeoutMs = 250;
const returnCheckMs = 100;
/** The number of the fullest buckets that are written to Redis when it returns: more would delay requests. */
const maxReturned = 5_000;

/** Returns the part of a rate that one of `nodes` admits. */
const partOf = ({ requestsPerMinute, burstPerMinute }: Rate, nodes: number): Rate => ({
  requestsPerMinute: requestsPerMinute / nodes,
  burstPerMinute: burstPerMinute / nodes,
});

export type RedisRateLimiter = RateLimiter & {
  /** The number of nodes that count together, including this one. */
  countNodes(): number;
  /** Whether this node counts in Redis; otherwise it admits its part of each bucket. */
  isConnected(): boolean;
};

/**
 * Creates a limiter with buckets in Redis or Valkey, shared by all nodes. While it can't be reached, each node admits
 * its part of each bucket (a third with three nodes). The nodes' buckets start at the level that they had in Redis.
 * When Redis returns, their levels are written to it, even if it lost everything. So neither change admits more than
 * one bucket would. A client that only talks to one node gets only that node's part meanwhile. The log has a line
 * when this starts and when it ends.
 */
export function createRedisRateLimiter(options: { url: string; log: Log; prefix?: string }): RedisRateLimiter {
  const prefix = options.prefix ?? 'assay:rate:';
  const redis = new Redis(options.url, {
    commandTimeout: commandTimeoutMs,
    connectTimeout: 2_000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    // All nodes reconnect at nearly the same time.
    retryStrategy: (attempt) => Math.min(attempt * 50, 500),
    scripts: {
      take: { lua: takeScript, numberOfKeys: 1 },
      raise: { lua: raiseScript, numberOfKeys: 1 },
      spend: { lua: spendScript, numberOfKeys: 1 },
    },
  });
  const commands = redis as unknown as { take: BucketCommand; raise: BucketCommand; spend: SpendCommand };
  const levels = shareLevels(redis, `${prefix}levels`);
  /** The buckets of this node, used while Redis is unavailable or not connected yet. */
  let alone: { nodes: number; buckets: LocalRateLimiter } | null = { nodes: 1, buckets: createMemoryRateLimiter() };
  let reported = false;
  let closed = false;

  function report(err: unknown): void {
    if (reported || closed) return;
    reported = true;
    options.log.warn({ err }, 'Redis is unavailable: each node admits its share of the rate limits.');
  }

  function leave(err: unknown): void {
    if (alone) return;
    report(err);
    const nodes = levels.countNodes();
    const buckets = createMemoryRateLimiter();
    for (const [key, rate, used] of levels.known.levels()) buckets.restore(key, partOf(rate, nodes), used / nodes);
    alone = { nodes, buckets };
  }

  /** Commands keep their order on the connection: the levels reach Redis before it counts the next request. */
  function comeBack(): void {
    if (!alone || closed) return;
    const { nodes, buckets } = alone;
    alone = null;
    const fullest = buckets.levels().sort(([, , one], [, , another]) => another - one);
    for (const [key, part, used] of fullest.slice(0, maxReturned)) {
      const rate = partOf(part, 1 / nodes);
      levels.note(key, rate, used * nodes);
      commands
        .raise(prefix + key, rate.requestsPerMinute / 60_000, capacityOf(rate), used * nodes)
        .catch((error: unknown) => leave(error));
    }
    if (reported) options.log.info('Redis is available again: rate limits are counted across all nodes.');
    reported = false;
  }

  /** A Redis that responds but refuses to write counts as unavailable. */
  const check = () => void commands.raise(`${prefix}check`, 1, 1_000, 1).then(comeBack, () => {});
  const timer = setInterval(() => {
    if (alone && redis.status === 'ready') check();
  }, returnCheckMs).unref();
  redis.on('ready', check);
  redis.on('error', (error) => {
    report(error);
    leave(error);
  });
  redis.on('close', () => leave(new Error('The connection was closed.')));

  return {
    countNodes: () => levels.countNodes(),
    isConnected: () => alone === null,
    async take(key: string, rate: Rate): Promise<Allowance> {
      if (alone) return alone.buckets.take(key, partOf(rate, alone.nodes));
      try {
        const used = Number(await commands.take(prefix + key, rate.requestsPerMinute / 60_000, capacityOf(rate), 0));
        const allowed = admits(used, rate);
        levels.note(key, rate, allowed ? used + 1 : used);
        return allowanceOf(used, rate, allowed);
      } catch (error) {
        leave(error);
        const { nodes, buckets } = alone ?? { nodes: 1, buckets: levels.known };
        return buckets.take(key, partOf(rate, nodes));
      }
    },
    async spend(key: string, rate: Rate, amount: number): Promise<void> {
      try {
        if (alone) return await alone.buckets.spend(key, partOf(rate, alone.nodes), amount);
        const { requestsPerMinute } = rate;
        const args = [requestsPerMinute / 60_000, capacityOf(rate), amount, maxLevel(rate)] as const;
        levels.note(key, rate, Number(await commands.spend(prefix + key, ...args)));
      } catch (error) {
        leave(error);
        await alone?.buckets.spend(key, partOf(rate, alone.nodes), amount);
      }
    },
    level(key: string, rate: Rate): number {
      if (alone) return alone.buckets.level(key, partOf(rate, alone.nodes)) * alone.nodes;
      return levels.known.level(key, rate);
    },
    async close() {
      closed = true;
      clearInterval(timer);
      levels.close();
      redis.disconnect();
    },
  };
}
