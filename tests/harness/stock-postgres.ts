import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { chooseServerUser, type ServerUser } from '../../server/platform/postgres/postgres-program.ts';
import { eventually } from './installation.ts';
import { isAlive, processTree, signal } from './processes.ts';

const versions = '/usr/lib/postgresql';

/** The folder of Debian's newest PostgreSQL. */
function findPrograms(): string {
  const found = existsSync(versions)
    ? readdirSync(versions).filter((v) => existsSync(join(versions, v, 'bin', 'initdb')))
    : [];
  const newest = found.sort((a, b) => Number(a) - Number(b)).at(-1);
  if (newest) return join(versions, newest, 'bin');
  throw new Error('Debian’s package postgresql is missing: run "node scripts/prepare.mjs --test".');
}

/** Creates a folder for a program that does not run as root. */
export function makeServiceDirectory(prefix: string): { directory: string; user: ServerUser } {
  const directory = mkdtempSync(join(tmpdir(), prefix));
  const user = chooseServerUser(directory);
  if (user) chownSync(directory, user.uid, user.gid);
  return { directory, user };
}

/** Debian's PostgreSQL with default settings, on its own socket and data directory. */
export class StockPostgres {
  readonly #programs = findPrograms();
  /** The folder of its socket. */
  readonly directory: string;
  readonly user: ServerUser;
  /** Opens a connection as the superuser. */
  admin!: pg.Client;
  #child!: ChildProcess;

  /** Creates an empty server or a streaming replica of a running primary. */
  constructor(primary?: StockPostgres) {
    const { directory, user } = makeServiceDirectory('assay-stock-');
    this.directory = directory;
    this.user = user;
    const options = ['-D', this.#data, '--username=postgres', '--no-sync'];
    if (primary) this.#make('pg_basebackup', [...options, '-h', primary.directory, '-c', 'fast', '-R']);
    else this.#make('initdb', [...options, '--auth=trust']);
  }

  #make(program: string, options: string[]): void {
    execFileSync(join(this.#programs, program), options, { ...this.#as, stdio: ['ignore', 'ignore', 'pipe'] });
  }

  get #data() {
    return join(this.directory, 'data');
  }

  get #as() {
    return { cwd: this.directory, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' }, ...this.user };
  }

  /** Returns the address of a database for the superuser or another login. */
  url(database: string, login = 'postgres'): string {
    return `postgresql://${login}@localhost/${database}?host=${encodeURIComponent(this.directory)}`;
  }

  async start(settings: Record<string, string> = {}): Promise<void> {
    const set = Object.entries({ listen_addresses: '', ...settings }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    const options = ['-D', this.#data, '-k', this.directory, ...set];
    this.#child = spawn(join(this.#programs, 'postgres'), options, {
      ...this.#as,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const child = this.#child;
    // Stops the server even if a test fails earlier.
    process.once('exit', () => child.kill('SIGQUIT'));
    let errors = '';
    this.#child.stderr!.on('data', (chunk) => {
      errors += chunk;
    });
    this.admin = await eventually(async () => {
      if (this.#child.exitCode !== null) throw new Error(errors);
      const client = new pg.Client({ connectionString: this.url('postgres') });
      client.on('error', () => {});
      await client.connect();
      return client;
    });
  }

  /** Stops the server and keeps its data. */
  async stop(): Promise<void> {
    const ended = new Promise<void>((resolve) => this.#child.once('exit', () => resolve()));
    await this.admin.end();
    if (this.#child.exitCode === null) this.#child.kill('SIGINT');
    else return;
    await ended;
  }

  /** Sends a signal to all processes of the server. */
  signal(name: NodeJS.Signals): void {
    for (const pid of processTree(this.#child.pid!)) signal(pid, name);
  }

  /** Kills all processes of the server and keeps its data. */
  async kill(): Promise<void> {
    const pids = processTree(this.#child.pid!);
    for (const pid of pids) signal(pid, 'SIGKILL');
    await eventually(async () => pids.every((pid) => !isAlive(pid)));
    await this.admin.end().catch(() => {});
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}
