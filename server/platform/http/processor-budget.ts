import { costKinds, noCost, type Payer } from '../cost/request-cost.ts';
import type { ApiError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { capacityOf, maxLevel, type Rate } from '../rate-limit/rate-limit.ts';
import type { Actor } from './actor.ts';
import { limited } from './failed-authentications.ts';

/** Levels of buckets in milliseconds of processor time, counted across all nodes. */
export type CostLevels = {
  /** Adds to a bucket, even beyond its capacity. */
  spend(key: string, rate: Rate, ms: number): Promise<void>;
  /** Returns the level known to this node, which is at most half a second old. */
  level(key: string, rate: Rate): number;
};

/** Seconds of processor time a minute; null for no limit. */
export type Budgets = { credential: number | null; organization: number | null };

const budgetNames = ['credential', 'organization'] as const;
type Budget = (typeof budgetNames)[number];

/** A bucket of a caller. `owner` is the credential or the organization. */
type Bucket = { budget: Budget; owner: string; key: string; rate: Rate };

/** The rate that allows the whole budget to be used at once. */
const rateOf = (seconds: number): Rate => ({ requestsPerMinute: seconds * 1000, burstPerMinute: seconds * 2000 });

const spendEveryMs = 250;
/** The maximum age of a level when several nodes count together: a client that waits as advised must be served. */
const maxAgeSeconds = 0.5;
const reportEveryMs = 60_000;
const maxReported = 10_000;

/**
 * Charges requests for their processor time, and refuses those of a credential or organization that has used up its
 * budget. Requests are charged afterwards, since their cost is not known before; long ones also while they run.
 */
export class ProcessorBudget {
  readonly #levels: CostLevels;
  /** The budgets that are set. */
  readonly #budgets: { budget: Budget; rate: Rate }[];
  readonly #log: Log;
  readonly #seconds: ReturnType<Metrics['counter']>;
  readonly #refusals: ReturnType<Metrics['counter']>;
  /** Charges not yet added to the levels and the metrics. */
  readonly #unspent = new Map<string, { rate: Rate; ms: number }>();
  #uncounted = noCost();
  #timer: NodeJS.Timeout | null = null;
  readonly #reported = new Map<string, { atMs: number; refused: number }>();

  constructor(levels: CostLevels, budgets: Budgets, { log, metrics }: { log: Log; metrics: Metrics }) {
    this.#levels = levels;
    this.#log = log;
    this.#budgets = budgetNames.flatMap((budget) => {
      const seconds = budgets[budget];
      return seconds === null ? [] : [{ budget, rate: rateOf(seconds) }];
    });
    const { counter } = metrics;
    this.#seconds = counter('processor_seconds_total', 'Processor time of requests, of API and database.', ['kind']);
    this.#refusals = counter('processor_refusals_total', 'Requests beyond a budget of processor time.', ['budget']);
    for (const kind of costKinds) this.#seconds.inc({ kind }, 0);
    for (const budget of budgetNames) this.#refusals.inc({ budget }, 0);
  }

  /** Whether any budget is set. Otherwise requests are not measured. */
  get isOn(): boolean {
    return this.#budgets.length > 0;
  }

  /** Returns the payer of a request. Charging never fails, even beyond the budget. */
  callerOf(actor: Actor): Payer {
    const buckets = this.#budgets.map(({ budget, rate }): Bucket => {
      const owner = budget === 'credential' ? actor.credentialId : actor.orgId;
      return { budget, owner, rate, key: `processor:${budget}:${owner}` };
    });
    return {
      charge: (used) => this.#charge(buckets, used),
      require: () => {
        for (const bucket of buckets) this.#requireRoom(actor, bucket);
      },
    };
  }

  #requireRoom(actor: Actor, bucket: Bucket): void {
    const { key, rate } = bucket;
    const level = this.#levels.level(key, rate) + (this.#unspent.get(key)?.ms ?? 0);
    const overMs = Math.min(level, maxLevel(rate)) - capacityOf(rate);
    if (overMs <= 0) return;
    const seconds = Math.ceil((overMs / rate.requestsPerMinute) * 60 + maxAgeSeconds);
    this.#report(actor, bucket, seconds);
    throw refusalOf(bucket, seconds);
  }

  /** Logs the first refusal by a bucket, and then one line a minute with their number. */
  #report({ orgId, userId, credentialId }: Actor, { budget, owner }: Bucket, retryAfterSeconds: number): void {
    this.#refusals.inc({ budget });
    const now = performance.now();
    const known = this.#reported.get(owner);
    if (known && now - known.atMs < reportEveryMs) {
      known.refused += 1;
      return;
    }
    if (this.#reported.size >= maxReported) this.#reported.clear();
    this.#reported.set(owner, { atMs: now, refused: 0 });
    const refused = (known?.refused ?? 0) + 1;
    const line = { budget, orgId, userId, credentialId, retryAfterSeconds, refused };
    this.#log.warn(line, 'processor budget exceeded');
  }

  #charge(buckets: Bucket[], used: Parameters<Payer['charge']>[0]): void {
    let ms = 0;
    for (const kind of costKinds) {
      ms += used[kind];
      this.#uncounted[kind] += used[kind];
    }
    for (const { key, rate } of buckets) {
      const unspent = this.#unspent.get(key);
      if (unspent) unspent.ms += ms;
      else this.#unspent.set(key, { rate, ms });
    }
    this.#timer ??= setTimeout(() => this.#spend(), spendEveryMs).unref();
  }

  #spend(): void {
    this.#timer = null;
    for (const [key, { rate, ms }] of this.#unspent) void this.#levels.spend(key, rate, ms);
    this.#unspent.clear();
    for (const kind of costKinds) this.#seconds.inc({ kind }, this.#uncounted[kind] / 1000);
    this.#uncounted = noCost();
  }

  close(): void {
    if (this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#spend();
  }
}

function refusalOf({ budget, rate }: Bucket, seconds: number): ApiError {
  const whose = budget === 'credential' ? 'This credential has' : 'The credentials of this organization have';
  const what = `${whose} used more than ${rate.requestsPerMinute / 1000} s of processor time a minute.`;
  return limited({ allowed: false, remaining: 0, resetSeconds: seconds, retryAfterSeconds: seconds }, what);
}
