import { connect, type Socket } from 'node:net';
import { isTracing, openChild, type Span } from '@assay/scanner/platform/tracing.ts';
import pg from 'pg';
import type { LockWatch } from '../cost/lock-watch.ts';
import { meteredQuery, StatementMeter } from '../cost/statement-cost.ts';
import {
  applicationRole,
  checkOrganization,
  checkRole,
  describeRole,
  explainRole,
  probedOrganization,
  type RoleFacts,
  readOrganization,
} from './application-role.ts';
import { checkCell, readCell, refuseCell, whichCell } from './cells/cell-name.ts';
import { databaseOutlet } from './database-outlet.ts';
import { inspectPooler, isLostStatement, type Pooler } from './pooler.ts';
import { PreparedStatements } from './prepared-statements.ts';
import { serviceSettings } from './service-settings.ts';
import { enterOrganization, isBeginning, operationOf, type Statement, setLocal, setOrganization } from './statement.ts';
import { type DriverQuery, StatementRun } from './statement-run.ts';
import { StatementTimes } from './statement-watch.ts';

/**
 * Opens the span of a statement within a request or a job, with its name and never its values; null for all others.
 * The texts of unnamed statements aren't recorded either: a setting can contain a value.
 */
function openStatementSpan(statement: Statement): Span | null {
  if (isBeginning(statement)) return null;
  const { name, text } = statement;
  const operation = operationOf(text);
  return openChild(() => ({
    name: name ?? operation,
    kind: 'client',
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.summary': name ?? operation,
    },
  }));
}

/** The code of a CancelRequest in PostgreSQL's protocol. */
const cancelRequestCode = 80_877_102;

/**
 * Asks the server, through a separate connection, to cancel the client's running statement. The request can arrive
 * late and hit the client's next statement: the client must not be used again.
 */
function cancelStatement(client: pg.Client, connectionString: string): void {
  const { processID, secretKey } = client as unknown as { processID: number; secretKey: number };
  const { outlet } = databaseOutlet(connectionString);
  const request = Buffer.alloc(16);
  for (const [index, value] of [request.length, cancelRequestCode, processID, secretKey].entries())
    request.writeInt32BE(value, 4 * index);
  const socket = connect(outlet, () => socket.end(request));
  socket.setTimeout(5_000, () => socket.destroy()).on('error', () => {});
}

export type ApplicationClientOptions = pg.ClientConfig & {
  /** A statement that takes longer is cancelled; 0 for no limit. */
  statementTimeoutMs?: number;
  lockWatch?: LockWatch;
  settings?: Record<string, string>;
  /** The cell that this database must be, in an installation with several. */
  cell?: string;
};

/** Settings that apply until the connection ends. */
const sessionSettings = (settings: Record<string, string>) =>
  `SELECT ${Object.entries(settings)
    .map(([name, value]) => `set_config('${name}', ${pg.escapeLiteral(value)}, false)`)
    .join(', ')}`;

const firstWord = (text: string) => /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? '';

const isTransactionEnd = (text: string) =>
  ['commit', 'end', 'abort'].includes(firstWord(text)) ||
  /^\s*rollback(?!\s+(work\s+|transaction\s+)?to\b)/i.test(text);

// biome-ignore lint/suspicious/noExplicitAny: the driver's own signature, which has a dozen forms
type Any = any;

/** A statement that waits for the end of this turn of the event loop. */
type Waiting = {
  statement: Statement;
  query: DriverQuery;
  resolve: (result: Any) => void;
  reject: (error: Error) => void;
};

/**
 * Splits statements into those that are sent together: the driver sends texts without parameters one by one. While requests
 * are traced, each statement is alone, since PostgreSQL sends the results of a run at its end.
 */
function runsOf(waiting: Waiting[]): Waiting[][] {
  const runs: Waiting[][] = [];
  let last: Waiting[] | null = null;
  for (const one of waiting) {
    const joins = one.query.requiresPreparation() && !isTracing();
    if (joins && last) last.push(one);
    else runs.push([one]);
    last = joins ? runs.at(-1)! : null;
  }
  return runs;
}

/**
 * A connection that runs every statement as the application's role. The role is set inside each transaction, since a
 * pooler such as PgBouncer gives each transaction another connection to the server, and resets it in between. So are
 * the settings through a pooler; on a direct connection they are set once. `query` is for libraries: outside a
 * transaction it runs the statement in a separate one. `begin`, `send` and `sendAll` are for callers that manage
 * transactions themselves.
 */
export class ApplicationClient extends pg.Client {
  readonly #options: ApplicationClientOptions;
  readonly #meter: StatementMeter;
  /** null on a direct connection. */
  #pooler: Pooler | null = { keepsPreparedStatements: false };
  #inTransaction = false;
  /** Whether the database is one of several cells. */
  #isOfCells = false;
  #waiting: Waiting[] = [];
  /** The organization of the most recent transaction. */
  #orgId: string | null = null;
  readonly #times = new StatementTimes();
  readonly #prepared = new PreparedStatements();

  constructor(options: ApplicationClientOptions) {
    super({ ...options, pipeline: true } as pg.ClientConfig);
    this.#options = options;
    this.#meter = new StatementMeter(options.lockWatch);
  }

  /**
   * Detects a pooler. Refuses a connection that drops `SET LOCAL`, and a role to which row-level security doesn't apply.
   * Call it once, before any other statement is sent.
   */
  async prepare(): Promise<void> {
    const { rows } = await this.#withPatience(super.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'));
    // A pooler has its own backend numbers.
    const isPooled = rows[0]!.pid !== (this as unknown as { processID: number }).processID;
    this.#pooler = isPooled ? await inspectPooler(this.#options.connectionString ?? '') : null;
    // With the role for the session, too, a statement sent with a BEGIN that fails does not run as the login.
    const settings = { ...this.#settings(), role: applicationRole };
    if (!isPooled) await super.query(sessionSettings(settings)).catch(explainRole);
    const { cell } = this.#options;
    if (cell !== undefined)
      checkCell(cell, await this.sendAll([...this.begin('BEGIN', null), readCell, { text: 'COMMIT' }]));
    const checks = [{ text: readOrganization }, { text: describeRole }, whichCell, { text: 'COMMIT' }];
    const begin = this.begin('BEGIN', probedOrganization);
    const [organization, role, found] = (await this.sendAll([...begin, ...checks]).catch(explainRole)).slice(-4);
    checkOrganization(organization!.rows[0].organization);
    checkRole(role!.rows[0] as RoleFacts);
    this.#isOfCells = found!.rows[0].cell !== null;
  }

  /** The pooler in front of the server; null when there is none. */
  get pooler(): Pooler | null {
    return this.#pooler;
  }

  #settings() {
    return {
      ...serviceSettings,
      ...this.#options.settings,
      statement_timeout: `${this.#options.statementTimeoutMs ?? 0}`,
    };
  }

  /**
   * Returns the statements that begin a transaction of this organization, as the application's role. Send them in one
   * round trip with `sendAll`. A short transaction takes 55 µs of PostgreSQL's processor time this way; with a prepared
   * `set_config()` it took 59.
   */
  begin(text: string, orgId: string | null): Statement[] {
    this.#orgId = orgId;
    const role = setLocal({ role: applicationRole, ...(this.#pooler && this.#settings()) });
    const isCell = this.#options.cell !== undefined && orgId !== null;
    if (this.#isOfCells && !isCell && orgId !== null) refuseCell();
    const enter = isCell ? enterOrganization(orgId) : setOrganization(orgId);
    return [{ text: [text, role.text, enter.text].join('; ') }];
  }

  /** Sends a statement unchanged. */
  async send<Row extends object>(statement: Statement): Promise<pg.QueryResult<Row>> {
    const { name, signal: _, ...unnamed } = statement;
    const isNamed = name !== undefined && this.#pooler?.keepsPreparedStatements !== false;
    if (isNamed) this.#prepared.use(name, statement.text);
    const span = isTracing() ? openStatementSpan(statement) : null;
    try {
      const result = await this.#submit<Row>(isNamed ? { name, ...unnamed } : unnamed);
      span?.end();
      return result;
    } catch (error) {
      span?.end(error);
      if (this.#pooler && isLostStatement(error)) this.#pooler.keepsPreparedStatements = false;
      throw error;
    }
  }

  /**
   * Frees the memory of statements that have not been used for long; null if there is room for all. Call it outside of
   * transactions.
   */
  freeStatements(): Promise<void> | null {
    const unused = this.#prepared.takeUnused();
    // A pooler limits the statements of its connections itself.
    if (unused.length === 0 || this.#pooler !== null) return null;
    const { connection } = this as unknown as { connection: { parsedStatements: Record<string, string> } };
    // A statement that failed may not have been prepared.
    const names = unused.filter((name) => Object.hasOwn(connection.parsedStatements, name));
    return names.length === 0 ? null : this.#deallocate(names, connection.parsedStatements);
  }

  async #deallocate(names: string[], parsed: Record<string, string>): Promise<void> {
    await super.query(names.map((name) => `DEALLOCATE ${pg.escapeIdentifier(name)}`).join('; '));
    for (const name of names) delete parsed[name];
  }

  #submit<Row extends object>(statement: Statement): Promise<pg.QueryResult<Row>> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult<Row>>();
    if (this.#waiting.length === 0) process.nextTick(() => this.#sendWaiting());
    this.#waiting.push({ statement, query: meteredQuery(statement) as DriverQuery, resolve, reject });
    return promise.catch((error: Error) => {
      // The stack leads to the caller, not to the socket.
      Error.captureStackTrace(error);
      throw error;
    });
  }

  /** Sends the statements of one turn of the event loop in one packet: each write costs 25 µs of processor time. */
  #sendWaiting(): void {
    const runs = runsOf(this.#waiting);
    this.#waiting = [];
    const { stream } = (this as unknown as { connection: { stream: Socket } }).connection;
    stream.cork();
    for (const run of runs) void this.#sendRun(run);
    stream.uncork();
  }

  /** Settles the statements of a run once they are charged to their request. */
  async #sendRun(run: Waiting[]): Promise<void> {
    const statements = run.map(({ statement }) => statement);
    const timed = this.#times.begin(statements, this.#orgId);
    const settlements: Array<() => void> = [];
    for (const { query, resolve, reject } of run) {
      query.callback = (error, result) => settlements.push(() => (error ? reject(error) : resolve(result)));
    }
    const { _types: types } = this as unknown as { _types: unknown };
    const queries = run.map(({ query }) => query);
    const query = queries.length === 1 ? queries[0]! : new StatementRun(queries, types);
    await this.#meter.run(statements, this.#serverPid, () => this.#untilEnded(query as DriverQuery));
    timed();
    for (const settle of settlements) settle();
  }

  #untilEnded(query: DriverQuery): Promise<void> {
    return new Promise((resolve) => {
      const { callback } = query;
      query.callback = (...given) => {
        callback?.(...given);
        resolve();
      };
      super.query(query);
    });
  }

  /** The process id of the database backend; null behind a pooler, which has its own numbers. */
  get #serverPid(): number | null {
    return this.#pooler === null ? (this as unknown as { processID: number }).processID : null;
  }

  /**
   * Sends several statements at once and waits for all. Throws the first error, or an AbortError if one of the
   * signals aborts.
   */
  async sendAll(statements: Statement[]): Promise<pg.QueryResult[]> {
    const signal = statements.find((statement) => statement.signal)?.signal;
    signal?.throwIfAborted();
    const cancel = () => cancelStatement(this, this.#options.connectionString ?? '');
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      return await this.#sendAtOnce(statements);
    } finally {
      signal?.removeEventListener('abort', cancel);
      signal?.throwIfAborted();
    }
  }

  async #sendAtOnce(statements: Statement[]): Promise<pg.QueryResult[]> {
    const pending = statements.map((statement) => this.send(statement));
    this.#withPatience(pending[0]!).catch(() => {});
    const settled = await Promise.allSettled(pending);
    const failed = settled.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
    return settled.map((outcome) => (outcome as PromiseFulfilledResult<pg.QueryResult>).value);
  }

  /** Gives up on a pooler that can't connect to the server: PgBouncer lets its clients wait for two minutes. */
  async #withPatience<T>(result: Promise<T>): Promise<T> {
    const patienceMs = this.#options.connectionTimeoutMillis ?? 0;
    if (this.#pooler === null || patienceMs === 0) return result;
    const { stream } = (this as unknown as { connection: { stream: Socket } }).connection;
    // Data that arrived while this process was busy is read first.
    let immediate: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => {
      immediate = setImmediate(() => stream.destroy());
    }, patienceMs);
    try {
      return await result;
    } finally {
      clearTimeout(timer);
      clearImmediate(immediate);
    }
  }

  async #queryAsRole(statement: Statement): Promise<pg.QueryResult> {
    if (['begin', 'start'].includes(firstWord(statement.text))) {
      this.#inTransaction = true;
      // The first of the results of its parts.
      return (await this.sendAll(this.begin(statement.text, null))).flat()[0]!;
    }
    if (this.#inTransaction) {
      if (isTransactionEnd(statement.text)) this.#inTransaction = false;
      return this.send(statement);
    }
    // A failed statement aborts the transaction, and COMMIT then rolls it back.
    return (await this.sendAll([...this.begin('BEGIN', null), statement, { text: 'COMMIT' }])).at(-2)!;
  }

  override query(...given: Any[]): Any {
    const callback = typeof given.at(-1) === 'function' ? given.pop() : undefined;
    const [first, values] = given;
    if (typeof first?.submit === 'function') throw new Error('Cursors and streams of rows are not supported here.');
    const statement: Statement = typeof first === 'string' ? { text: first } : { ...first };
    const result = this.#queryAsRole(values === undefined ? statement : { ...statement, values });
    if (!callback) return result;
    result.then(
      (rows) => callback(null, rows),
      (error: unknown) => callback(error),
    );
  }
}

const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    // Counts are far below 2^53, so they fit into a number.
    if (oid === pg.types.builtins.INT8) return Number;
    return pg.types.getTypeParser(oid, format as 'text');
  },
} as pg.CustomTypesConfig;

export type PoolOptions = {
  connectionString: string;
  max: number;
  applicationName: string;
  statementTimeoutMs?: number;
  connectionTimeoutMs?: number;
  settings?: Record<string, string>;
  /** A connection can be lost silently: after this time its statements count as failed. */
  queryTimeoutMs?: number;
  /** A connection of this age is replaced once it is idle; 600 by default. */
  maxAgeSeconds?: number;
  /** Detects statements that wait for locks: requests are not charged for that time. */
  lockWatch?: LockWatch;
  /** The cell that the database must be, in an installation with several. */
  cell?: string;
};

/** Creates a pool of such connections. It does not connect until it is used. */
export function openPool(options: PoolOptions): pg.Pool {
  return new pg.Pool({
    connectionString: options.connectionString,
    max: options.max,
    application_name: options.applicationName,
    statementTimeoutMs: options.statementTimeoutMs ?? 0,
    connectionTimeoutMillis: options.connectionTimeoutMs ?? 0,
    ...(options.queryTimeoutMs !== undefined && { query_timeout: options.queryTimeoutMs }),
    ...(options.lockWatch && { lockWatch: options.lockWatch }),
    ...(options.settings && { settings: options.settings }),
    ...(options.cell !== undefined && { cell: options.cell }),
    idleTimeoutMillis: 60_000,
    // A server process keeps an entry for every table and index that it has read, and fragments of memory.
    maxLifetimeSeconds: options.maxAgeSeconds ?? 600,
    keepAlive: true,
    types,
    Client: ApplicationClient,
    onConnect: (client: ApplicationClient) => client.prepare(),
  } as unknown as pg.PoolConfig);
}
