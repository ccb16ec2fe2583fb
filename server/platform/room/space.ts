import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../errors.ts';

/** The space of a file system, in bytes. `freeBytes` is the space that this user can still write. */
export type Space = { freeBytes: number; totalBytes: number };

export type ReadSpace = (directory: string) => Promise<Space>;

/** Reads the space of the file system that contains `directory`, or will contain it. */
export async function readSpace(directory: string): Promise<Space> {
  try {
    const { bavail, blocks, bsize } = await statfs(directory);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch (error) {
    const parent = dirname(directory);
    if (errorCode(error) !== 'ENOENT' || parent === directory) throw error;
    return readSpace(parent);
  }
}

const maxKeptBytes = 2 * 1024 ** 3;

/**
 * The space that caches leave free: a tenth of the disk, and at most 2 GiB. A tenth without the maximum would empty
 * the caches of a 4 TB disk with 400 GB free, and a fixed 2 GiB would leave a small disk without any.
 */
export const keptBytes = (totalBytes: number): number => Math.min(totalBytes / 10, maxKeptBytes);

/**
 * Below this space nothing large starts. The rest is for triage and for the database, whose log takes up to 1 GiB.
 */
export const lowBytes = (totalBytes: number): number => keptBytes(totalBytes) / 2;

/** `short`: caches are removed. `low`: fetches and imports must wait, too. */
export type RoomState = 'ok' | 'short' | 'low';

export function roomStateOf({ freeBytes, totalBytes }: Space): RoomState {
  if (freeBytes < lowBytes(totalBytes)) return 'low';
  return freeBytes < keptBytes(totalBytes) ? 'short' : 'ok';
}

/** Formats a size, such as `412 MB` or `3.5 GB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000_000_000) return `${Math.floor(bytes / 1_000_000)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}
