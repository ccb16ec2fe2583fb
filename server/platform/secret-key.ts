import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from './private-file.ts';

const fileOf = (dataDirectory: string) => join(dataDirectory, 'secret-key');

/** Returns the key in the data directory; null when there is none yet. */
export async function findSecretKey(dataDirectory: string): Promise<string | null> {
  return existsSync(fileOf(dataDirectory)) ? ensureSecretKey(dataDirectory) : null;
}

/**
 * Returns the secret key of an installation that sets none. The first start generates it and stores it in the data
 * directory (mode 0600). Without it no stored credential can be opened, so a backup must include it.
 */
export async function ensureSecretKey(dataDirectory: string): Promise<string> {
  const file = fileOf(dataDirectory);
  if (!existsSync(file)) await writePrivateFile(file, `${randomBytes(32).toString('base64')}\n`);
  const key = (await readFile(file, 'utf8')).trim();
  if (key.length >= 32) return key;
  throw new Error(`${file} is damaged: it must hold a key of at least 32 characters. Restore it from a backup.`);
}
