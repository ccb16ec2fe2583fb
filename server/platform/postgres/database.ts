import pg from 'pg';
import { ApiError } from '../errors.ts';

/** A statement: with a `name` it is prepared once a connection. Names must be unique to their text. */
export type Statement = { text: string; values?: unknown[]; name?: string };

/** A connection inside a transaction: what every function of a `queries.ts` takes first. */
export type Db = {
  query<Row extends object = Record<string, unknown>>(statement: Statement): Promise<{ rows: Row[]; rowCount: number }>;
};

export type Database = {
  /**
   * Runs `run` in one transaction as the organization `orgId`: row-level security shows its rows only.
   * With null no organization's rows are visible: for reference tables and SECURITY DEFINER functions.
   * Throws what `run` throws, after ROLLBACK; `unavailable` (503) when no connection can be had.
   */
  transaction<T>(orgId: string | null, run: (tx: Db) => Promise<T>): Promise<T>;
  /** A transaction whose statements all see the database as it was at its start, however long it takes. */
  consistentTransaction<T>(orgId: string, run: (tx: Db) => Promise<T>): Promise<T>;
  /**
   * One statement as a transaction of its own, after those of `before`, if any. All messages go out together, so row-level
   * security costs no round trip.
   */
  single<Row extends object = Record<string, unknown>>(
    orgId: string | null,
    statement: Statement,
    before?: Statement[],
  ): Promise<Row[]>;
  /** The pool itself, for libraries that bring their own SQL (jobs, sign-in). Not for tenant tables. */
  readonly pool: pg.Pool;
  close(): Promise<void>;
};

export type DatabaseOptions = {
  connectionString: string;
  maxConnections?: number;
  /** A statement that takes longer is cancelled. */
  statementTimeoutMs?: number;
  applicationName?: string;
};

const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    // Counts are far below 2^53: a number is what callers want.
    if (oid === pg.types.builtins.INT8) return Number;
    return pg.types.getTypeParser(oid, format as 'text');
  },
} as pg.CustomTypesConfig;

const setOrganization = (orgId: string | null): Statement => ({
  name: 'set_organization',
  text: `SELECT set_config('app.org_id', $1, true)`,
  values: [orgId ?? ''],
});

const connectionFailures = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  '08000',
  '08003',
  '08006',
  '53300',
  '57P01',
  '57P02',
  '57P03',
]);

/** Whether an error means that the database is away for now, rather than that a statement was wrong. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: string }).code;
  if (code !== undefined && connectionFailures.has(code)) return true;
  return /timeout exceeded when trying to connect|Connection terminated|not queryable/.test(error.message);
}

/** Whether a statement failed because the row that it refers to is not there: it was deleted meanwhile. */
export const isForeignKeyViolation = (error: unknown): boolean => (error as { code?: string } | null)?.code === '23503';

/** The 503 of a database that is away, or the error itself. */
export function translateDatabaseError(error: unknown): unknown {
  if (!isDatabaseAway(error)) return error;
  return new ApiError('unavailable', 'The database is not available at the moment. Try again in a few seconds.', {
    headers: { 'Retry-After': '5' },
    cause: error,
  });
}

async function run<Row extends object>(client: pg.PoolClient, statement: Statement) {
  const result = await client.query<Row>(statement as pg.QueryConfig);
  return { rows: result.rows, rowCount: result.rowCount ?? 0 };
}

/** Sends several statements at once and waits for all; the first failure wins. */
async function pipeline(client: pg.PoolClient, statements: Statement[]): Promise<pg.QueryResult[]> {
  const stream = (client as unknown as { connection: { stream: { cork(): void; uncork(): void } } }).connection.stream;
  stream.cork();
  const pending = statements.map((statement) => client.query(statement as pg.QueryConfig));
  stream.uncork();
  const settled = await Promise.allSettled(pending);
  const failed = settled.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  return settled.map((outcome) => (outcome as PromiseFulfilledResult<pg.QueryResult>).value);
}

const isBroken = (error: unknown) => isDatabaseAway(error) || (error as { code?: string }).code === '57014';

/** Opens a pool of pipelining connections. Nothing is connected until first used. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: options.applicationName ?? 'assay',
    keepAlive: true,
    pipeline: true,
    types,
  } as pg.PoolConfig);
  // A connection that dies is simply replaced: while idle it is the pool that tells, while in use the client itself, beside
  // the statement that fails. Without a listener for both the process would end.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));

  async function withClient<T>(use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    let client: pg.PoolClient | undefined;
    try {
      client = await pool.connect();
      const result = await use(client);
      client.release();
      return result;
    } catch (error) {
      client?.release(isBroken(error) ? (error as Error) : undefined);
      throw translateDatabaseError(error);
    }
  }

  const transaction = <T>(begin: string, orgId: string | null, body: (tx: Db) => Promise<T>): Promise<T> =>
    withClient(async (client) => {
      try {
        await pipeline(client, [{ text: begin }, setOrganization(orgId)]);
        const result = await body({ query: (statement) => run(client, statement) });
        const { command } = await client.query('COMMIT');
        // A statement that failed and was caught leaves the transaction aborted: COMMIT then says ROLLBACK.
        if (command !== 'COMMIT') throw new Error('The transaction was rolled back: one of its statements had failed.');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch(() => {});
        throw error;
      }
    });

  return {
    pool,
    transaction: (orgId, body) => transaction('BEGIN', orgId, body),
    consistentTransaction: (orgId, body) => transaction('BEGIN ISOLATION LEVEL REPEATABLE READ', orgId, body),
    single: <Row extends object>(orgId: string | null, statement: Statement, before: Statement[] = []) =>
      withClient(async (client) => {
        const begin = [{ text: 'BEGIN' }, setOrganization(orgId), ...before];
        const results = await pipeline(client, [...begin, statement, { text: 'COMMIT' }]);
        return results.at(-2)!.rows as Row[];
      }),
    close: () => pool.end(),
  };
}
