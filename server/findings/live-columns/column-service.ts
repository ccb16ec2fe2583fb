import { Worker } from 'node:worker_threads';
import { currentCost } from '../../platform/cost/request-cost.ts';
import type { Log } from '../../platform/log.ts';
import type { Instruments } from '../../platform/metrics.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Answer, Given, QuestionName } from './answers.ts';
import { hasMoreFindings } from './column-queries.ts';
import type { Asked, ThreadData, Told } from './columns-thread.ts';

type Options = {
  database: Database;
  databaseUrl: string;
  /** The memory for columns in bytes; with 0 there are none. */
  maxBytes: number;
  log: Log;
  /** Organizations with no more findings are read by SQL. */
  minFindings?: number;
};

type Reply = { answer: Answer<QuestionName> | null; ms: number };
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
/** Nobody waits longer for columns: SQL answers then. */
const timeoutMs = 5_000;
/** A thread that ended is started again after this time. */
const restartMs = 10_000;
/** A problem is logged once in this time: in an outage each question has it. */
const logMs = 60_000;

const noUsage: Usage = { organizations: [], findings: 0, bytes: 0 };
const noReply: Reply = { answer: null, ms: 0 };

/** Answers questions about the findings of large organizations from columns in memory, which a thread has. */
export class ColumnService {
  readonly #options: Options;
  readonly #waiting = new Map<number, Waiting>();
  /** When a small organization is counted again; infinity for a large one. */
  readonly #sizes = new Map<string, number>();
  #thread: Worker | null = null;
  #startsAgainAt = 0;
  #loggedAt = Number.NEGATIVE_INFINITY;
  #questions = 0;
  #isClosed = false;
  usage = noUsage;

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Returns the answer, with every change that had committed at the call. Null for an organization that is small or not loaded, and
   * whenever something is wrong: then SQL answers.
   */
  async ask<Name extends QuestionName>(orgId: string, name: Name, ...given: Given<Name>): Promise<Answer<Name> | null> {
    if (this.#options.maxBytes === 0 || !(await this.#isLarge(orgId))) return null;
    const thread = this.#startThread();
    if (thread === null) return null;
    this.#questions += 1;
    const id = this.#questions;
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const timer = setTimeout(() => this.#resolve(id, noReply), timeoutMs);
    this.#waiting.set(id, { resolve, timer });
    thread.postMessage({ id, orgId, name, given } satisfies Asked);
    const { answer, ms } = await promise;
    currentCost()?.add('handler', ms);
    return answer as Answer<Name> | null;
  }

  /** Returns whether the organization's columns were there when the thread last said what it has. */
  has(orgId: string): boolean {
    return this.usage.organizations.includes(orgId);
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
    const { databaseUrl, maxBytes, log } = this.#options;
    const workerData: ThreadData = { databaseUrl, maxBytes };
    const thread = new Worker(new URL('./columns-thread.ts', import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: heapMb + Math.ceil(maxBytes / 1_000_000) },
    });
    thread.unref();
    thread.on('message', (told: Told) => {
      if ('problem' in told && told.problem !== undefined) this.#warn(told.problem);
      if ('usage' in told) this.usage = told.usage;
      if ('id' in told) this.#resolve(told.id, told);
    });
    thread.on('error', (error) => log.error({ err: error }, 'The thread with the columns of findings has failed.'));
    thread.on('exit', () => {
      this.#thread = null;
      this.#startsAgainAt = performance.now() + restartMs;
      this.usage = noUsage;
      for (const id of [...this.#waiting.keys()]) this.#resolve(id, noReply);
    });
    this.#thread = thread;
    return thread;
  }

  #warn(problem: string): void {
    if (performance.now() - this.#loggedAt < logMs) return;
    this.#loggedAt = performance.now();
    this.#options.log.warn({ problem }, 'Findings are counted by SQL instead of in columns.');
  }
}

/** Adds what the columns take. */
export function addColumnMetrics(metrics: Instruments, columns: ColumnService): void {
  const gauge = (name: string, help: string, of: (usage: Usage) => number) =>
    metrics.gauge(name, help, [], async () => [{ labels: {}, value: of(columns.usage) }]);
  gauge(
    'columns_organizations',
    'Organizations whose findings are in columns in memory.',
    (usage) => usage.organizations.length,
  );
  gauge('columns_findings', 'Findings in columns in memory.', (usage) => usage.findings);
  gauge('columns_bytes', 'Memory that the columns take.', (usage) => usage.bytes);
}
