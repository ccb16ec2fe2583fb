import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { formatTime } from '../times.ts';

const folder = /^assay-\d{4}-\d\d-\d\dT\d{6}Z$/;
/** A folder that is being written or removed. It is hidden, so that nothing takes it for a backup. */
const unfinished = /^\.assay-.*\.(partial|removed)$/;

/** Names the folder of a backup by its time, so that the order of names is that of times. */
export const folderName = (time: Date): string => `assay-${formatTime(time).replaceAll(':', '')}`;

/** Lists the whole scheduled backups of a folder, the newest first. */
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
 * Lets `write` fill a hidden folder and gives it its name when it is whole. The remains of an earlier attempt that was killed
 * attempt is removed first.
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
    // Without a manifest: an attempt by hand, or one whose disk lost it.
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

/** Removes a backup, which is none from the first moment on. */
async function removeBackup(directory: string, name: string): Promise<void> {
  if (!existsSync(join(directory, name))) return;
  const removed = join(directory, `.${name}.${randomBytes(4).toString('hex')}.removed`);
  await rename(join(directory, name), removed);
  await rm(removed, { recursive: true, force: true });
}

/** Removes all but the newest `keep` backups, and returns the names of those. */
export async function removeOldBackups(directory: string, keep: number): Promise<string[]> {
  const old = (await listBackups(directory)).slice(keep);
  for (const name of old) await removeBackup(directory, name);
  return old;
}
