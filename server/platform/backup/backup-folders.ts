import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { formatTime } from '../times.ts';

const folder = /^assay-\d{4}-\d\d-\d\dT\d{6}Z$/;
/** A folder that is being written or removed. It is hidden so that no program mistakes it for a backup. */
const unfinished = /^\.assay-.*\.(partial|removed)$/;

/** Names the folder of a backup by its time, so that names sort by age. */
export const folderName = (time: Date): string => `assay-${formatTime(time).replaceAll(':', '')}`;

/** Lists the complete scheduled backups of a folder, newest first. */
export async function listBackups(directory: string): Promise<string[]> {
  const names = existsSync(directory) ? await readdir(directory) : [];
  return names
    .filter((name) => folder.test(name) && existsSync(join(directory, name, 'manifest.json')))
    .sort()
    .reverse();
}

async function syncDirectory(directory: string): Promise<void> {
  const opened = await open(directory, 'r');
  await opened.sync().finally(() => opened.close());
}

/**
 * Lets `write` fill a hidden folder, and renames it when it is complete. Leftovers of interrupted attempts are
 * removed first.
 */
export async function writeWhole(
  directory: string,
  name: string,
  write: (partial: string) => Promise<void>,
): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await removeUnfinished(directory);
  const partial = join(directory, `.${name}.partial`);
  try {
    await write(partial);
    // A folder of this name has no manifest: it was created by hand, or a disk failure lost its manifest.
    await removeBackup(directory, name);
    await rename(partial, join(directory, name));
    await syncDirectory(directory);
  } catch (error) {
    await rm(partial, { recursive: true, force: true }).catch(() => {});
    throw error;
  }
}

async function removeUnfinished(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (unfinished.test(name)) await rm(join(directory, name), { recursive: true, force: true });
  }
}

/** Removes a backup. The folder is renamed first, so that a partly removed one is never listed. */
async function removeBackup(directory: string, name: string): Promise<void> {
  if (!existsSync(join(directory, name))) return;
  const removed = join(directory, `.${name}.${randomBytes(4).toString('hex')}.removed`);
  await rename(join(directory, name), removed);
  await rm(removed, { recursive: true, force: true });
}

/** Removes all but the newest `keep` backups, and returns the names of the removed ones. */
export async function removeOldBackups(directory: string, keep: number): Promise<string[]> {
  const old = (await listBackups(directory)).slice(keep);
  for (const name of old) await removeBackup(directory, name);
  return old;
}
