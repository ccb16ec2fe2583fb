import pg from 'pg';
import { asPartOfNone } from './request-cost.ts';

/** Waiting for a lock is another's doing and can be long: one statement asks this often which of ours wait for one. */
const sampleEveryMs = 25;
/** The most that a statement is charged that may wait for rows, until a sample shows whether it waits. */
export const maxUnseenMs = 10;
const timeoutMs = 2_000;
/** After a failure, in which nothing is sampled. */
const pauseMs = 5_000;

/** A statement at which the server works, how often that was sampled, and how often it then waited for a lock. */
export type WatchedStatement = { pid: number; sinceMs: number; samples: number; locked: number };

/**
 * Sees which of the running statements wait for locks, on a separate connection that opens with the first long one.
 * It has the login of the others, without the role of the application: only the login sees what they wait for.
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

  /** `pid` is that of the server's process. */
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
