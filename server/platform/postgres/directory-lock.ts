import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openExclusively } from '@assay/scanner/platform/exclusive-lock.ts';

/** The owner of a data directory's lock, as reported to other processes that try to lock it. */
export type Holder = { pid: number; since: string; what: string; address: string | null };

/** A running Assay has locked the data directory. The message says which. */
export class DirectoryInUse extends Error {
  readonly holder: Holder | null;

  constructor(directory: string, holder: Holder | null) {
    const address = holder?.address ? `, at ${holder.address}` : '';
    const who = holder ? ` (${holder.what}, pid ${holder.pid}, since ${holder.since}${address})` : '';
    super(
      `Assay is already running on the data directory ${directory}${who}. ` +
        'Stop it first, or set another directory in ASSAY_DATA_DIR.',
    );
    this.name = 'DirectoryInUse';
    this.holder = holder;
  }
}

export type DirectoryLock = {
  /** Records the address of this process, for later starts on the same directory. */
  setAddress(address: string): void;
  release(): void;
};

const holderFile = (directory: string) => join(directory, 'running.json');

/** Reads the note with the owner of the lock. It does not prove that the owner is still alive. */
function findHolder(directory: string): Holder | null {
  try {
    return JSON.parse(readFileSync(holderFile(directory), 'utf8')) as Holder;
  } catch {
    return null;
  }
}

/**
 * Locks the data directory exclusively. Throws DirectoryInUse. The kernel manages the lock (SQLite's file lock) and
 * releases it when the process ends in any way. So there are no stale locks, and neither reused pids nor simultaneous
 * starts cause errors.
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
