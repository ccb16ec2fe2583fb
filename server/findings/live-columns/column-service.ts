import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { currentCost } from '../../platform/cost/request-cost.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { createInstruments, type Instruments } from '../../platform/metrics.ts';
import type { Cell } from '../../platform/postgres/cells/cell-database.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Answer, Given, QuestionName } from './answers.ts';
import { hasMoreFindings } from './column-queries.ts';
import { type Asked, monotonicMs, type Reply, type ThreadData, type Told } from './messages.ts';
import { listRecent } from './snapshots.ts';

type Options = {
  database: Database;
  databaseUrl: string;
  cells?: readonly Cell[];
  /** The memory for columns in bytes; 0 disables them. */
  maxBytes: number;
  /** The directory where columns are stored for the next start; by default they are not stored. */
  directory?: string;
  log: Log;
  metrics?: Instruments;
  /** Organizations with at most this many findings are read with SQL. */
  minFindings?: number;
  /** A thread that has not responded for this time is terminated. */
  hangMs?: number;
  /** The delay before a terminated thread is restarted. It doubles each time the thread ends soon after. */
  restartMs?: number;
  /** The minimum time between two comparisons of a result with SQL. */
  compareMs?: number;
};

type Waiting = { resolve(reply: Reply): void; timer: NodeJS.Timeout };
type Usage = Extract<Told, { usage: unknown }>['usage'];

/** Up to this many findings, SQL is as fast. */
const usualMinFindings = 2_000;
/** A small organization is recounted after this time: it may have grown. */
const recountMs = 60_000;
/** The maximum number of organizations whose size is cached. */
const maxRemembered = 10_000;
/** The heap of the thread, without the texts of findings. */
const heapMb = 256;
/** The longest wait for columns. */
const timeoutMs = 5_000;
/** After a timeout, an organization is not queried for this time. */
const lateMs = 5_000;
const pingMs = 1_000;
/** Sorting ten million findings takes half a minute, during which the thread does not respond. */
const usualHangMs = 120_000;
const usualRestartMs = 10_000;
/** If a thread ran for this time before it ended, the restart delay is reset. */
const steadyMs = 600_000;
/** A node reports ready after this time, even if columns are still loading. */
const startMs = 120_000;
/** The maximum number of times that the restart delay doubles, up to ten minutes. */
const maxEndings = 7;
const usualCompareMs = 600_000;
/** A comparison without a result is repeated after this time. */
const retryMs = 30_000;
/** A problem is logged at most once in this time: in an outage every query runs into it. */
const logMs = 60_000;

const noUsage: Usage = { organizations: [], findings: 0, bytes: 0 };

const unavailable = () =>
  new ApiError(
    'unavailable',
    'The findings of this organization are being loaded into memory, or the server is too busy to read them. Try again in a few seconds.',
    { headers: { 'Retry-After': '5' } },
  );

/** Answers queries about the findings of large organizations from columns in memory, in a worker thread. */
export class ColumnService {
  readonly #options: Options;
  readonly #waiting = new Map<number, Waiting>();
  /** The time of the next count of a small organization; infinity for a large one. */
  readonly #sizes = new Map<string, number>();
  /** By organization, the time until which it is not queried. */
  readonly #lateUntil = new Map<string, number>();
  readonly #count: ReturnType<typeof addColumnMetrics>;
  #thread: Worker | null = null;
  /**
   * The pings that the thread has not answered. They are counted rather than timed, since this process may be suspended
   * itself.
   */
  #unheard = 0;
  #comparesAgainAt = 0;
  #startsAgainAt = 0;
  #endings = 0;
  #loggedAt = Number.NEGATIVE_INFINITY;
  #questions = 0;
  #isClosed = false;
  /** Resolves when the stored columns are loaded or their loading has failed. */
  #started = Promise.withResolvers<void>();
  usage = noUsage;

  constructor(options: Options) {
    this.#options = options;
    this.#count = addColumnMetrics(options.metrics ?? createInstruments(), this);
  }

  /**
   * Returns the result, including every change committed before the call. Returns null for a small organization, for
   * one that does not fit into memory, and without a database connection; a plain statement answers then. Throws 503 if
   * there is no result within five seconds, for example while columns are being loaded.
   */
  async ask<Name extends QuestionName>(orgId: string, name: Name, ...given: Given<Name>): Promise<Answer<Name> | null> {
    if (!(await this.serves(orgId))) return null;
    const reply = await this.#send(orgId, name, given);
    this.#count.questions.inc({ outcome: reply.outcome });
    if (reply.outcome === 'answered') {
      currentCost()?.add('handler', reply.ms);
      return reply.answer as Answer<Name>;
    }
    if (reply.outcome === 'no_room' || ('problem' in reply && reply.problem !== undefined)) return null;
    throw unavailable();
  }

  async #send(orgId: string, name: QuestionName, given: unknown[]): Promise<Reply> {
    const thread = this.#startThread();
    if (thread === null) return { outcome: 'failed' };
    if ((this.#lateUntil.get(orgId) ?? 0) > performance.now()) return { outcome: 'late' };
    this.#questions += 1;
    const id = this.#questions;
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const timer = globalThis.setTimeout(() => {
      if (this.#lateUntil.size >= maxRemembered) this.#lateUntil.clear();
      this.#lateUntil.set(orgId, performance.now() + lateMs);
      this.#resolve(id, { outcome: 'late' });
    }, timeoutMs);
    this.#waiting.set(id, { resolve, timer });
    thread.postMessage({ id, orgId, name, given, until: monotonicMs() + timeoutMs } satisfies Asked);
    return promise;
  }

  /**
   * Compares a result with SQL, unless one was compared within ten minutes. `isEqual` compares on the primary database
   * and returns null if something changed meanwhile. Columns that differ are rebuilt.
   */
  async compare(orgId: string, isEqual: (database: Database) => Promise<boolean | null>): Promise<void> {
    const { database, log, compareMs = usualCompareMs } = this.#options;
    if (this.#comparesAgainAt > performance.now()) return;
    this.#comparesAgainAt = Number.POSITIVE_INFINITY;
    // A failure or a concurrent change proves nothing.
    const found = await isEqual(database).catch(() => null);
    this.#comparesAgainAt = performance.now() + (found === null ? Math.min(compareMs, retryMs) : compareMs);
    if (found === null) return;
    this.#count.comparisons.inc({ outcome: found ? 'equal' : 'different' });
    if (found) return;
    log.error({ orgId }, 'Columns of findings differ from the database. They are rebuilt.');
    this.#thread?.postMessage({ forget: orgId } satisfies Asked);
  }

  /** Returns whether queries about the organization use columns, once they are loaded. */
  serves = async (orgId: string): Promise<boolean> => this.#options.maxBytes > 0 && this.#isLarge(orgId);

  /** Returns whether the organization's columns were loaded at the thread's last report. */
  has(orgId: string): boolean {
    return this.usage.organizations.includes(orgId);
  }

  /**
   * Loads the columns that were read in the hour before the start. Resolves when they are loaded, or after two minutes.
   */
  async start(): Promise<void> {
    const { directory, maxBytes } = this.#options;
    if (maxBytes === 0 || directory === undefined || (await listRecent(directory)).length === 0) return;
    this.#startThread();
    const waited = new AbortController();
    await Promise.race([
      this.#started.promise,
      setTimeout(startMs, null, { ref: false, signal: waited.signal }).catch(() => null),
    ]);
    waited.abort();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.terminate();
  }

  async #isLarge(orgId: string): Promise<boolean> {
    const until = this.#sizes.get(orgId) ?? 0;
    if (until > performance.now()) return until === Number.POSITIVE_INFINITY;
    const { database, minFindings = usualMinFindings } = this.#options;
    // A replica can answer if the primary can't.
    const isLarge = await hasMoreFindings(database, orgId, minFindings).catch(() => null);
    if (isLarge === null) return false;
    if (this.#sizes.size >= maxRemembered) this.#sizes.clear();
    this.#sizes.set(orgId, isLarge ? Number.POSITIVE_INFINITY : performance.now() + recountMs);
    return isLarge;
  }

  #resolve(id: number, reply: Reply): void {
    const waiting = this.#waiting.get(id);
    clearTimeout(waiting?.timer);
    waiting?.resolve(reply);
    this.#waiting.delete(id);
  }

  #startThread(): Worker | null {
    if (this.#thread !== null) return this.#thread;
    if (this.#isClosed || this.#startsAgainAt > performance.now()) return null;
    const { databaseUrl, cells = [], maxBytes, directory = null, log, restartMs = usualRestartMs } = this.#options;
    const workerData: ThreadData = { databaseUrl, cells, maxBytes, directory };
    const thread = new Worker(new URL('./columns-thread.ts', import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: heapMb + Math.ceil(maxBytes / 1_000_000) },
    });
    thread.unref();
    this.#unheard = 0;
    const startedAt = performance.now();
    const pings = setInterval(() => this.#ping(thread), pingMs).unref();
    thread.on('message', (told: Told) => {
      this.#unheard = 0;
      if (told === 'started') {
        this.#started.resolve();
        return;
      }
      if ('problem' in told && told.problem !== undefined) this.#warn(told.problem);
      if ('usage' in told) this.usage = told.usage;
      if ('id' in told) this.#resolve(told.id, told);
    });
    thread.on('error', (error) => log.error({ err: error }, 'The thread with the columns of findings has failed.'));
    thread.on('exit', () => {
      clearInterval(pings);
      this.#started.resolve();
      this.#thread = null;
      this.#endings = performance.now() - startedAt > steadyMs ? 0 : Math.min(this.#endings + 1, maxEndings);
      this.#startsAgainAt = performance.now() + restartMs * 2 ** (this.#endings - 1);
      this.usage = noUsage;
      for (const id of [...this.#waiting.keys()]) this.#resolve(id, { outcome: 'failed' });
      if (!this.#isClosed) this.#count.endings.inc();
    });
    this.#thread = thread;
    return thread;
  }

  /** Pings the thread, and terminates it if it has not responded for too long. */
  #ping(thread: Worker): void {
    this.#unheard += 1;
    if (this.#unheard * pingMs > (this.#options.hangMs ?? usualHangMs)) {
      this.#options.log.error('The thread with the columns of findings hangs. It is ended and started again.');
      thread.terminate();
    } else thread.postMessage('ping' satisfies Asked);
  }

  #warn(problem: string): void {
    if (performance.now() - this.#loggedAt < logMs) return;
    this.#loggedAt = performance.now();
    this.#options.log.warn({ problem }, 'Findings are counted by SQL instead of in columns.');
  }
}

/** Adds metrics of the memory for columns, and returns the counters of queries and of terminated threads. */
function addColumnMetrics(metrics: Instruments, columns: ColumnService) {
  const gauge = (name: string, help: string, of: (usage: Usage) => number) =>
    metrics.gauge(name, help, [], async () => [{ labels: {}, value: of(columns.usage) }]);
  gauge(
    'columns_organizations',
    'Organizations whose findings are in columns in memory.',
    (usage) => usage.organizations.length,
  );
  gauge('columns_findings', 'Findings in columns in memory.', (usage) => usage.findings);
  gauge('columns_bytes', 'Memory that the columns take.', (usage) => usage.bytes);
  const help =
    'Questions to columns of large organizations, by how they ended. Those that are `loading`, `late` or `failed` got 503, those without room were answered by SQL.';
  const comparisons = metrics.counter(
    'columns_comparisons_total',
    'Answers of columns that were compared with SQL: none should be `different`.',
    ['outcome'],
  );
  // The counter starts at 0: alerts detect the first difference only as an increase.
  for (const outcome of ['equal', 'different']) comparisons.inc({ outcome }, 0);
  return {
    comparisons,
    questions: metrics.counter('columns_questions_total', help, ['outcome']),
    endings: metrics.counter('columns_thread_endings_total', 'Threads with columns that failed or hung.', []),
  };
}
