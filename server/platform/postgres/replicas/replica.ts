import type { Log } from '../../log.ts';
import { type ReplicaFacts, readReplica, replicaFacts } from './facts.ts';
import { Observer } from './observer.ts';
import type { Position, Positions } from './positions.ts';
import { openReplicaPool, type ReplicaPool, type ReplicaPoolOptions } from './replica-pool.ts';

/** A replica that was not observed for this long is not used. */
const maxSilenceMs = 4_000;

/** The state of the primary that replicas are compared with. */
export type PrimaryState = { positions: Positions; schema: string | null };

/** The destination of a read: a replica, which has replayed this position. */
export type Place = { replica: Replica; position: Position };

type Observed = { at: number; facts: ReplicaFacts } | { at: number; error: unknown };

/** A replica: its connections, its last report, and whether it is in service. */
export class Replica {
  readonly name: string;
  readonly #poolOptions: ReplicaPoolOptions;
  readonly #maxLagMs: number;
  readonly #log: Log;
  readonly #observer: Observer;
  #pool: ReplicaPool | null = null;
  /** Ends the reads that are waiting for the replica. */
  readonly #waiting = new Set<(error: Error) => void>();
  #observed: Observed | null = null;
  #observing = false;
  #closed = false;
  /** The reason why it is out of service; null while it is in service, undefined before the first check. */
  #reason: string | null | undefined;

  constructor(options: { name: string; pool: ReplicaPoolOptions; maxLagMs: number; log: Log }) {
    this.name = options.name;
    this.#poolOptions = options.pool;
    this.#maxLagMs = options.maxLagMs;
    this.#log = options.log;
    const { connectionString } = options.pool;
    this.#observer = new Observer({ connectionString, applicationName: 'assay replica' });
  }

  get isInService(): boolean {
    return this.#reason === null;
  }

  /** Returns the newest position of the primary that the replica had replayed when it was last observed. */
  reached(positions: Positions): Position | undefined {
    const { facts } = { facts: null, ...this.#observed };
    return typeof facts?.replayed === 'number' ? positions.reached(facts.replayed) : undefined;
  }

  /** Reads the replica's position, unless a read is in progress, and checks whether it can be used. */
  async observe(primary: PrimaryState): Promise<void> {
    if (this.#observing || this.#closed) return;
    this.#observing = true;
    const before = this.#observed;
    const at = performance.now();
    try {
      const [result] = await this.#observer.ask([readReplica]);
      this.#observed = { at, facts: replicaFacts(result!) };
    } catch (error) {
      this.#observed = { at, error };
    } finally {
      this.#observing = false;
    }
    if (!this.#closed) this.#judge(this.#reasonOf(primary, before));
  }

  /** Checks again, without reading the position. */
  review(primary: PrimaryState): void {
    if (this.#reason === null) this.#judge(this.#reasonOf(primary, null));
  }

  /** Returns why the replica can't be read from; null when it can. */
  #reasonOf({ positions, schema }: PrimaryState, before: Observed | null): string | null {
    const now = performance.now();
    const observed = this.#observed;
    if (!observed || now - observed.at > maxSilenceMs) return 'it does not respond';
    if ('error' in observed) return 'it cannot be reached';
    const { isStandby, replayed, schema: own } = observed.facts;
    if (!isStandby || replayed === null) return 'it is not a streaming replica: it is not in recovery';
    if (schema === null) return 'the position of the primary is not known yet';
    if (own !== schema) return 'it has other migrations than the primary';
    if (isAhead(before, positions) || isAhead(observed, positions))
      return 'it is ahead of the primary, so it follows another one';
    const position = positions.reached(replayed);
    if (!position || now - position.begunAt > this.#maxLagMs)
      return `it is more than ${this.#maxLagMs / 1_000} s behind`;
    return null;
  }

  #judge(reason: string | null): void {
    if (reason === this.#reason) return;
    const wasInService = this.isInService;
    const isFirst = this.#reason === undefined;
    this.#reason = reason;
    if (reason === null) {
      this.#pool = openReplicaPool(this.#poolOptions);
      this.#log.info({ replica: this.name }, 'The replica is in service.');
      return;
    }
    if (wasInService) {
      // Waiting reads go to the primary at once.
      for (const giveUp of this.#waiting) giveUp(new Error(`The replica went out of service: ${reason}.`));
      this.#pool?.close().catch(() => {});
      this.#pool = null;
    }
    if (!wasInService && !isFirst) return;
    const err = this.#observed && 'error' in this.#observed ? this.#observed.error : undefined;
    this.#log.warn(
      { replica: this.name, err },
      `The replica is out of service: ${reason}. The primary serves its reads.`,
    );
  }

  /**
   * Runs a read on the replica. Rejects as soon as the replica goes out of service, however long the read would wait.
   * `gone` also rejects then, for reads that have other effects.
   */
  async read<T>(run: (pool: ReplicaPool, gone: Promise<never>) => Promise<T>): Promise<T> {
    const pool = this.#pool;
    if (!pool) throw new Error('The replica is out of service.');
    const { promise: gone, reject } = Promise.withResolvers<never>();
    this.#waiting.add(reject);
    try {
      return await Promise.race([run(pool, gone), gone]);
    } finally {
      this.#waiting.delete(reject);
    }
  }

  /** Returns by how many seconds the replica is behind; undefined when that is unknown. */
  lagSeconds(positions: Positions): number | undefined {
    const position = this.reached(positions);
    return position && Math.max(0, performance.now() - position.begunAt) / 1_000;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#observer.close();
    await this.#pool?.close();
  }
}

/** Returns whether the replica had replayed a position that the primary reached only later. */
function isAhead(observed: Observed | null, { newest }: Positions): boolean {
  if (!observed || 'error' in observed || !newest || newest.begunAt <= observed.at) return false;
  return (observed.facts.replayed ?? 0) > newest.lsn;
}
