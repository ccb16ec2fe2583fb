import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const blockBytes = 512;

/** Returns the disk space that a file or directory takes; 0 when it no longer exists. Links are not followed. */
export async function directorySize(path: string): Promise<number> {
  const status = await lstat(path).catch(() => null);
  if (!status) return 0;
  let bytes = status.blocks * blockBytes;
  if (!status.isDirectory()) return bytes;
  for (const name of await readdir(path).catch(() => [])) bytes += await directorySize(join(path, name));
  return bytes;
}

/** Returns the size of each entry of a directory, largest first. */
export async function listSizes(directory: string): Promise<Array<{ name: string; bytes: number }>> {
  const names = await readdir(directory).catch(() => []);
  const sizes: Array<{ name: string; bytes: number }> = [];
  for (const name of names) sizes.push({ name, bytes: await directorySize(join(directory, name)) });
  return sizes.sort((a, b) => b.bytes - a.bytes);
}
