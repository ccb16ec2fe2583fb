/**
 * A rate limit: a bucket of `burstPerMinute - requestsPerMinute` that refills at `requestsPerMinute`, so that no
 * interval of 60 s admits more than the burst.
 */
export type Rate = { requestsPerMinute: number; burstPerMinute: number };

export type Allowance = {
  allowed: boolean;
  /** Requests that would be allowed now. */
  remaining: number;
  /** Seconds until the bucket is full again. */
  resetSeconds: number;
  /** Seconds after which one request is certainly allowed, unless another uses it up first; 0 when allowed. */
  retryAfterSeconds: number;
};

export type RateLimiter = {
  /** Takes one request from the bucket of `key`. A refused request costs nothing. */
  take(key: string, rate: Rate): Promise<Allowance>;
  /**
   * Adds an amount to the bucket of `key`, even beyond its capacity, by up to the refill of 59 seconds. A negative
   * amount gives back.
   */
  spend(key: string, rate: Rate, amount: number): Promise<void>;
  /** Returns the level of a bucket known to this node. */
  level(key: string, rate: Rate): number;
  close(): Promise<void>;
};

/** Returns the maximum level of a bucket: it has room again after 59 seconds, so clients wait a minute at most. */
export const maxLevel = (rate: Rate) => capacityOf(rate) + rate.requestsPerMinute * (59 / 60);

/** A limiter of a single process, whose buckets can also be inspected and filled. */
export type LocalRateLimiter = RateLimiter & {
  /** Returns what `take` would return, without taking a request. */
  peek(key: string, rate: Rate): Allowance;
  /** Returns the current level of a bucket: the requests taken and not yet refilled. */
  used(key: string, rate: Rate): number;
  /** Sets the level of a bucket. */
  restore(key: string, rate: Rate, used: number): void;
  /** Raises a bucket to a level, unless it is higher already. */
  raise(key: string, rate: Rate, used: number): void;
  /** Returns every bucket that is not empty, with its rate and level. */
  levels(): [key: string, rate: Rate, used: number][];
};

/** The state of a bucket: requests taken and not yet refilled, at a time in milliseconds. */
type Bucket = { used: number; atMs: number };

/**
 * Clients' timers fire up to a millisecond early, and fractions of requests are rounded. A client that waits as
 * advised must still be served.
 */
const marginMs = 10;
const rounding = 1e-6;

const perMs = (rate: Rate) => rate.requestsPerMinute / 60_000;
export const capacityOf = (rate: Rate) => Math.max(1, rate.burstPerMinute - rate.requestsPerMinute);

/** Returns the level of a bucket at `nowMs`. A clock that was set back refills nothing. */
function usedAt(bucket: Bucket, rate: Rate, nowMs: number): number {
  return Math.max(0, bucket.used - Math.max(0, nowMs - bucket.atMs) * perMs(rate));
}

/** Returns the result for a bucket with `used` requests taken before this one. */
export function allowanceOf(used: number, rate: Rate, allowed: boolean): Allowance {
  const capacity = capacityOf(rate);
  const after = allowed ? used + 1 : used;
  const waitMs = (used + 1 - capacity) / perMs(rate);
  return {
    allowed,
    remaining: Math.max(0, Math.floor(capacity - after + rounding)),
    resetSeconds: Math.ceil(after / perMs(rate) / 1000),
    retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((waitMs + marginMs) / 1000)),
  };
}

export const admits = (used: number, rate: Rate) => used + 1 <= capacityOf(rate) + rounding;

const sweepEvery = 10_000;

/**
 * Creates a limiter with buckets in this process's memory. Time is monotonic, so that changing the clock has no
 * effect.
 */
export function createMemoryRateLimiter(nowMs: () => number = () => performance.now()): LocalRateLimiter {
  const buckets = new Map<string, Bucket & { rate: Rate }>();
  let untilSweep = sweepEvery;

  const sweep = (now: number) => {
    for (const [key, bucket] of buckets) if (usedAt(bucket, bucket.rate, now) === 0) buckets.delete(key);
    untilSweep = Math.max(sweepEvery, buckets.size);
  };
  const read = (key: string, rate: Rate, now: number) => {
    const bucket = buckets.get(key);
    return bucket ? usedAt(bucket, rate, now) : 0;
  };
  const write = (key: string, rate: Rate, used: number, now: number) => {
    buckets.set(key, { used, atMs: now, rate });
    if (--untilSweep <= 0) sweep(now);
  };

  return {
    async take(key, rate) {
      const now = nowMs();
      const used = read(key, rate, now);
      const allowed = admits(used, rate);
      if (allowed) write(key, rate, used + 1, now);
      return allowanceOf(used, rate, allowed);
    },
    async spend(key, rate, amount) {
      const now = nowMs();
      write(key, rate, Math.max(0, Math.min(maxLevel(rate), read(key, rate, now) + amount)), now);
    },
    level: (key, rate) => read(key, rate, nowMs()),
    peek(key, rate) {
      const used = read(key, rate, nowMs());
      return allowanceOf(used, rate, admits(used, rate));
    },
    used: (key, rate) => read(key, rate, nowMs()),
    restore: (key, rate, used) => write(key, rate, used, nowMs()),
    raise(key, rate, used) {
      const now = nowMs();
      write(key, rate, Math.max(read(key, rate, now), used), now);
    },
    levels() {
      const now = nowMs();
      return [...buckets]
        .map(([key, bucket]): [string, Rate, number] => [key, bucket.rate, usedAt(bucket, bucket.rate, now)])
        .filter(([, , used]) => used > 0);
    },
    async close() {},
  };
}
