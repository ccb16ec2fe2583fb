import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCode } from './error-code.ts';
import { openExclusively } from './exclusive-lock.ts';

export type TemporaryDirectory = {
  /** Initially empty, and accessible only to this user. */
  path: string;
  /** Removes the directory and its contents. */
  remove(): Promise<void>;
};

/** The part of a log that records warnings. */
type WarningLog = { warn(facts: object, message: string): void };

const prefix = 'assay-work-';
const lockOf = (directory: string) => join(directory, 'lock');

/** Creates a directory with a lock in it; null if a sweep removed the new directory as abandoned. */
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
 * Creates a directory for temporary files of this process. The lock beside the files stays locked while the process
 * runs. If the process is killed, `removeAbandonedDirectories` of a later process removes the directory.
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
  // Without a lock it was just created, or its creator was killed in between: it is then empty.
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
 * Removes the directories that killed processes of this user left behind, but never those of running processes:
 * containers that share the parent directory also share the kernel, and so the locks.
 */
export function removeAbandonedDirectories(log: WarningLog, parent = tmpdir()): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix)) continue;
    try {
      removeIfAbandoned(join(parent, name));
    } catch (error) {
      // Another process is removing it at the same time.
      if (['ENOENT', 'ENOTEMPTY'].includes(errorCode(error) ?? '')) continue;
      log.warn(
        { err: error, directory: join(parent, name) },
        'A directory left by a killed process cannot be removed.',
      );
    }
  }
}
