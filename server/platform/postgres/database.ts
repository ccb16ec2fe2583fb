import type pg from 'pg';
import { LockWatch } from '../cost/lock-watch.ts';
import { currentCost } from '../cost/request-cost.ts';
import { ApiError, errorCode } from '../errors.ts';
import { type ApplicationClient, openPool } from './application-client.ts';
import { isLostStatement } from './pooler.ts';
import type { Statement } from './statement.ts';

export type { Statement } from './statement.ts';

/** A connection inside a transaction: the first parameter of every function of a `queries.ts`. */
export type Db = {
  query<Row extends object = Record<string, unknown>>(statement: Statement): Promise<{ rows: Row[]; rowCount: number }>;
  /** On a replica, the primary's mark up to which it has replayed (`replicas/positions.ts`). */
  readonly replayed?: string;
};

export type Database = {
  /**
   * Runs `run` in one transaction as the organization `orgId`: row-level security shows only its rows. With null no
   * organization's rows are visible: for reference tables and SECURITY DEFINER functions. Rethrows the error of `run`
   * after ROLLBACK, and throws `unavailable` (503) when there is no connection.
   */
  transaction<T>(orgId: string | null, run: (tx: Db) => Promise<T>): Promise<T>;
  /**
   * Runs a transaction with one snapshot of the database, however long it takes. It can't write: its snapshot may be older
   * than the organization's move to another cell.
   */
  consistentTransaction<T>(orgId: string, run: (tx: Db) => Promise<T>): Promise<T>;
  /**
   * Runs one statement in a separate transaction, after the statements of `before`, if any. All messages are sent
   * together, so that row-level security costs no round trip.
   */
  single<Row extends object = Record<string, unknown>>(
    orgId: string | null,
    statement: Statement,
    before?: Statement[],
  ): Promise<Row[]>;
  /**
   * The pool itself, for libraries with their own SQL (sign-in). It runs as the application's role, without an
   * organization.
   */
  readonly pool: pg.Pool;
  /** The databases of an installation with several cells, by name, the home cell first. Use `inEachCell`. */
  readonly cells?: ReadonlyMap<string, Database>;
  close(): Promise<void>;
};

/**
 * Returns a connection that runs each statement in a separate transaction, in one round trip instead of three: for
 * reading with the functions of a `queries.ts`.
 */
export const autocommit = (database: Pick<Database, 'single'>, orgId: string | null): Db => ({
  query: async <Row extends object>(statement: Statement) => {
    const rows = await database.single<Row>(orgId, statement);
    return { rows, rowCount: rows.length };
  },
});

/**
 * Waits for statements of one connection that were sent without waiting for each other: they share a round trip and
 * run in the order in which they were sent. Throws the first error once all have ended, so that none is under way when
 * the transaction is rolled back.
 */
export async function sentTogether<const Sent extends readonly Promise<unknown>[]>(
  sent: Sent,
): Promise<{ -readonly [Index in keyof Sent]: Awaited<Sent[Index]> }> {
  const settled = await Promise.allSettled(sent);
  for (const outcome of settled) if (outcome.status === 'rejected') throw outcome.reason;
  return settled.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as never;
}

export type DatabaseOptions = {
  connectionString: string;
  maxConnections?: number;
  /** A statement that takes longer is cancelled. */
  statementTimeoutMs?: number;
  applicationName?: string;
  /** A connection of this age is replaced once it is idle. */
  maxAgeSeconds?: number;
  /** Settings of every transaction besides those that the service needs, for statements that read them. */
  settings?: Record<string, string>;
  /** The cell that the database must be, in an installation with several. */
  cell?: string;
};

/** The error code of `enter_organization()` while an organization moves to another cell. */
export const isMoving = 'ASC03';

const connectionFailures = new Set([
  // The queue of the server's socket is full, such as of one that is stopped.
  'EAGAIN',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  // Read-only: this server has become a standby, and the next connection finds the primary.
  '25006',
  // Timeouts of idle sessions and transactions, caused by a stalled process or a changed clock.
  '25P03',
  '25P04',
  '53300',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  // The copy of an account has not arrived in a cell.
  'ASC02',
  isMoving,
]);

/**
 * PgBouncer reports an unreachable server as a protocol violation. A server that ends while PgBouncer sets a client's
 * parameters on it is an "invalid server parameter".
 */
const isPoolerAlone = ({ code, message }: Error & { code?: string }) =>
  code === '08P01' &&
  /server (login|conn)|query_wait_timeout|pgbouncer|no more connections|invalid server parameter/.test(message);

/** Returns whether an error means that the database is unavailable for now, rather than that a statement was wrong. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = errorCode(error);
  if (code !== undefined && connectionFailures.has(code)) return true;
  // The pooler lost its prepared statements; the next attempt works without them.
  if (isLostStatement(error)) return true;
  return (
    /timeout exceeded when trying to connect|Connection terminated|not queryable|Cannot use a pool after|Query read timeout/.test(
      error.message,
    ) || isPoolerAlone(error)
  );
}

/** Returns whether a statement failed because a row that it refers to was deleted meanwhile. */
export const isForeignKeyViolation = (error: unknown): boolean => errorCode(error) === '23503';

/**
 * Error codes of PostgreSQL (class 53) and the operating system for lack of space: on disk, in memory or in a quota.
 */
const noRoom = /^(53000|53100|53200|53400|ENOSPC|EDQUOT)$/;

/**
 * Returns whether an error means that a disk, a quota or memory is full: a retry succeeds once there is room again.
 */
export function isOutOfRoom(error: unknown): boolean {
  return error instanceof Error && noRoom.test(errorCode(error) ?? '');
}

/** Returns 503 for a database that is unavailable or out of space, otherwise the error itself. */
export function translateDatabaseError(error: unknown): unknown {
  if (isOutOfRoom(error)) {
    return new ApiError(
      'unavailable',
      'There is no room left to store this. Try again in half a minute; the operator has to make room.',
      { headers: { 'Retry-After': '30' }, cause: error },
    );
  }
  if (errorCode(error) === isMoving) {
    return new ApiError(
      'unavailable',
      'The organization moves to another server at the moment. Try again in a second.',
      {
        headers: { 'Retry-After': '1' },
        cause: error,
      },
    );
  }
  if (!isDatabaseAway(error)) return error;
  return new ApiError('unavailable', 'The database is not available at the moment. Try again in a few seconds.', {
    headers: { 'Retry-After': '5' },
    cause: error,
  });
}

/** Set explicitly, since the server's default may differ. */
const readCommitted = 'BEGIN ISOLATION LEVEL READ COMMITTED';

const isBroken = (error: unknown) =>
  (isDatabaseAway(error) && errorCode(error) !== isMoving) ||
  errorCode(error) === '57014' ||
  (error instanceof Error && error.name === 'AbortError');

/** Runs `use` with a connection of the pool. A broken connection is not reused. */
export async function withClient<T>(pool: pg.Pool, use: (client: ApplicationClient) => Promise<T>): Promise<T> {
  const client = (await pool.connect()) as ApplicationClient & pg.PoolClient;
  try {
    currentCost()?.requireOnce();
    const result = await use(client);
    const freed = client.freeStatements();
    if (freed === null) client.release();
    else
      freed.then(
        () => client.release(),
        (error: Error) => client.release(error),
      );
    return result;
  } catch (error) {
    client.release(isBroken(error) ? (error as Error) : undefined);
    throw error;
  }
}

/** Opens a pool of pipelining connections. It does not connect until it is used. */
export function openDatabase(options: DatabaseOptions): Database {
  const lockWatch = new LockWatch(options.connectionString);
  const pool = openPool({
    lockWatch,
    connectionString: options.connectionString,
    max: options.maxConnections ?? 10,
    ...(options.maxAgeSeconds !== undefined && { maxAgeSeconds: options.maxAgeSeconds }),
    ...(options.cell !== undefined && { cell: options.cell }),
    applicationName: options.applicationName ?? 'assay',
    settings: options.settings ?? {},
    statementTimeoutMs: options.statementTimeoutMs ?? 30_000,
    connectionTimeoutMs: 5_000,
    queryTimeoutMs: (options.statementTimeoutMs ?? 30_000) + 10_000,
  });
  // A dead connection is simply replaced. The pool reports the error of an idle connection; the client reports that
  // of one in use, in addition to the failing statement. Without listeners for both, the process would exit.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));

  const using = <T>(use: (client: ApplicationClient) => Promise<T>): Promise<T> =>
    withClient(pool, use).catch((error: unknown) => {
      throw translateDatabaseError(error);
    });

  const transaction = <T>(begin: string, orgId: string | null, body: (tx: Db) => Promise<T>): Promise<T> =>
    using(async (client) => {
      const query = async <Row extends object>(statement: Statement) => {
        const result = await client.send<Row>(statement);
        return { rows: result.rows, rowCount: result.rowCount ?? 0 };
      };
      // Sent with the first statement of the body. Behind a pooler that statement would run as the login if BEGIN failed.
      const begun = client.sendAll(client.begin(begin, orgId));
      begun.catch(() => {});
      try {
        if (client.pooler !== null) await begun;
        const result = await body({ query });
        await begun;
        const { command } = await client.send({ text: 'COMMIT' });
        // A failed statement whose error was caught leaves the transaction aborted: COMMIT then returns ROLLBACK.
        if (command !== 'COMMIT') throw new Error('The transaction was rolled back: one of its statements had failed.');
        return result;
      } catch (error) {
        await client.send({ text: 'ROLLBACK' }).catch(() => {});
        await begun;
        throw error;
      }
    });

  return {
    pool,
    transaction: (orgId, body) => transaction(readCommitted, orgId, body),
    consistentTransaction: (orgId, body) => transaction('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', orgId, body),
    single: <Row extends object>(orgId: string | null, statement: Statement, before: Statement[] = []) =>
      using(async (client) => {
        const statements = [...client.begin(readCommitted, orgId), ...before, statement, { text: 'COMMIT' }];
        return (await client.sendAll(statements)).at(-2)!.rows as Row[];
      }),
    async close() {
      await lockWatch.close();
      await pool.end();
    },
  };
}
