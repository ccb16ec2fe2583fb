import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCode } from './error-code.ts';
import { openExclusively } from './exclusive-lock.ts';

export type TemporaryDirectory = {
  /** Empty at first, and for this user alone. */
  path: string;
  /** Removes it with everything in it. */
  remove(): Promise<void>;
};

/** The part of a log that takes warnings. */
type WarningLog = { warn(facts: object, message: string): void };

const prefix = 'assay-work-';
const lockOf = (directory: string) => join(directory, 'lock');

/** Makes a directory with a lock in it; null when a sweep treated the new one as abandoned. */
function makeLockedDirectory(parent: string) {
  const directory = mkdtempSync(join(parent, prefix));
  try {
    const lock = openExclusively(lockOf(directory));
    if (lock && existsSync(lockOf(directory))) return { directory, lock };
    lock?.close();
  } catch (error) {
    if (existsSync(directory)) {
      rmSync(directory, { recursive: true, force: true });
      throw error;
    }
  }
  return null;
}

/**
 * Makes a directory for files that this process needs for a while. As long as it lives the kernel holds the lock that is beside
 * them; `removeAbandonedDirectories` of a later process removes what it leaves behind when it is killed.
 */
export async function makeTemporaryDirectory(parent = tmpdir()): Promise<TemporaryDirectory> {
  for (;;) {
    const made = makeLockedDirectory(parent);
    if (!made) continue;
    const path = join(made.directory, 'files');
    mkdirSync(path, { mode: 0o700 });
    return {
      path,
      async remove() {
        await rm(made.directory, { recursive: true, force: true, maxRetries: 3 });
        made.lock.close();
      },
    };
  }
}

function removeIfAbandoned(directory: string): void {
  if (statSync(directory).uid !== process.getuid?.()) return;
  // Without a lock it was just made, or its maker was killed at that: then it is empty.
  if (!existsSync(lockOf(directory))) {
    rmdirSync(directory);
    return;
  }
  const lock = openExclusively(lockOf(directory));
  if (!lock) return;
  try {
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  } finally {
    lock.close();
  }
}

/**
 * Removes the directories that killed processes of this user left behind, never one of a process that lives: containers
 * that share the parent share the kernel, too, and so the locks.
 */
export function removeAbandonedDirectories(log: WarningLog, parent = tmpdir()): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix)) continue;
    try {
      removeIfAbandoned(join(parent, name));
    } catch (error) {
      // Another process removes it at the same time.
      if (['ENOENT', 'ENOTEMPTY'].includes(errorCode(error) ?? '')) continue;
      log.warn(
        { err: error, directory: join(parent, name) },
        'A directory left by a killed process cannot be removed.',
      );
    }
  }
}
