import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from './private-file.ts';

const fileOf = (dataDirectory: string) => join(dataDirectory, 'secret-key');

/** The key in the data directory; null when none was made yet. */
export async function findSecretKey(dataDirectory: string): Promise<string | null> {
  return existsSync(fileOf(dataDirectory)) ? ensureSecretKey(dataDirectory) : null;
}

/**
 * The key that everything sealed rests on, for an installation that sets none: made at the first start, kept in the data
 * directory (mode 0600). Losing it loses every stored credential, so a backup must hold it.
 */
export async function ensureSecretKey(dataDirectory: string): Promise<string> {
  const file = fileOf(dataDirectory);
  if (!existsSync(file)) await writePrivateFile(file, `${randomBytes(32).toString('base64')}\n`);
  const key = (await readFile(file, 'utf8')).trim();
  if (key.length >= 32) return key;
  throw new Error(`${file} is damaged: it must hold a key of at least 32 characters. Restore it from a backup.`);
}
