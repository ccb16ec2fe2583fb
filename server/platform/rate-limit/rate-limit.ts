/** An agreed rate: a bucket of `burstPerMinute - requestsPerMinute` that refills at `requestsPerMinute`, so that no window of 60 s admits more than the burst. */
export type Rate = { requestsPerMinute: number; burstPerMinute: number };

export type Allowance = {
  allowed: boolean;
  /** Requests that would be served now. */
  remaining: number;
  /** Seconds until the bucket is full again. */
  resetSeconds: number;
  /** Seconds after which one request is served for sure, if nobody else takes it; 0 when allowed. */
  retryAfterSeconds: number;
};

export type RateLimiter = {
  /** Takes one request out of the bucket of `key`; a refused one costs nothing. */
  take(key: string, rate: Rate): Promise<Allowance>;
  close(): Promise<void>;
};

/** A limiter of this process alone, which can also be looked at and filled. */
export type LocalRateLimiter = RateLimiter & {
  /** Returns what `take` would return, taking nothing. */
  peek(key: string, rate: Rate): Allowance;
  /** What is used of a bucket now. */
  used(key: string, rate: Rate): number;
  /** Makes a bucket so full. */
  restore(key: string, rate: Rate, used: number): void;
  /** Makes a bucket so full, unless it is fuller. */
  raise(key: string, rate: Rate, used: number): void;
  /** Every bucket that is not empty, its rate, and what is used of it. */
  levels(): [key: string, rate: Rate, used: number][];
};

/** What is kept of a bucket: requests taken and not yet refilled, at a time in milliseconds. */
type Bucket = { used: number; atMs: number };

/** Clients' timers fire up to a millisecond early, and fractions of requests are rounded: waiting must still be enough. */
const marginMs = 10;
const rounding = 1e-6;

const perMs = (rate: Rate) => rate.requestsPerMinute / 60_000;
export const capacityOf = (rate: Rate) => Math.max(1, rate.burstPerMinute - rate.requestsPerMinute);

/** What is still used of a bucket at `nowMs`. A clock that stepped back refills nothing. */
function usedAt(bucket: Bucket, rate: Rate, nowMs: number): number {
  return Math.max(0, bucket.used - Math.max(0, nowMs - bucket.atMs) * perMs(rate));
}

/** The answer for a bucket with `used` requests taken before this one. */
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

/** Buckets in this process's memory. Time is monotonic, so that setting the clock changes nothing. */
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
