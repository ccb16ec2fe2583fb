import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { toolFolders } from '../../server/detection/external/tool-settings.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { type ApiResponse, exchange, type Sent } from './exchange.ts';
import { processTree, signal } from './processes.ts';

const program = fileURLToPath(new URL('../../server/assay.mjs', import.meta.url));
const toolVersions = fileURLToPath(new URL('../../node_modules/.cache/tool-versions', import.meta.url));

/**
 * Shares the versions of this machine's scanners among the installations of all tests: reading each version takes a
 * worker a second of processor time.
 */
function shareToolVersions(dataDirectory: string): void {
  const { versions } = toolFolders(dataDirectory);
  if (existsSync(dirname(versions))) return;
  mkdirSync(toolVersions, { recursive: true });
  mkdirSync(dirname(versions), { recursive: true, mode: 0o700 });
  symlinkSync(toolVersions, versions);
}
// On a busy machine everything takes ten times as long. Long limits cost a fast machine nothing.
const readyWithinMs = 240_000;
const endedWithinMs = 240_000;

/** Waits until `look` returns a value. An error counts as no value until the time is up. */
export async function eventually<T>(look: () => Promise<T | undefined | false | null>, withinMs = 120_000): Promise<T> {
  const end = Date.now() + withinMs;
  for (let last: unknown; ; ) {
    try {
      const found = await look();
      if (found !== undefined && found !== false && found !== null) return found;
      last = new Error('It did not come about in time.');
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw last;
    await delay(50);
  }
}

export type Ended = { code: number | null; signal: NodeJS.Signals | null };

/** A run of `assay start` (or another command) like from a shell, in its own process group. */
export class Run {
  output = '';
  errors = '';
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  #isEndedByTest = false;

  constructor(directory: string, environment: Record<string, string>, command = 'start') {
    shareToolVersions(environment.ASSAY_DATA_DIR ?? join(directory, 'data'));
    this.child = spawn(process.execPath, [program, command], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        HOME: directory,
        ASSAY_DATA_DIR: join(directory, 'data'),
        PORT: '0',
        LOG_LEVEL: 'warn',
        ASSAY_RATE_LIMIT: '100000',
        ASSAY_RATE_BURST: '200000',
        ASSAY_PROCESSOR_BUDGET: '0',
        ASSAY_ORGANIZATION_PROCESSOR_BUDGET: '0',
        ...environment,
      },
    });
    this.child.stdout!.on('data', (chunk) => {
      this.output += chunk;
    });
    this.child.stderr!.on('data', (chunk) => {
      this.errors += chunk;
    });
    this.ended = new Promise((resolve) => this.child.once('exit', (code, signal) => resolve({ code, signal })));
    void this.ended.then(({ code, signal }) => {
      // Without this, a crash would only show as refused connections in later tests.
      if (this.output.includes('ready at') && !this.#isEndedByTest)
        console.error(`assay ${command} ended (${code ?? signal}):\n${this.errors}`);
    });
  }

  /** Returns its address as soon as it is printed. */
  async ready(): Promise<string> {
    const address = eventually(async () => /ready at (http:\S+)[\s\S]*docs/.exec(this.output)?.[1], readyWithinMs);
    const ended = this.ended.then(({ code, signal }) => {
      throw new Error(`assay start ended (${code ?? signal}):\n${this.output}\n${this.errors}`);
    });
    return Promise.race([address, ended]);
  }

  /** Returns the processes of this group: the API, the worker, PostgreSQL and its children. */
  processes(): number[] {
    return processTree(this.child.pid!);
  }

  /** Kills all its processes at once. */
  kill(): void {
    this.#isEndedByTest = true;
    for (const pid of this.processes()) signal(pid, 'SIGKILL');
  }

  async stop(): Promise<Ended> {
    this.#isEndedByTest = true;
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGTERM');
    return this.ended;
  }
}

/** A directory in which Assay is started, killed and restarted. */
export class Installation {
  readonly directory = mkdtempSync(join(tmpdir(), 'assay-installation-'));
  readonly environment: Record<string, string>;
  readonly #agent = new Agent({ keepAlive: false });
  run!: Run;
  origin = '';
  token = '';

  constructor(environment: Record<string, string> = {}) {
    this.environment = { ...environment };
  }

  async start(): Promise<Run> {
    this.run = new Run(this.directory, this.environment);
    this.origin = await this.run.ready();
    this.token = /asy_[0-9A-Za-z]{40}/.exec(this.run.output)?.[0] ?? this.token;
    return this.run;
  }

  /** Runs `assay` with these arguments beside the server, and returns its output. Throws when it fails. */
  command(...args: string[]): string {
    const env = {
      PATH: process.env.PATH,
      HOME: this.directory,
      ASSAY_DATA_DIR: join(this.directory, 'data'),
      ...this.environment,
    };
    return execFileSync(process.execPath, [program, ...args], { encoding: 'utf8', env });
  }

  call(method: string, path: string, sent: Sent = {}): Promise<ApiResponse> {
    const headers = { authorization: `Bearer ${this.token}`, ...sent.headers };
    return exchange(this.origin, this.#agent, method, `/api/v1${path}`, { ...sent, headers });
  }

  /** Returns the body of a response that must be a success. */
  async ask(method: string, path: string, json?: object): Promise<ApiResponse['body']> {
    const response = await this.call(method, path, json === undefined ? {} : { json });
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
    return response.body;
  }

  /** Starts a scan and waits for its end. */
  async scan(query = '', source = 'secrets'): Promise<ApiResponse['body']> {
    const { id } = await this.ask('POST', `/detection-sources/${source}/scan${query}`);
    return this.ended(id);
  }

  ended(scanId: string): Promise<ApiResponse['body']> {
    return eventually(async () => {
      const scan = await this.ask('GET', `/scans/${scanId}`);
      return scan.completed_at !== null && scan;
    }, endedWithinMs);
  }

  async remove(): Promise<void> {
    await this.run?.stop();
    this.#agent.destroy();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/**
 * An installation whose database is in the tests' PostgreSQL, for tests of everything else. Its first start takes 6 s
 * of processor time instead of 9: no cluster is created, and the migrations have been applied.
 */
export class HostedInstallation extends Installation {
  database!: TestDatabase;

  override async start(): Promise<Run> {
    if (!this.environment.DATABASE_URL) {
      this.database = await createTestDatabase();
      this.environment.DATABASE_URL = this.database.adminUrl;
      this.environment.ASSAY_SECRET_KEY = 'k'.repeat(40);
    }
    return super.start();
  }

  override async remove(): Promise<void> {
    await super.remove();
    await this.database?.drop();
  }
}
