import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import { eventually } from '../harness/installation.ts';
import { isAlive, processTree, signal } from '../harness/processes.ts';

export type ServiceOptions = {
  name: string;
  command: string;
  args: string[];
  options?: SpawnOptions;
  /** Returns whether the service works, given its output so far in this run. An error means not yet. */
  isReady(output: string): Promise<boolean> | boolean;
  startsWithinMs?: number;
};

const keptOutput = 20_000;
const maxErrors = 100;

/** A process that the soak starts, kills and restarts, like a supervisor of the operating system. */
export class Service {
  readonly name: string;
  #options: ServiceOptions;
  #child: ChildProcess | null = null;
  #ended: Promise<number | null> = Promise.resolve(null);
  /** The end of both of its outputs, across all of its runs. */
  output = '';
  #outputOfRun = '';
  /** The lines that it logged as errors. */
  readonly errors: string[] = [];

  constructor(options: ServiceOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** Starts it with other arguments from now on. */
  replaceArguments(args: string[]): void {
    this.#options = { ...this.#options, args };
  }

  get isRunning(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Returns whether it runs or how it ended, with the end of its output, for the message of a failed test. */
  describe(): string {
    const { exitCode, signalCode } = this.#child ?? {};
    const state = this.isRunning ? 'is running' : `ended (${signalCode ?? exitCode ?? 'never started'})`;
    return `${this.name} ${state}: ${this.output.slice(-2_000).trim()}`;
  }

  get pid(): number {
    return this.#child!.pid!;
  }

  /** Returns its processes: itself first, then its descendants. */
  processes(): number[] {
    return this.isRunning ? processTree(this.pid) : [];
  }

  /** Starts it unless it runs, without waiting until it is ready. */
  launch(): void {
    if (this.isRunning) return;
    const { command, args, options } = this.#options;
    this.#outputOfRun = '';
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.output = (this.output + chunk).slice(-keptOutput);
        const errors = chunk
          .toString()
          .split('\n')
          .filter((line) => line.includes('"level":"error"'));
        this.errors.push(...errors.slice(0, maxErrors - this.errors.length));
        if (this.#outputOfRun.length < keptOutput) this.#outputOfRun += chunk;
      });
    }
    this.#ended = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
    this.#child = child;
  }

  /** Starts it unless it runs, repeatedly if needed, and waits until it is ready. */
  async start(): Promise<void> {
    const { isReady, startsWithinMs = 600_000 } = this.#options;
    await eventually(async () => {
      this.launch();
      return (await isReady(this.#outputOfRun)) && this.isRunning;
    }, startsWithinMs).catch((error) => {
      throw new Error(`${this.name} did not start: ${error.message}\n${this.output.slice(-3_000)}`);
    });
  }

  /** Kills the process, with `all` its descendants too, and waits until they have ended. */
  async kill({ all = false } = {}): Promise<void> {
    const pids = all ? this.processes() : this.isRunning ? [this.pid] : [];
    for (const pid of pids) signal(pid, 'SIGKILL');
    await this.#ended;
    await eventually(async () => pids.every((pid) => !isAlive(pid)));
  }

  /** Stops it and returns its exit code. */
  stop(how: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.isRunning) signal(this.pid, how);
    return this.#ended;
  }
}

/** Returns an unused port of the loopback interface. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Returns whether an API accepts requests. */
export const isApiReady = async (origin: string): Promise<boolean> =>
  (await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(5_000) })).status === 200;
