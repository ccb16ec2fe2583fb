import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  await directory.sync().finally(() => directory.close());
}

/**
 * Writes a file that only this user can read (mode 0600), atomically: after a crash the file is complete or absent.
 */
export async function writePrivateFile(path: string, content: string): Promise<void> {
  const partial = `${path}.new`;
  await rm(partial, { force: true });
  const file = await open(partial, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(partial, path);
  await syncDirectory(dirname(path));
}
