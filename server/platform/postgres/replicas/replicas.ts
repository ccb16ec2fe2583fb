import { randomUUID } from 'node:crypto';
import type { Log } from '../../log.ts';
import type { Database } from '../database.ts';
import type { Statement } from '../statement.ts';
import { primaryFacts, readPrimary } from './facts.ts';
import { Marks, type SharedMark } from './marks.ts';
import { Observer } from './observer.ts';
import { Positions } from './positions.ts';
import { createReader } from './reader.ts';
import { createRedisMarks } from './redis-marks.ts';
import { type Place, type PrimaryState, Replica } from './replica.ts';

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  // The last characters alone would hardly change the upper bits.
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** Returns the name whose hash with the key is largest: adding or removing a name moves only its own keys. */
function choose(key: string, names: readonly string[]): string | undefined {
  let chosen: string | undefined;
  let largest = -1;
  for (const name of names) {
    const value = hash(`${name} ${key}`);
    if (value <= largest) continue;
    largest = value;
    chosen = name;
  }
  return chosen;
}

/**
 * Assigns a replica to each credential, the same on every node, so that a credential never reads an older state than
 * before. When the replicas in service change, credentials that move to another replica read from the primary for
 * `graceMs`: by then the new replica has replayed everything they can have read.
 */
export class Placement {
  readonly #graceMs: number;
  #current: readonly string[];
  #earlier: { until: number; names: readonly string[] }[] = [];

  /** `expected` are all replicas: other nodes may be using them already. */
  constructor(expected: readonly string[], graceMs: number) {
    this.#current = expected;
    this.#graceMs = graceMs;
  }

  /** Sets the replicas in service. */
  update(names: readonly string[], now: number): void {
    this.#earlier = this.#earlier.filter(({ until }) => until > now);
    if (names.join() === this.#current.join()) return;
    this.#earlier.push({ until: now + this.#graceMs, names: this.#current });
    this.#current = names;
  }

  /** Returns the replica that a credential reads from; undefined for the primary. */
  of(credential: string, now: number): string | undefined {
    const chosen = choose(credential, this.#current);
    const moves = this.#earlier.some(({ until, names }) => {
      const before = until > now ? choose(credential, names) : undefined;
      return before !== undefined && before !== chosen;
    });
    return moves ? undefined : chosen;
  }
}

export type ReplicasOptions = {
  /** The primary: its pool, and the address for observing it. */
  database: Database;
  databaseUrl: string;
  readUrls: readonly string[];
  /** A replica that is further behind is not used. */
  maxLagMs: number;
  /** Shares marks between nodes; null for a single API node. */
  redisUrl: string | null;
  /** Returns one column, `mark`: every change before it has committed or never will. */
  mark: Statement;
  log: Log;
  /** The connections to each replica; the API's settings by default. */
  pool?: { applicationName: string; maxConnections: number; statementTimeoutMs: number };
  /** Settings of their sessions, as on the primary. */
  settings?: Record<string, string>;
};

const poolOfApi = { applicationName: 'assay api', maxConnections: 12, statementTimeoutMs: 30_000 };

const observeEveryMs = 200;
/** Replicas are observed shortly after the primary: by then most have replayed its position. */
const replayMs = 10;
const marginMs = 2_000;

/** Returns names for logs and metrics: host and port, without credentials. They are the same on every node. */
function namesOf(urls: readonly string[]): string[] {
  const names = urls.map((text) => {
    const url = new URL(text);
    return `${url.searchParams.get('host') ?? url.hostname}:${url.searchParams.get('port') ?? (url.port || '5432')}`;
  });
  return names.map((name, index) => (names.indexOf(name) === index ? name : `${name} (${index + 1})`));
}

/**
 * The streaming replicas of the database. A credential reads from a replica only what is at least as recent as
 * everything that it has written or read before, on any node; until then, and whenever a replica can't be used, it
 * reads from the primary. The positions of all servers are read in the background, at no cost to requests.
 */
export class Replicas {
  readonly #options: ReplicasOptions;
  readonly #replicas: Replica[];
  readonly #primary: PrimaryState;
  readonly #observer: Observer;
  readonly #placement: Placement;
  readonly #marks: Marks;
  /** Marks that were shared before this time may be lost. */
  #unknownUntil = Number.NEGATIVE_INFINITY;
  /** Writes that other nodes don't know about: see `#shown`. */
  readonly #waiting = new Set<{ since: number; release(): void }>();
  readonly #keptMs: number;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  #reported = false;
  /** The number of reads by server. */
  readonly reads: Map<string, number>;

  constructor(options: ReplicasOptions) {
    const { readUrls, maxLagMs, redisUrl, log, pool = poolOfApi, settings = {} } = options;
    const names = namesOf(readUrls);
    const keptMs = maxLagMs + marginMs;
    this.#options = options;
    this.#keptMs = keptMs;
    this.#replicas = readUrls.map(
      (connectionString, index) =>
        new Replica({ name: names[index]!, pool: { connectionString, settings, ...pool }, maxLagMs, log }),
    );
    this.#primary = { positions: new Positions(2 * keptMs + 60_000), schema: null };
    this.#observer = new Observer({ connectionString: options.databaseUrl, applicationName: 'assay primary' });
    this.#placement = new Placement(names, keptMs);
    this.#marks = new Marks(
      keptMs,
      redisUrl === null
        ? null
        : createRedisMarks({
            url: redisUrl,
            log,
            keptMs,
            onConnect: () => this.#forgetShared(),
            onLost: () => this.#marks.shareAgain(),
          }),
    );
    this.reads = new Map(['primary', ...names].map((name) => [name, 0]));
    void this.#observe();
  }

  #forgetShared(): void {
    this.#unknownUntil = performance.now();
    this.#marks.shareAgain();
  }

  async #observe(): Promise<void> {
    const begunAt = performance.now();
    try {
      const [mark, position] = await this.#observer.ask([this.#options.mark, readPrimary]);
      const { lsn, schema } = primaryFacts(position!);
      this.#primary.schema = schema;
      const newest = { begunAt, lsn, mark: String(mark!.rows[0].mark) };
      this.#primary.positions.add(newest);
      this.#marks.record(newest, performance.now());
      this.#reported = false;
    } catch (err) {
      // Without a position of the primary, the replicas count as behind.
      if (!this.#reported && !this.#closed)
        this.#options.log.warn({ err }, 'The position of the primary cannot be read.');
      this.#reported = true;
    }
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      for (const replica of this.#replicas) {
        replica.review(this.#primary);
        void replica.observe(this.#primary).then(() => this.#place());
      }
      this.#place();
      this.#timer = setTimeout(() => void this.#observe(), Math.max(0, begunAt + observeEveryMs - performance.now()));
    }, replayMs);
  }

  #place(): void {
    const names = this.#replicas.filter(({ isInService }) => isInService).map(({ name }) => name);
    this.#placement.update(names, performance.now());
    this.#release();
  }

  /**
   * Resolves when every replica in service includes everything committed before a time, or is out of service because
   * it lags: then no node can read anything older, whether or not it has the mark.
   */
  #shown(since: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.add({ since, release: resolve });
      this.#release();
    });
  }

  #release(): void {
    const oldest = performance.now() - this.#keptMs;
    for (const waiting of this.#waiting) {
      const { since } = waiting;
      const lacks = (replica: Replica) =>
        replica.isInService && (replica.reached(this.#primary.positions)?.begunAt ?? oldest) <= since;
      if (since > oldest && !this.#closed && this.#replicas.some(lacks)) continue;
      this.#waiting.delete(waiting);
      waiting.release();
    }
  }

  /** Starts to look up the shared mark of a credential; null when there is nothing to look up. */
  look(credential: string): Promise<SharedMark> | null {
    return this.#marks.look(credential);
  }

  /**
   * Returns the replica that a credential can read from now; undefined for the primary. `shared` is its shared mark.
   */
  find(credential: string, shared: SharedMark): Place | undefined {
    if (shared === null || shared.busy) return undefined;
    const now = performance.now();
    const name = this.#placement.of(credential, now);
    const replica = this.#replicas.find((candidate) => candidate.name === name);
    if (!replica?.isInService) return undefined;
    const position = replica.reached(this.#primary.positions);
    if (!position) return undefined;
    const needed = Math.max(this.#marks.usedUntil(credential), this.#unknownUntil, now - this.#options.maxLagMs);
    return position.begunAt > needed && position.lsn >= shared.lsn ? { replica, position } : undefined;
  }

  /** Returns a database for the reads of one request, from a replica where possible. */
  reader(credential: string, looked: Promise<SharedMark> | null): Database {
    return createReader(this, this.#options.database, credential, looked ?? Promise.resolve({ busy: false, lsn: 0 }));
  }

  /**
   * Returns a database whose reads are at least as recent as the primary is now. It waits for the replicas; if none
   * catches up in time, the reads go to the primary.
   */
  async readerOfNow(): Promise<Database> {
    const reads = randomUUID();
    await this.note(reads);
    await this.#shown(performance.now());
    return this.reader(reads, Promise.resolve({ busy: false, lsn: 0 }));
  }

  /**
   * Runs a use of the primary by a credential. Resolves when every node knows that the credential must not read
   * anything older. A node that can't reach Redis can't share that: with `writes`, it then waits until the replicas
   * include the writes, usually for a quarter of a second.
   */
  async onPrimary<T>(credential: string, run: () => Promise<T>, { writes = false } = {}): Promise<T> {
    this.#marks.begin(credential, performance.now());
    try {
      return await run();
    } finally {
      const endedAt = performance.now();
      const isKnown = await this.#marks.end(credential, endedAt);
      if (writes && !isKnown) await this.#shown(endedAt);
    }
  }

  /** Records that a credential has read from the primary. */
  note(credential: string): Promise<void> {
    return this.onPrimary(credential, async () => {});
  }

  count(server: string): void {
    this.reads.set(server, (this.reads.get(server) ?? 0) + 1);
  }

  /** Returns the state of each replica, for metrics. */
  states(): { name: string; isInService: boolean; lagSeconds: number | undefined }[] {
    return this.#replicas.map((replica) => ({
      name: replica.name,
      isInService: replica.isInService,
      lagSeconds: replica.lagSeconds(this.#primary.positions),
    }));
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#observer.close();
    this.#marks.close();
    this.#release();
    await Promise.all(this.#replicas.map((replica) => replica.close()));
  }
}
