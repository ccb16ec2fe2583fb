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
import { canConnect, explainFailure, hasEnded, rotateLog, stopServer, waitForServer } from './postgres-server.ts';

export { DirectoryInUse } from './directory-lock.ts';

export type EmbeddedPostgresOptions = {
  /** ASSAY_DATA_DIR; the cluster lies in its folder `postgres`. */
  directory: string;
  log: Log;
  /** What holds the directory, for whoever finds it taken: "assay start". */
  what?: string;
  /** Overrides of the server's settings; tests switch durability off. */
  settings?: Record<string, string>;
};

export type EmbeddedPostgres = {
  /** As the superuser that owns the tables: for migrations only. */
  adminUrl: string;
  /** As the role assay_app, which neither owns tables nor passes row-level security. */
  appUrl: string;
  /** Pid of the running server; null in the moments when it is being brought back. */
  readonly pid: number | null;
  /** Tells those who try to start a second one where this one answers. */
  setAddress(address: string): void;
  /** A fast shutdown: connections are ended, everything is on disk afterwards. Gives the directory back. */
  stop(): Promise<void>;
};

const databaseName = 'assay';

function urlOf(directory: string, user: string, password: string, database = databaseName): string {
  const host = encodeURIComponent(socketDirectory(join(directory, 'postgres')));
  return `postgresql://${user}:${password}@localhost/${database}?host=${host}`;
}

const urlsOf = (directory: string, credentials: Credentials) => ({
  adminUrl: urlOf(directory, 'assay_admin', credentials.adminPassword),
  appUrl: urlOf(directory, 'assay_app', credentials.appPassword),
});

/** Makes the database and the role of the running service. Both stay as they are when they exist. */
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
 * Starts the PostgreSQL that comes with Assay on a data directory, making both when missing, and keeps it running: a server
 * that dies is started again. What was acknowledged is there after any kill. Throws DirectoryInUse when another
 * Assay runs on the directory, and otherwise an Error whose message says what to do.
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
  let restarting: Promise<void> | undefined;

  async function startOnce(): Promise<Credentials> {
    if (existsSync(directory)) {
      const orphans = await stopOrphans(directory);
      if (orphans > 0) log.warn({ processes: orphans }, 'stopped the PostgreSQL that a killed Assay had left running');
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
      if (!stopping) restarting = restart();
    };
    if (hasEnded(started)) onExit();
    else started.once('exit', onExit);
    return credentials;
  }

  async function restart(): Promise<void> {
    for (let waitMs = 100; !stopping; waitMs = Math.min(waitMs * 2, 5_000)) {
      log.error('PostgreSQL ended unexpectedly; starting it again');
      try {
        await startOnce();
        log.info('PostgreSQL is back');
        return;
      } catch (error) {
        log.error({ err: error }, 'PostgreSQL could not be started again; trying once more');
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
    setAddress: lock.setAddress,
    async stop() {
      stopping = true;
      if (child) await stopServer(child);
      // One that was just being brought back when the stop came.
      await restarting;
      if (child) await stopServer(child);
      const sockets = socketDirectory(directory);
      if (sockets !== directory) rmSync(sockets, { recursive: true, force: true });
      lock.release();
    },
  };
}

/**
 * For a command beside the server: the running one's database when an Assay holds the directory (its `stop` then does
 * nothing), else one started for as long as the command takes.
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
