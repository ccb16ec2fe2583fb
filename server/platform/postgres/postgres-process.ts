import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../errors.ts';
import type { PostgresProgram, ServerUser } from './postgres-program.ts';

/**
 * Returns the data directory as passed to the server. When started by root, the server runs as another user, who may
 * not be able to traverse the folders above the data (root's home). Linux grants access through the working
 * directory, which is set before the user changes.
 */
export const asSeenByServer = (directory: string, user: ServerUser) =>
  user && process.platform === 'linux' ? '/proc/self/cwd' : directory;

/** The server inherits nothing from our environment: no secrets, no locale. */
export const serverEnvironment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Returns a name in the titles of all processes of this directory's server, by which orphans are recognised. */
export function clusterName(directory: string): string {
  return `assay-${createHash('sha256').update(realpathSync(directory)).digest('hex').slice(0, 12)}`;
}

/** The maximum length of a socket's path on all systems, without the name of the socket itself. */
const maxSocketDirectoryLength = 85;

/**
 * Returns the directory of the server's socket: inside the data directory, where nobody else has access, or under
 * /tmp when that path is too long.
 */
export function socketDirectory(directory: string): string {
  return directory.length <= maxSocketDirectoryLength ? directory : join('/tmp', clusterName(directory));
}

const megabyte = 1024 * 1024;

/** Settings for a small installation. They are durable: fsync and synchronous_commit stay on, except in tests. */
export function serverSettings(totalMemoryBytes: number): Record<string, string> {
  const memory = totalMemoryBytes / megabyte;
  return {
    listen_addresses: '',
    unix_socket_permissions: '0700',
    max_connections: '100',
    // Only used pages cost memory, so an idle server stays small with either value.
    shared_buffers: memory >= 4096 ? '256MB' : '128MB',
    effective_cache_size: `${Math.max(256, Math.round(memory / 2))}MB`,
    work_mem: '8MB',
    maintenance_work_mem: '128MB',
    random_page_cost: '1.1',
    // The queries are short: compiling or parallelising one costs more than it saves.
    jit: 'off',
    max_parallel_workers_per_gather: '0',
    io_workers: '2',
    // The embedded server has no replicas and no streaming backups, so its log contains only what recovery needs.
    wal_level: 'minimal',
    max_wal_senders: '0',
    // Saves the process that starts replication workers.
    max_logical_replication_workers: '0',
    max_wal_size: '1GB',
    checkpoint_timeout: '15min',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'warning',
    log_checkpoints: 'off',
    // Statements contain customer data: they are never written to the server's log.
    log_min_error_statement: 'panic',
  };
}

/** Returns the running processes of this directory's server, including children, of any user. */
export function listServerProcesses(directory: string): number[] {
  const name = clusterName(directory);
  const { uid } = statSync(directory);
  if (process.platform !== 'linux') return readPidFile(directory).filter(isAlive);
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => {
      try {
        if (statSync(`/proc/${pid}`).uid !== uid) return false;
        const title = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return title.includes(`cluster_name=${name} `) || title.startsWith(`postgres: ${name}: `);
      } catch {
        return false;
      }
    })
    .map(Number);
}

function readPidFile(directory: string): number[] {
  const file = join(directory, 'postmaster.pid');
  return existsSync(file) ? [Number.parseInt(readFileSync(file, 'utf8'), 10)].filter((pid) => pid > 1) : [];
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

async function waitUntil(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  while (!condition()) {
    if (performance.now() > end) return false;
    await delay(20);
  }
  return true;
}

/**
 * Stops the server that a killed Assay left running on the directory. Only call it with the directory locked. It
 * starts with a fast shutdown; children without a parent end by themselves; after 30 s, it kills the remaining
 * processes.
 */
export async function stopOrphans(directory: string): Promise<number> {
  const orphans = listServerProcesses(directory);
  if (orphans.length === 0) return 0;
  const isGone = () => listServerProcesses(directory).length === 0;
  const signalAll = (pids: number[], signal: NodeJS.Signals) => {
    for (const pid of pids) {
      try {
        process.kill(pid, signal);
      } catch {
        // The process has ended meanwhile.
      }
    }
  };
  const parent = readPidFile(directory).filter((pid) => orphans.includes(pid));
  signalAll(parent, 'SIGINT');
  if (await waitUntil(isGone, parent.length > 0 ? 30_000 : 5_000)) return orphans.length;
  signalAll(listServerProcesses(directory), 'SIGQUIT');
  if (await waitUntil(isGone, 5_000)) return orphans.length;
  signalAll(listServerProcesses(directory), 'SIGKILL');
  await waitUntil(isGone, 5_000);
  return orphans.length;
}

export type ServerOptions = {
  program: PostgresProgram;
  user: ServerUser;
  directory: string;
  logFile: string;
  settings: Record<string, string>;
};

/** Starts the server in a separate session, so that Ctrl-C in a terminal reaches us but not the server. */
export function spawnServer(options: ServerOptions): ChildProcess {
  const sockets = socketDirectory(options.directory);
  const settings = {
    ...options.settings,
    cluster_name: clusterName(options.directory),
    unix_socket_directories: sockets === options.directory ? asSeenByServer(sockets, options.user) : sockets,
  };
  const log = openSync(options.logFile, 'a', 0o600);
  try {
    return spawn(
      options.program.postgres,
      [
        '-D',
        asSeenByServer(options.directory, options.user),
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      { cwd: options.directory, env: serverEnvironment, stdio: ['ignore', log, log], detached: true, ...options.user },
    );
  } finally {
    closeSync(log);
  }
}
