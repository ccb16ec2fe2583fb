import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { chooseServerUser, type ServerUser } from '../../server/platform/postgres/postgres-program.ts';
import { eventually } from './installation.ts';

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

  constructor() {
    const { directory, user } = makeServiceDirectory('assay-stock-');
    this.directory = directory;
    this.user = user;
    const options = ['-D', this.#data, '--username=postgres', '--auth=trust', '--no-sync'];
    execFileSync(join(this.#programs, 'initdb'), options, { ...this.#as, stdio: ['ignore', 'ignore', 'pipe'] });
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

  async start(): Promise<void> {
    const options = ['-D', this.#data, '-k', this.directory, '-c', 'listen_addresses='];
    this.#child = spawn(join(this.#programs, 'postgres'), options, {
      ...this.#as,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const child = this.#child;
    // Stops the server even if a test fails before it does.
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

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}
