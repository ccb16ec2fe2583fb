import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, renameSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { errorCode } from '../errors.ts';
import { describeFreeSpace } from './postgres-cluster.ts';

/** Returns whether the database accepts this login. Throws when it refuses the password. */
export async function canConnect(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch (error) {
    const code = errorCode(error);
    // Other errors (still recovering, no socket yet) are temporary.
    if (code === '28P01')
      throw new Error('The database refuses the passwords in postgres-credentials.json.', { cause: error });
    return false;
  }
}

export const hasEnded = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null || child.pid === undefined;

const textSince = (logFile: string, logStart: number): string =>
  existsSync(logFile) ? readFileSync(logFile).subarray(logStart).toString('utf8').trim() : '';

/** Returns the last line of the server's log since `logStart`; null when there is none. */
export const lastLine = (logFile: string, logStart: number): string | null =>
  textSince(logFile, logStart).split('\n').at(-1)?.slice(0, 500) || null;

const reportsFullDisk = (text: string | null) => /No space left on device/.test(text ?? '');

/** Returns why the database is unavailable, as a sentence that anyone may read: without paths and log lines. */
export const publicReason = (error: unknown): string =>
  /disk is full/.test((error as Error).message)
    ? 'The database stopped and cannot be restarted: its disk is full. The operator has to make room.'
    : 'The database stopped and cannot be restarted: the log of this service says why.';

/** Returns the end of the server's log as one sentence, and whether the disk is full. */
export function explainFailure(dataDirectory: string, logFile: string, logStart: number): string {
  const text = textSince(logFile, logStart);
  const lines = text.split('\n').filter((line) => /FATAL|PANIC|ERROR|HINT|could not|error while loading/.test(line));
  const said = lines.slice(-3).join(' ') || text.slice(-500) || 'it logged nothing';
  if (reportsFullDisk(text)) {
    const last = lastLine(logFile, logStart);
    return `the disk is full (${describeFreeSpace(dataDirectory)}). Free some space and start again; nothing was lost. The last line of its log, ${logFile}: ${last}`;
  }
  return `${said} (its log: ${logFile})`;
}

/**
 * Waits until a server that was just started accepts connections. Throws the error from `explain` if it exits first.
 */
export async function waitForServer(child: ChildProcess, url: string, explain: () => string): Promise<void> {
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  // Crash recovery reads at most max_wal_size, which takes seconds, or much longer on a slow disk.
  const end = performance.now() + 300_000;
  while (!(await canConnect(url))) {
    if (failure || hasEnded(child)) throw new Error(`PostgreSQL did not start: ${failure?.message ?? explain()}`);
    if (performance.now() > end)
      throw new Error(`PostgreSQL did not accept connections within 5 minutes: ${explain()}`);
    await delay(25);
  }
}

/** Limits the size of the server's log: keeps only the current and the previous file. */
export function rotateLog(file: string): void {
  if (existsSync(file) && statSync(file).size > 10 * 1024 * 1024) renameSync(file, `${file}.1`);
}

/** Shuts down fast. A server that does not end within 30 s is killed, and recovers at the next start. */
export async function stopServer(child: ChildProcess): Promise<void> {
  const exited = new Promise<void>((done) => child.once('exit', () => done()));
  const signals: [NodeJS.Signals, number][] = [
    ['SIGINT', 30_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ];
  for (const [signal, patienceMs] of signals) {
    if (hasEnded(child)) return;
    child.kill(signal);
    await Promise.race([exited, delay(patienceMs, undefined, { ref: false })]);
  }
}
