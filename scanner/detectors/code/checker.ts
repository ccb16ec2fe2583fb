import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { type Program, startProgram, wasKilled } from '../../platform/child-process.ts';
import { nodeFiles, nodePermissions } from '../../platform/sandbox/node-process.ts';
import type { SkipReason } from '../../repository/layout.ts';
import type { SourceCheck } from './check-source.ts';
import type { SourceKind } from './paths.ts';
import type { Answer, Questions } from './program/summary.ts';
import type { CodeRule } from './rule.ts';

/** The hits in a file, the reason for skipping it, or the reason why it could not be checked. */
export type CheckOutcome = SourceCheck | { skipped: SkipReason } | { failure: 'time' | 'crash' };

type Task = {
  kind: SourceKind;
  content: Buffer;
  questions?: Questions;
  resolve(outcome: CheckOutcome | Answer): void;
  reject(error: unknown): void;
};

const fileTimeoutMs = 15_000;
const startTimeoutMs = 60_000;
const memoryBytes = 1_536 * 1024 ** 2;
/** Longer than the time limit of a target's scan. */
const processTimeoutMs = 6 * 60 * 60_000;
const maxStartFailures = 3;
const maxKills = 2;

/**
 * Checks files in a child process with limits on time and memory and a cleared environment. Only the file that crashes
 * or blocks the process fails: a new process checks the others. Close it after use.
 */
export class CodeChecker {
  readonly #rules: Buffer;
  readonly #home: string;
  readonly #signal: AbortSignal;
  readonly #fileTimeoutMs: number;
  #program: Program | null = null;
  #sent: Task[] = [];
  #hasResponded = false;
  #startFailures = 0;
  #kills = 0;
  #timer: NodeJS.Timeout | undefined;
  #timedOut = false;

  constructor(rules: readonly CodeRule[], options: { home: string; signal: AbortSignal; fileTimeoutMs?: number }) {
    const checks = rules.map(({ id, language, keywords, fileContaining, config, input }) => ({
      id,
      language,
      keywords,
      fileContaining,
      config,
      input,
    }));
    this.#rules = Buffer.from(JSON.stringify(checks));
    this.#home = options.home;
    this.#signal = options.signal;
    this.#fileTimeoutMs = options.fileTimeoutMs ?? fileTimeoutMs;
  }

  /** Rejects if the process can't be started at all or the signal aborts. */
  check(kind: SourceKind, content: Buffer): Promise<CheckOutcome> {
    return new Promise((resolve, reject) => {
      this.#add({ kind, content, resolve: resolve as Task['resolve'], reject });
    });
  }

  /** Answers questions about a file; null if it can't be checked. */
  async ask(kind: SourceKind, content: Buffer, questions: Questions): Promise<Answer | null> {
    const outcome = await new Promise<CheckOutcome | Answer>((resolve, reject) => {
      this.#add({ kind, content, questions, resolve, reject });
    });
    return 'functions' in outcome ? outcome : null;
  }

  #add(task: Task): void {
    this.#sent.push(task);
    if (!this.#program) this.#start();
    else this.#send(task);
    if (this.#sent.length === 1) this.#watch();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#program?.stop();
  }

  #start(): void {
    const program = startProgram({
      command: process.execPath,
      arguments: [
        ...['--max-old-space-size=768', '--stack-size=900', ...nodePermissions({ addons: true })],
        join(import.meta.dirname, `checker-process${extname(import.meta.filename)}`),
      ],
      directory: this.#home,
      home: this.#home,
      confinement: { reads: nodeFiles(), network: 'none' },
      timeoutMs: processTimeoutMs,
      memoryBytes,
      signal: this.#signal,
    });
    this.#program = program;
    this.#hasResponded = false;
    this.#timedOut = false;
    program.stdin.write(`{"bytes":${this.#rules.length}}\n`);
    program.stdin.write(this.#rules);
    for (const task of this.#sent) this.#send(task);
    this.#listen(program).catch(() => this.#ended(program));
  }

  async #listen(program: Program): Promise<void> {
    for await (const line of createInterface({ input: Readable.from(program.stdout) })) {
      const task = this.#sent.shift();
      this.#hasResponded = true;
      this.#startFailures = 0;
      this.#kills = 0;
      const response: Exclude<CheckOutcome, { failure: string }> | Answer | { error: string } = JSON.parse(line);
      task?.resolve('error' in response ? { failure: 'crash' } : response);
      this.#watch();
    }
    await this.#ended(program);
  }

  /** Handles the end of the process: its current file fails, unless the process had not started one. */
  async #ended(program: Program): Promise<void> {
    clearTimeout(this.#timer);
    const isKilled = await program.finished.then(() => false, wasKilled);
    if (this.#program !== program) return;
    this.#program = null;
    if (this.#sent.length === 0) return;
    if (this.#signal.aborted) {
      this.#rejectAll(this.#signal.reason);
      return;
    }
    if (!this.#hasResponded && !this.#timedOut && ++this.#startFailures > maxStartFailures) {
      program.finished
        .catch((error) => this.#rejectAll(error))
        .then(() => this.#rejectAll(new Error('The checker ended.')));
      return;
    }
    // When memory is short, the kernel may kill any process: a file is at fault only if it happens each time.
    if (isKilled && ++this.#kills <= maxKills) {
      this.#start();
      this.#watch();
      return;
    }
    this.#sent.shift()!.resolve({ failure: this.#timedOut ? 'time' : 'crash' });
    if (this.#sent.length === 0) return;
    this.#start();
    this.#watch();
  }

  #rejectAll(error: unknown): void {
    for (const task of this.#sent.splice(0)) task.reject(error);
  }

  #send({ kind, content, questions }: Task): void {
    const { stdin } = this.#program!;
    stdin.write(`${JSON.stringify({ ...kind, bytes: content.length, questions })}\n`);
    stdin.write(content);
  }

  #watch(): void {
    clearTimeout(this.#timer);
    if (this.#sent.length === 0) return;
    const timeoutMs = this.#hasResponded ? this.#fileTimeoutMs : this.#fileTimeoutMs + startTimeoutMs;
    this.#timer = setTimeout(() => {
      this.#timedOut = true;
      this.#program?.stop();
    }, timeoutMs);
  }
}
