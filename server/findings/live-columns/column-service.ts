import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { currentCost } from '../../platform/cost/request-cost.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { createInstruments, type Instruments } from '../../platform/metrics.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Answer, Given, QuestionName } from './answers.ts';
import { hasMoreFindings } from './column-queries.ts';
import { type Asked, monotonicMs, type Reply, type ThreadData, type Told } from './messages.ts';
import { listRecent } from './snapshots.ts';

type Options = {
  database: Database;
  databaseUrl: string;
  /** The memory for columns in bytes; with 0 there are none. */
  maxBytes: number;
  /** Where columns are stored for the next start; by default they are not. */
  directory?: string;
  log: Log;
  metrics?: Instruments;
  /** Organizations with no more findings are read by SQL. */
  minFindings?: number;
  /** A thread that has not answered for so long is ended. */
  hangMs?: number;
  /** A thread that ended is started again after this time, and after twice as long each time when it ends soon. */
  restartMs?: number;
  /** The least time between two comparisons of an answer with SQL. */
  compareMs?: number;
};

type Waiting = { resolve(reply: Reply): void; timer: NodeJS.Timeout };
type Usage = Extract<Told, { usage: unknown }>['usage'];

/** SQL is as fast up to so many findings. */
const usualMinFindings = 2_000;
/** A small organization may have grown after this time. */
const recountMs = 60_000;
/** The maximum number of organizations whose size is remembered. */
const maxRemembered = 10_000;
/** The heap of the thread besides the texts of findings. */
const heapMb = 256;
/** Nobody waits longer for columns. */
const timeoutMs = 5_000;
/** After nobody had an answer in time, an organization is not asked about for so long. */
const lateMs = 5_000;
const pingMs = 1_000;
/** Ten million findings are sorted in half a minute, during which the thread says nothing. */
const usualHangMs = 120_000;
const usualRestartMs = 10_000;
/** A thread that ran for so long ended for a new reason. */
const steadyMs = 600_000;
/** A node is ready after this time, whatever is loaded. */
const startMs = 120_000;
/** The time until a start doubles at most so often: then it is ten minutes. */
const maxEndings = 7;
const usualCompareMs = 600_000;
/** A comparison that found nothing out is repeated after this time. */
const retryMs = 30_000;
/** A problem is logged once in this time: in an outage each question has it. */
const logMs = 60_000;

const noUsage: Usage = { organizations: [], findings: 0, bytes: 0 };

const unavailable = () =>
  new ApiError(
    'unavailable',
    'The findings of this organization are being loaded into memory, or the server is too busy to read them. Try again in a few seconds.',
    { headers: { 'Retry-After': '5' } },
  );

/** Answers questions about the findings of large organizations from columns in memory, which a thread has. */
export class ColumnService {
  readonly #options: Options;
  readonly #waiting = new Map<number, Waiting>();
  /** When a small organization is counted again; infinity for a large one. */
  readonly #sizes = new Map<string, number>();
  /** By organization, until when it is not asked about. */
  readonly #lateUntil = new Map<string, number>();
  readonly #count: ReturnType<typeof addColumnMetrics>;
  #thread: Worker | null = null;
  /** The pings that the thread has not answered: counted rather than timed, since this process may stand still itself. */
  #unheard = 0;
  #comparesAgainAt = 0;
  #startsAgainAt = 0;
  #endings = 0;
  #loggedAt = Number.NEGATIVE_INFINITY;
  #questions = 0;
  #isClosed = false;
  /** Resolves when what was stored is there, or will not be. */
  #started = Promise.withResolvers<void>();
  usage = noUsage;

  constructor(options: Options) {
    this.#options = options;
    this.#count = addColumnMetrics(options.metrics ?? createInstruments(), this);
  }

  /**
   * Returns the answer, with every change that had committed at the call. Null for an organization that is small or for which there is
   * no room, and without the database: a plain statement answers then. Throws 503 when there is no answer within five seconds, as
   * while columns are being loaded.
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
   * Compares an answer with SQL, unless one was compared within ten minutes. `isEqual` does so with the primary database, and returns
   * null when something changed meanwhile. Columns that differ are made anew.
   */
  async compare(orgId: string, isEqual: (database: Database) => Promise<boolean | null>): Promise<void> {
    const { database, log, compareMs = usualCompareMs } = this.#options;
    if (this.#comparesAgainAt > performance.now()) return;
    this.#comparesAgainAt = Number.POSITIVE_INFINITY;
    // A failure or a change meanwhile decides nothing.
    const found = await isEqual(database).catch(() => null);
    this.#comparesAgainAt = performance.now() + (found === null ? Math.min(compareMs, retryMs) : compareMs);
    if (found === null) return;
    this.#count.comparisons.inc({ outcome: found ? 'equal' : 'different' });
    if (found) return;
    log.error({ orgId }, 'Columns of findings differ from the database. They are made anew.');
    this.#thread?.postMessage({ forget: orgId } satisfies Asked);
  }

  /** Returns whether columns answer about the organization, once they are loaded. */
  serves = async (orgId: string): Promise<boolean> => this.#options.maxBytes > 0 && this.#isLarge(orgId);

  /** Returns whether the organization's columns were there when the thread last said what it has. */
  has(orgId: string): boolean {
    return this.usage.organizations.includes(orgId);
  }

  /** Loads what was read in the hour before this start; resolves when it is there, or after two minutes. */
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
    // Without the primary, a replica may answer.
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
    const { databaseUrl, maxBytes, directory = null, log, restartMs = usualRestartMs } = this.#options;
    const workerData: ThreadData = { databaseUrl, maxBytes, directory };
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

  /** Asks the thread for a sign of life, and ends it when it has given none for long. */
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

/** Adds what the columns take, and returns the counters of questions and of ended threads. */
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
  // Alerts see the first difference only as a rise from 0.
  for (const outcome of ['equal', 'different']) comparisons.inc({ outcome }, 0);
  return {
    comparisons,
    questions: metrics.counter('columns_questions_total', help, ['outcome']),
    endings: metrics.counter('columns_thread_endings_total', 'Threads with columns that failed or hung.', []),
  };
}
