import pg from 'pg';
import { asPartOfNone } from './request-cost.ts';

/**
 * The interval at which one query finds the running statements that wait for a lock. Waiting is not charged to the
 * caller.
 */
const sampleEveryMs = 25;
/** The maximum charge for a statement that may wait for row locks, until a sample shows whether it does. */
export const maxUnseenMs = 10;
const timeoutMs = 2_000;
/**
 * The pause after a failed sample, in which waiting is charged. It is short, since some samples fail on an overloaded
 * server.
 */
const pauseMs = 500;

/** A running statement: how often it was sampled, and in how many of those samples it waited for a lock. */
export type WatchedStatement = { pid: number; sinceMs: number; samples: number; locked: number };

/**
 * Detects running statements that wait for locks, over a separate connection that opens with the first long
 * statement. It uses the same login but not the application's role: only the login can read what its sessions wait
 * for.
 */
export class LockWatch {
  readonly #connectionString: string;
  readonly #running = new Set<WatchedStatement>();
  #client: pg.Client | null = null;
  #timer: NodeJS.Timeout | null = null;
  #sampling: Promise<void> | null = null;
  #pausedUntilMs = 0;

  constructor(connectionString: string) {
    this.#connectionString = connectionString;
  }

  /** `pid` is the process id of the database backend. */
  begin(pid: number): WatchedStatement {
    const statement = { pid, sinceMs: performance.now(), samples: 0, locked: 0 };
    this.#running.add(statement);
    this.#timer ??= asPartOfNone(() => setInterval(() => this.#tick(), sampleEveryMs).unref());
    return statement;
  }

  end(statement: WatchedStatement): void {
    this.#running.delete(statement);
  }

  #tick(): void {
    if (this.#running.size === 0) this.#stop();
    const nowMs = performance.now();
    if (this.#sampling || nowMs < this.#pausedUntilMs) return;
    const long = [...this.#running].filter(({ sinceMs }) => sinceMs < nowMs - maxUnseenMs);
    if (long.length === 0) return;
    this.#sampling = this.#sample(long)
      .catch(() => this.#pause())
      .finally(() => {
        this.#sampling = null;
      });
  }

  async #sample(long: WatchedStatement[]): Promise<void> {
    const client = this.#client ?? (await this.#connect());
    const { rows } = await client.query<{ pid: number; waits: boolean }>({
      name: 'lock_waits',
      text: `SELECT pid, wait_event_type IS NOT DISTINCT FROM 'Lock' AS waits FROM pg_stat_activity WHERE pid = ANY($1::int[])`,
      values: [long.map(({ pid }) => pid)],
    });
    const waits = new Map(rows.map((row) => [row.pid, row.waits]));
    for (const statement of long) {
      const isWaiting = waits.get(statement.pid);
      if (isWaiting === undefined || !this.#running.has(statement)) continue;
      statement.samples += 1;
      if (isWaiting) statement.locked += 1;
    }
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#connectionString,
      application_name: 'assay lock watch',
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
      keepAlive: true,
    });
    client.on('error', () => {});
    this.#client = client;
    await client.connect();
    return client;
  }

  #pause(): void {
    this.#pausedUntilMs = performance.now() + pauseMs;
    this.#client?.end().catch(() => {});
    this.#client = null;
  }

  #stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#sampling;
    await this.#client?.end().catch(() => {});
    this.#client = null;
  }
}
