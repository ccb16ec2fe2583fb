import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Who holds a data directory: told to whoever wants it too. */
export type Holder = { pid: number; since: string; what: string; address: string | null };

/** A running Assay holds the data directory. The message says which one. */
export class DirectoryInUse extends Error {
  readonly holder: Holder | null;

  constructor(directory: string, holder: Holder | null) {
    const address = holder?.address ? `, at ${holder.address}` : '';
    const who = holder ? ` (${holder.what}, pid ${holder.pid}, since ${holder.since}${address})` : '';
    super(
      `Assay is already running on the data directory ${directory}${who}. ` +
        'Stop that one first, or give this one a directory of its own in ASSAY_DATA_DIR.',
    );
    this.name = 'DirectoryInUse';
    this.holder = holder;
  }
}

export type DirectoryLock = {
  /** Tells those who come later where this one answers. */
  setAddress(address: string): void;
  release(): void;
};

const holderFile = (directory: string) => join(directory, 'running.json');

/** Who holds the directory according to its note; the note alone is no proof that they still live. */
function findHolder(directory: string): Holder | null {
  try {
    return JSON.parse(readFileSync(holderFile(directory), 'utf8')) as Holder;
  } catch {
    return null;
  }
}

/**
 * Locks a file for this process, until the result is closed; null when another process has it. The kernel drops the lock with
 * the process. Makes the file when it is missing.
 */
export function openExclusively(file: string): DatabaseSync | null {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file);
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database?.close();
    if ((error as { errcode?: number }).errcode === 5) return null;
    throw error;
  }
}

/**
 * Takes the data directory for this process alone. Throws DirectoryInUse.
 * The kernel holds the lock (SQLite's file lock) and drops it with the process, however that ends:
 * so there is no stale lock to judge, and neither a reused pid nor two starts at once can fool it.
 */
export function lockDirectory(directory: string, what: string): DirectoryLock {
  const lock = openExclusively(join(directory, 'running.lock'));
  if (lock === null) throw new DirectoryInUse(directory, findHolder(directory));
  const holder: Holder = { pid: process.pid, since: new Date().toISOString(), what, address: null };
  const write = () => writeFileSync(holderFile(directory), JSON.stringify(holder), { mode: 0o600 });
  write();
  return {
    setAddress(address) {
      holder.address = address;
      write();
    },
    release() {
      rmSync(holderFile(directory), { force: true });
      lock.close();
    },
  };
}
