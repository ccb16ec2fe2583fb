import { createReadStream, createWriteStream } from 'node:fs';
import { lstat, mkdir, readdir } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import type { Manifest } from './manifest.ts';
import { UnusableBackup } from './manifest.ts';
import { loadFile, storeFile } from './stored-file.ts';

/**
 * The files of a data directory that are backed up besides the database: the key, mails written as files, and the
 * sample repository. The rest can be recreated: caches, logs, and the database's own files and passwords.
 */
const kept = ['secret-key', 'mail', 'sample-repository'];

async function listFiles(directory: string, name: string): Promise<string[]> {
  const status = await lstat(join(directory, name)).catch(() => null);
  if (status?.isFile()) return [name];
  if (!status?.isDirectory()) return [];
  const inside = (await readdir(join(directory, name))).sort();
  return (await Promise.all(inside.map((entry) => listFiles(directory, `${name}/${entry}`)))).flat();
}

/** Backs up the files of a data directory. */
export async function storeDataFiles(dataDirectory: string, target: string): Promise<Manifest['files']> {
  const names = (await Promise.all(kept.map((name) => listFiles(dataDirectory, name)))).flat();
  const files: Manifest['files'] = [];
  for (const name of names) {
    const { mode } = await lstat(join(dataDirectory, name));
    const file = await storeFile(target, `files/${name}.zst`, createReadStream(join(dataDirectory, name)));
    files.push({ name, mode: mode & 0o777, file });
  }
  return files;
}

/** Restores the files of a backup. None of them may exist yet. */
export async function loadDataFiles(backup: string, { files }: Manifest, dataDirectory: string): Promise<void> {
  for (const { name, mode, file } of files) {
    const isInside = !isAbsolute(name) && normalize(name) === name && kept.includes(name.split('/')[0]!);
    if (!isInside) throw new UnusableBackup(`The backup names a file outside of the data directory: ${name}.`);
    const target = join(dataDirectory, name);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await loadFile(backup, file, createWriteStream(target, { flags: 'wx', mode }));
  }
}
