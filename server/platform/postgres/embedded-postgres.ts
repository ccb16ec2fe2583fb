import type { ChildProcess } from 'node:child_process';
import { existsSync, rmSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../log.ts';
import { DirectoryInUse, type DirectoryLock, lockDirectory } from './directory-lock.ts';
import { type Credentials, findCredentials, prepareCluster, prepareDataDirectory } from './postgres-cluster.ts';
import { serverSettings, socketDirectory, spawnServer, stopOrphans } from './postgres-process.ts';
import { chooseServerUser, findPostgresProgram } from './postgres-program.ts';
import {
  canConnect,
  explainFailure,
  hasEnded,
  lastLine,
  publicReason,
  rotateLog,
  stopServer,
  waitForServer,
} from './postgres-server.ts';

export { DirectoryInUse } from './directory-lock.ts';

export type EmbeddedPostgresOptions = {
  /** ASSAY_DATA_DIR. The cluster is in its folder `postgres`. */
  directory: string;
  log: Log;
  /** The name of this process, for others that find the directory in use: "assay start". */
  what?: string;
  /** Overrides of the server's settings; tests turn durability off. */
  settings?: Record<string, string>;
};

export type EmbeddedPostgres = {
  /** The URL for the superuser that owns the tables: for migrations only. */
  adminUrl: string;
  /** The URL for the role assay_app, which neither owns tables nor bypasses row-level security. */
  appUrl: string;
  /** The pid of the running server; null while it is being restarted. */
  readonly pid: number | null;
  /**
   * The reason why the database does not restart, as a sentence that anyone may read; null while it runs or is being
   * started.
   */
  readonly trouble: string | null;
  /** Records the address of this process, for others that try to start on the same directory. */
  setAddress(address: string): void;
  /** Shuts down fast: closes connections, writes everything to disk, and unlocks the directory. */
  stop(): Promise<void>;
};

const databaseName = 'assay';
const repeatAfterMs = 60_000;

function urlOf(directory: string, user: string, password: string, database = databaseName): string {
  const host = encodeURIComponent(socketDirectory(join(directory, 'postgres')));
  return `postgresql://${user}:${password}@localhost/${database}?host=${host}`;
}

const urlsOf = (directory: string, credentials: Credentials) => ({
  adminUrl: urlOf(directory, 'assay_admin', credentials.adminPassword),
  appUrl: urlOf(directory, 'assay_app', credentials.appPassword),
});

/** Returns the addresses of the database in a data directory, running or not; null when there is none. */
export function findEmbeddedUrls(dataDirectory: string): ReturnType<typeof urlsOf> | null {
  const credentials = findCredentials(resolve(dataDirectory));
  return credentials && urlsOf(resolve(dataDirectory), credentials);
}

/** Creates the database and the role of the service, unless they exist. */
async function ensureDatabase(url: string, credentials: Credentials): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ role: boolean; database: boolean }>(
      `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = 'assay_app' AND rolcanlogin) AS role,
              EXISTS (SELECT FROM pg_database WHERE datname = '${databaseName}') AS database`,
    );
    if (!rows[0]?.role) {
      await client.query(`CREATE ROLE assay_app LOGIN PASSWORD ${client.escapeLiteral(credentials.appPassword)}`);
    }
    if (!rows[0]?.database) await client.query(`CREATE DATABASE ${databaseName}`);
  } finally {
    await client.end();
  }
}

/**
 * Starts Assay's own PostgreSQL on a data directory, creates the directory and the cluster if they are missing, and
 * restarts a server that dies. Acknowledged data survives any kill. Throws DirectoryInUse when another Assay runs on
 * the directory, otherwise an Error whose message says what to do.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDirectory = resolve(options.directory);
  await prepareDataDirectory(dataDirectory);
  const lock = lockDirectory(dataDirectory, options.what ?? 'assay');
  try {
    return await startLocked(dataDirectory, options, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function startLocked(
  dataDirectory: string,
  { log, settings }: EmbeddedPostgresOptions,
  lock: DirectoryLock,
): Promise<EmbeddedPostgres> {
  const directory = join(dataDirectory, 'postgres');
  const logFile = join(dataDirectory, 'postgres.log');
  const user = chooseServerUser(directory);
  const program = await findPostgresProgram(user);
  let child: ChildProcess | undefined;
  let stopping = false;
  let trouble: string | null = null;
  let restarting: Promise<void> | undefined;

  async function startOnce(): Promise<Credentials> {
    if (existsSync(directory)) {
      const orphans = await stopOrphans(directory);
      if (orphans > 0)
        log.warn({ processes: orphans }, 'stopped a PostgreSQL left running by an Assay that was killed');
    }
    const credentials = await prepareCluster(program, user, dataDirectory);
    rotateLog(logFile);
    const logStart = existsSync(logFile) ? statSync(logFile).size : 0;
    const started = spawnServer({
      program,
      user,
      directory,
      logFile,
      settings: { ...serverSettings(totalmem()), ...settings },
    });
    child = started;
    const url = urlOf(dataDirectory, 'assay_admin', credentials.adminPassword, 'postgres');
    try {
      await waitForServer(started, url, () => explainFailure(dataDirectory, logFile, logStart));
      await ensureDatabase(url, credentials);
    } catch (error) {
      await stopServer(started);
      throw error;
    }
    const onExit = () => {
      if (stopping) return;
      const { exitCode, signalCode } = started;
      const facts = { code: exitCode, signal: signalCode, lastLine: lastLine(logFile, logStart), logFile };
      log.error(facts, 'PostgreSQL ended unexpectedly; starting it again');
      restarting = restart();
    };
    if (hasEnded(started)) onExit();
    else started.once('exit', onExit);
    return credentials;
  }

  async function restart(): Promise<void> {
    let said = { message: '', at: 0 };
    for (let waitMs = 100; !stopping; waitMs = Math.min(waitMs * 2, 5_000)) {
      try {
        await startOnce();
        trouble = null;
        log.info('PostgreSQL is back');
        return;
      } catch (error) {
        const { message } = error as Error;
        trouble = publicReason(error);
        // Once a minute for each reason: a restart is tried every few seconds.
        if (said.message !== trouble || performance.now() - said.at > repeatAfterMs) {
          log.error({ reason: message }, 'PostgreSQL could not be restarted; trying until it starts');
          said = { message: trouble, at: performance.now() };
        }
        await delay(waitMs);
      }
    }
  }

  const credentials = await startOnce();
  return {
    ...urlsOf(dataDirectory, credentials),
    get pid() {
      return child && !hasEnded(child) ? (child.pid ?? null) : null;
    },
    get trouble() {
      return trouble;
    },
    setAddress: lock.setAddress,
    async stop() {
      stopping = true;
      if (child) await stopServer(child);
      // The server that was being restarted when `stop` was called.
      await restarting;
      if (child) await stopServer(child);
      const sockets = socketDirectory(directory);
      if (sockets !== directory) rmSync(sockets, { recursive: true, force: true });
      lock.release();
    },
  };
}

/**
 * Opens the database for a command: that of a running Assay that has locked the directory (`stop` then does nothing),
 * otherwise one that is started for the duration of the command.
 */
export async function openEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<Pick<EmbeddedPostgres, 'adminUrl' | 'appUrl' | 'stop'>> {
  try {
    return await startEmbeddedPostgres(options);
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error;
    const dataDirectory = resolve(options.directory);
    const end = performance.now() + 10_000;
    for (;;) {
      const credentials = findCredentials(dataDirectory);
      if (credentials && (await canConnect(urlsOf(dataDirectory, credentials).appUrl))) {
        return { ...urlsOf(dataDirectory, credentials), stop: async () => {} };
      }
      if (performance.now() > end) throw error;
      await delay(50);
    }
  }
}
