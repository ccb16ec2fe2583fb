import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { bridgeToProxy } from './sandbox/bridge.ts';
import type { Confinement } from './sandbox/confinement.ts';
import { programPath } from './sandbox/paths.ts';
import { confine } from './sandbox/sandbox.ts';
import { signalInside } from './sandbox/signal-inside.ts';

export type ProgramOptions = {
  /** An absolute path, or a name that is looked up in PATH. */
  command: string;
  arguments: string[];
  directory: string;
  /** HOME of the program: a separate directory, never the operator's. */
  home: string;
  /** Variables of the program besides PATH, HOME, LANG and TMPDIR. It inherits nothing from our environment. */
  environment?: Record<string, string>;
  /** The limits on its access; null for programs that operators run themselves, such as installers. */
  confinement: Confinement | null;
  timeoutMs: number;
  /** Lowers the priority of the program by this much, up to 19. */
  niceness?: number;
  /** Limit of private memory (RLIMIT_DATA: mapped files don't count), enforced by the kernel where possible. */
  memoryBytes?: number;
  /** Limit of standard output; none by default. */
  outputBytes?: number;
  /** Limit of each file that the program writes, enforced by the kernel; none by default. */
  fileBytes?: number;
  /** Exit codes that count as success; only 0 by default. */
  exitCodes?: number[];
  signal?: AbortSignal;
  /** Called with each piece of standard error, for progress. */
  onError?(text: string): void;
};

export type ProgramFailure = 'not_started' | 'timeout' | 'aborted' | 'output_limit' | 'exit' | 'killed';

/**
 * The reason why a program returned no result. `stderr` is the tail of its standard error, which may contain anything
 * that the program read: write it to the log, never return it to a caller.
 */
export class ProgramError extends Error {
  /** The command as it was started, such as `git`. */
  readonly program: string;
  readonly reason: ProgramFailure;
  readonly exitCode: number | null;
  /** The signal that ended the program, for the reason `killed`. */
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
  /** `ENOSPC` if the program failed because a disk or a quota is full, according to its standard error. */
  readonly code: 'ENOSPC' | undefined;

  constructor(
    program: string,
    reason: ProgramFailure,
    message: string,
    exitCode: number | null,
    stderr: string,
    cause?: unknown,
    signal: NodeJS.Signals | null = null,
  ) {
    super(message, { cause });
    this.name = 'ProgramError';
    this.program = program;
    this.reason = reason;
    this.exitCode = exitCode;
    this.signal = signal;
    this.stderr = stderr;
    this.code = reason === 'exit' && reportsFullDisk(stderr) ? 'ENOSPC' : undefined;
  }
}

/**
 * Signals that end a program from outside: sent by the kernel when memory is short, by an operator or by a service
 * manager. A program that crashes ends with a different signal.
 */
const signalsFromOutside = new Set<NodeJS.Signals | null>(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']);

/** Returns whether an error, or one of its causes, is that of a program that was killed from outside. */
export function wasKilled(error: unknown): boolean {
  if (error instanceof ProgramError) return error.reason === 'killed' && signalsFromOutside.has(error.signal);
  return error instanceof Error && error.cause !== error && wasKilled(error.cause);
}

const fullDisk = /no space left on device|disk quota exceeded/i;

/**
 * Returns whether a program's own output says that a local disk is full. Messages that git relays from its remote are
 * about another disk.
 */
const reportsFullDisk = (stderr: string) =>
  stderr.split('\n').some((line) => fullDisk.test(line) && !line.startsWith('remote:'));

export type Program = {
  stdin: Writable;
  /** Standard output. Read it once, to its end: stopping early stops the program, and reading slowly slows it down. */
  stdout: AsyncIterable<Buffer>;
  /**
   * Resolves when the program and its descendants have ended, with the tail of standard error and the exit code, or
   * rejects with a `ProgramError`.
   */
  finished: Promise<{ exitCode: number; stderr: string }>;
  stop(): void;
};

const stderrTailBytes = 16_384;
const patienceMs = 1_000;
/**
 * Starts an untrusted program with a clean environment and limits on time, output and memory, confined, if the machine
 * allows it, to the files and network that it needs. Its separate process group is killed as a whole on timeout, abort
 * or `stop`.
 */
export function startProgram(options: ProgramOptions): Program {
  const child = spawnBounded(options);
  let failure: ProgramFailure | null = null;
  let cause: unknown;
  let patience: NodeJS.Timeout | undefined;

  const end = (reason: ProgramFailure) => {
    if (failure || child.exitCode !== null || child.signalCode !== null) return;
    failure = reason;
    killGroup(child, 'SIGTERM');
    patience = setTimeout(() => killGroup(child, 'SIGKILL'), patienceMs);
  };
  const timeout = setTimeout(() => end('timeout'), options.timeoutMs);
  const onAbort = () => end('aborted');
  if (options.signal?.aborted) onAbort();
  options.signal?.addEventListener('abort', onAbort, { once: true });

  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-stderrTailBytes);
    options.onError?.(text);
  });
  // A program may end before it has read all its input: its exit code counts, not our broken pipe.
  child.stdin.on('error', () => {});
  // Processes that it left running would keep its pipes open.
  child.on('exit', () => killGroup(child, 'SIGKILL'));

  const finished = new Promise<{ exitCode: number; stderr: string }>((resolve, reject) => {
    child.on('error', (error) => {
      failure ??= 'not_started';
      cause = error;
      if (child.pid === undefined) finish(null);
    });
    child.on('close', (exitCode, signal) => finish(exitCode, signal));
    const finish = (exitCode: number | null, signal: NodeJS.Signals | null = null) => {
      clearTimeout(timeout);
      clearTimeout(patience);
      options.signal?.removeEventListener('abort', onAbort);
      if (!failure && exitCode !== null && (options.exitCodes ?? [0]).includes(exitCode)) {
        resolve({ exitCode, stderr });
        return;
      }
      const killer = signal ?? (options.confinement ? signalInside(exitCode) : null);
      const reason = failure ?? (killer === null ? 'exit' : 'killed');
      const code = killer === null ? exitCode : null;
      reject(new ProgramError(options.command, reason, describe(options, reason, code), code, stderr, cause, killer));
    };
  });
  finished.catch(() => {});

  return {
    stdin: child.stdin,
    stdout: boundedOutput(child, options.outputBytes ?? Number.POSITIVE_INFINITY, end),
    finished,
    stop: () => end('aborted'),
  };
}

/** Runs a program to its end and returns its standard output (at most `outputBytes`, by default 16 MiB). */
export async function runProgram(options: ProgramOptions & { input?: string | Uint8Array }) {
  const program = startProgram({ outputBytes: 16 * 1024 * 1024, ...options });
  program.stdin.end(options.input ?? '');
  const chunks: Buffer[] = [];
  for await (const chunk of program.stdout) chunks.push(chunk);
  return { ...(await program.finished), stdout: Buffer.concat(chunks) };
}

type BoundedChild = ChildProcess & { stdin: Writable; stdout: Readable; stderr: Readable };

function spawnBounded(options: ProgramOptions): BoundedChild {
  const limits = ['ulimit -c 0'];
  // If this process is killed, the kernel ends the child some time later.
  limits.push(`ulimit -t ${Math.ceil(options.timeoutMs / 1000) * 4 + 10}`);
  if (options.memoryBytes) limits.push(`ulimit -d ${Math.ceil(options.memoryBytes / 1024)}`);
  // In blocks of 512 bytes, as POSIX defines it (and bash when it runs as sh).
  if (options.fileBytes) limits.push(`ulimit -f ${Math.ceil(options.fileBytes / 512)}`);
  // The program runs even if the system refuses a limit because a lower hard limit is already set.
  const start = options.niceness === undefined ? 'exec' : `exec nice -n ${options.niceness}`;
  const script = `${limits.map((limit) => `${limit} 2>/dev/null`).join('; ')}; ${start} "$0" "$@"`;
  try {
    const { command, bridgePort } = confined(options, ['/bin/sh', '-c', script, options.command, ...options.arguments]);
    const child = spawn(command[0]!, command.slice(1), {
      cwd: options.directory,
      env: { PATH: programPath, HOME: options.home, TMPDIR: options.home, LANG: 'C.UTF-8', ...options.environment },
      stdio: ['pipe', 'pipe', 'pipe', ...(bridgePort === null ? [] : (['ipc'] as const))],
      detached: true,
    }) as BoundedChild;
    if (bridgePort !== null) bridgeToProxy(child, bridgePort);
    return child;
  } catch (error) {
    // Some failures (a directory that is a file, arguments that are too long) are thrown, others are emitted as an event.
    throw new ProgramError(options.command, 'not_started', describe(options, 'not_started', null), null, '', error);
  }
}

const confined = (options: ProgramOptions, command: string[]) =>
  options.confinement === null
    ? { command, bridgePort: null }
    : confine({
        command,
        program: options.command,
        directory: options.directory,
        home: options.home,
        confinement: options.confinement,
      });

async function* boundedOutput(
  child: BoundedChild,
  limit: number,
  end: (reason: ProgramFailure) => void,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > limit) return end('output_limit');
      yield chunk;
    }
  } finally {
    if (!child.stdout.readableEnded) end('aborted');
    child.stdout.destroy();
  }
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The process has already ended.
  }
}

function describe(options: ProgramOptions, reason: ProgramFailure, exitCode: number | null): string {
  const name = options.command.slice(options.command.lastIndexOf('/') + 1);
  if (reason === 'timeout') return `${name} took longer than ${Math.round(options.timeoutMs / 1000)} s.`;
  if (reason === 'output_limit') return `${name} wrote more than ${options.outputBytes} bytes.`;
  if (reason === 'aborted') return `${name} was stopped.`;
  if (reason === 'not_started' || exitCode === 127) return `${name} could not be started.`;
  if (reason === 'killed') return `${name} was killed.`;
  return `${name} ended with exit code ${exitCode}.`;
}
