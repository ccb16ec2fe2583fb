import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, closeSync, existsSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { errorCode } from '../../server/platform/errors.ts';
import { prepareCluster } from '../../server/platform/postgres/postgres-cluster.ts';
import { chooseServerUser, findPostgresProgram } from '../../server/platform/postgres/postgres-program.ts';
import type { MovableClock } from './faketime.ts';
import { freePort, Service } from './service.ts';

/**
 * Rows of merged imports stay on the disk until autovacuum removes them. When the database is killed every ten
 * seconds, autovacuum hardly runs, since each crash resets its statistics: 420 MB in twelve minutes.
 */
const diskBytes = 1_400 * 1024 * 1024;

/**
 * A separate PostgreSQL like an administrator's: restarted by a supervisor, and on a small disk if root can create
 * one.
 */
export type OwnPostgres = {
  service: Service;
  /** The address for the superuser. */
  adminUrl: string;
  /** The address for an ordinary role that owns the database. */
  databaseUrl: string;
  /** Stops it, and kills it if it has not ended within a minute. */
  stop(how: NodeJS.Signals): Promise<void>;
  /** Creates the database and its owner. */
  create(): Promise<void>;
  /** Fills the disk; null without a small disk. */
  disk: { fill(): void; free(): void } | null;
  remove(): Promise<void>;
};

/** Mounts a file system of a fixed size at `directory`. Returns false if that is not allowed. */
function mountSmallDisk(directory: string): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes},mode=0755`, 'assay-soak', directory]).status === 0;
}

function fill(file: string): void {
  const descriptor = openSync(file, 'w');
  try {
    for (const size of [1024 * 1024, 4096]) {
      const piece = Buffer.alloc(size);
      while (writeSync(descriptor, piece) === size);
    }
  } catch (error) {
    if (errorCode(error) !== 'ENOSPC') throw error;
    // Less than a megabyte is left: the next segments of the log don't fit.
  } finally {
    closeSync(descriptor);
  }
}

export async function createOwnPostgres(
  parent: string,
  clock: Pick<MovableClock, 'environment'>,
): Promise<OwnPostgres> {
  const directory = join(parent, 'database');
  mkdirSync(directory, { recursive: true });
  const isSmallDisk = mountSmallDisk(directory);
  const cluster = join(directory, 'postgres');
  const user = chooseServerUser(cluster);
  const program = await findPostgresProgram(user);
  const { adminPassword } = await prepareCluster(program, user, directory);
  const sockets = join(parent, 'sockets');
  mkdirSync(sockets);
  for (const path of [parent, directory]) chmodSync(path, 0o755);
  if (user) chownSync(sockets, user.uid, user.gid);
  const port = await freePort();
  const urlOf = (name: string, password: string, database: string) =>
    `postgresql://${name}:${password}@127.0.0.1:${port}/${database}`;
  const adminUrl = urlOf('assay_admin', adminPassword, 'postgres');
  const settings = { port, listen_addresses: '127.0.0.1', unix_socket_directories: sockets, max_wal_size: '96MB' };
  const service = new Service({
    name: 'PostgreSQL',
    command: program.postgres,
    args: ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    options: {
      cwd: '/',
      detached: true,
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', ...clock.environment },
      ...user,
    },
    isReady: () => runStatement(adminUrl, 'SELECT 1').then(() => true),
  });
  const stop = async (how: NodeJS.Signals) => {
    // A signal that arrives while libfaketime holds its lock makes the process wait for itself.
    await Promise.race([service.stop(how), delay(60_000, undefined, { ref: false })]);
    await service.kill({ all: true });
  };
  const filler = join(directory, 'filler');
  return {
    service,
    stop,
    adminUrl: urlOf('assay_admin', adminPassword, 'assay'),
    databaseUrl: urlOf('soak', 'soak', 'assay'),
    async create() {
      await service.start();
      await runStatement(adminUrl, `CREATE ROLE soak LOGIN CREATEROLE PASSWORD 'soak'`);
      await runStatement(adminUrl, 'CREATE DATABASE assay OWNER soak');
    },
    disk: isSmallDisk ? { fill: () => fill(filler), free: () => rmSync(filler, { force: true }) } : null,
    async remove() {
      await stop('SIGQUIT');
      if (isSmallDisk) spawnSync('umount', [directory]);
      if (existsSync(filler)) rmSync(filler);
    },
  };
}

async function runStatement(connectionString: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  await client.connect();
  await client.query(text).finally(() => client.end().catch(() => {}));
}
