import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { type LockWatch, maxUnseenMs, type WatchedStatement } from './lock-watch.ts';
import { currentCost, type RequestCost, resume } from './request-cost.ts';

/**
 * The time from the moment when the server could start a statement (it was sent, and the previous one on the
 * connection was done) to its result. Waiting for a connection is not included. Waiting for the server's disk and
 * processor is: PostgreSQL reports neither to its clients. Waiting for a lock is subtracted.
 *
 * Only this thread's idle time counts. While it is busy with another request, it can't tell whether the result has
 * arrived, and callers would pay for a request that blocks the thread.
 */
const idleMs = (): number => performance.eventLoopUtilization().idle;

const changesRows = /\b(?:INSERT|UPDATE|DELETE|MERGE|COMMIT|LOCK)\b|\bFOR\s+(?:NO\s+KEY\s+|KEY\s+)?(?:UPDATE|SHARE)\b/i;

/** Returns whether statements can wait for rows that another transaction has changed. COMMIT waits after changes only. */
const canWaitForRows = (texts: string[]) =>
  texts.some((text) => (texts.length === 1 || text !== 'COMMIT') && changesRows.test(text));

function chargedMs(statements: { text: string }[], elapsedMs: number, watched: WatchedStatement | undefined): number {
  if (watched && watched.samples > 0) return elapsedMs * (1 - watched.locked / watched.samples);
  if (elapsedMs <= maxUnseenMs) return elapsedMs;
  return canWaitForRows(statements.map(({ text }) => text)) ? maxUnseenMs : elapsedMs;
}

type RowReader = { handleDataRow(row: unknown): void };

/** A statement whose rows are parsed as part of its request. They arrive through the socket, outside the handler. */
class MeteredQuery extends pg.Query {
  readonly #cost: RequestCost;

  constructor(cost: RequestCost, text: string) {
    super(text);
    this.#cost = cost;
  }

  /** The driver calls this for each row. */
  handleDataRow(row: unknown): void {
    resume(this.#cost, 'handler');
    (pg.Query.prototype as unknown as RowReader).handleDataRow.call(this, row);
  }
}

/** Returns the driver's query for a statement. The driver copies an object that it is given, which costs 4 µs. */
export function meteredQuery({ text, name, values }: pg.QueryConfig): pg.Query {
  const cost = currentCost();
  const query = cost === undefined ? new pg.Query(text) : new MeteredQuery(cost, text);
  return Object.assign(query, { name, values });
}

/** Charges the statements of a connection to the requests that send them. */
export class StatementMeter {
  readonly #lockWatch: LockWatch | undefined;
  /** The idle time when the previous result arrived: the server runs statements one after the other. */
  #idleAtResultMs = 0;

  constructor(lockWatch: LockWatch | undefined) {
    this.#lockWatch = lockWatch;
  }

  /**
   * Runs statements that are sent together. `pid` is the process id of the database backend, or null behind a pooler,
   * where lock waits can't be observed.
   */
  run<Result>(statements: { text: string }[], pid: number | null, send: () => Promise<Result>): Promise<Result> {
    const cost = currentCost();
    return cost === undefined ? send() : this.#measure(cost, statements, pid, send);
  }

  async #measure<Result>(
    cost: RequestCost,
    statements: { text: string }[],
    pid: number | null,
    send: () => Promise<Result>,
  ): Promise<Result> {
    const idleAtSendingMs = idleMs();
    const watched = pid === null ? undefined : this.#lockWatch?.begin(pid);
    try {
      return await send();
    } finally {
      const nowMs = idleMs();
      const elapsedMs = nowMs - Math.max(idleAtSendingMs, this.#idleAtResultMs);
      this.#idleAtResultMs = nowMs;
      if (watched) this.#lockWatch?.end(watched);
      cost.add('database', chargedMs(statements, elapsedMs, watched));
      resume(cost, 'handler');
    }
  }
}
