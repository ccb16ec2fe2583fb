import type { Log } from '../../log.ts';
import type { Database } from '../database.ts';
import type { Statement } from '../statement.ts';
import { primaryFacts, readPrimary } from './facts.ts';
import { Marks, type SharedMark } from './marks.ts';
import { Observer } from './observer.ts';
import { Placement } from './placement.ts';
import { Positions } from './positions.ts';
import { createReader } from './reader.ts';
import { createRedisMarks } from './redis-marks.ts';
import { type Place, type PrimaryState, Replica } from './replica.ts';

export type ReplicasOptions = {
  /** The primary: its pool, and its address for observing it. */
  database: Database;
  databaseUrl: string;
  readUrls: readonly string[];
  /** A replica that is further behind is not used. */
  maxLagMs: number;
  /** Shares what nodes must know of each other; null for a single API node. */
  redisUrl: string | null;
  /** Returns one column, `mark`: every change before it has committed or never will. */
  mark: Statement;
  log: Log;
};

const observeEveryMs = 200;
/** Replicas are observed a moment after the primary: by then most have replayed its position. */
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
 * The streaming replicas of the database. A credential reads from a replica only what is at least as new as all that it
 * has written or read before, on whichever node: until then, and whenever a replica can't be used, from the primary. The
 * positions of all servers are read in the background, so that a request pays nothing for this.
 */
export class Replicas {
  readonly #options: ReplicasOptions;
  readonly #replicas: Replica[];
  readonly #primary: PrimaryState;
  readonly #observer: Observer;
  readonly #placement: Placement;
  readonly #marks: Marks;
  /** What was shared before this time may be lost. */
  #unknownUntil = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  #reported = false;
  /** The reads so far, by server. */
  readonly reads: Map<string, number>;

  constructor(options: ReplicasOptions) {
    const { readUrls, maxLagMs, redisUrl, log } = options;
    const names = namesOf(readUrls);
    const keptMs = maxLagMs + marginMs;
    this.#options = options;
    this.#replicas = readUrls.map(
      (connectionString, index) => new Replica({ name: names[index]!, connectionString, maxLagMs, log }),
    );
    this.#primary = { positions: new Positions(2 * keptMs + 60_000), schema: null };
    this.#observer = new Observer({ connectionString: options.databaseUrl, applicationName: 'assay primary' });
    this.#placement = new Placement(names, keptMs);
    this.#marks = new Marks(
      keptMs,
      redisUrl === null
        ? null
        : createRedisMarks({ url: redisUrl, log, keptMs, onConnect: () => this.#forgetShared() }),
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
      this.#marks.settle(newest, performance.now());
      this.#reported = false;
    } catch (err) {
      // Without its position the replicas count as behind.
      if (!this.#reported && !this.#closed)
        this.#options.log.warn({ err }, 'The position of the primary can not be read.');
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
  }

  /** Begins to look up what other nodes know of a credential; null when there is nothing to look up. */
  look(credential: string): Promise<SharedMark> | null {
    return this.#marks.look(credential);
  }

  /** Returns where a credential may read now; undefined for the primary. `shared` is what other nodes know of it. */
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

  /** Returns a database for the reads of one request, from a replica where that is possible. */
  reader(credential: string, looked: Promise<SharedMark> | null): Database {
    return createReader(this, this.#options.database, credential, looked ?? Promise.resolve({ busy: false, lsn: 0 }));
  }

  /**
   * Runs what uses the primary for a credential. It resolves when every node knows that the credential must not read
   * anything older.
   */
  async onPrimary<T>(credential: string, run: () => Promise<T>): Promise<T> {
    this.#marks.begin(credential, performance.now());
    try {
      return await run();
    } finally {
      await this.#marks.end(credential, performance.now());
    }
  }

  /** Records that a credential has learnt something from the primary. */
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
    await Promise.all(this.#replicas.map((replica) => replica.close()));
  }
}
