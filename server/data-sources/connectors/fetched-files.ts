import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The ref of the fetched branch in our repository, whatever its name. */
export const localRef = 'refs/assay/head';
export const localRefs = 'refs/assay/all';

/**
 * Removes what a killed fetch left behind: partial packs that fill the disk, and locks that would block the next fetch.
 */
export async function clearLeftovers(gitDirectory: string) {
  const locks = [
    'HEAD.lock',
    'config.lock',
    'packed-refs.lock',
    'shallow.lock',
    'gc.pid',
    'gc.pid.lock',
    `${localRef}.lock`,
  ];
  // The name of a branch never ends in `.lock`.
  const refs = join(gitDirectory, localRefs);
  const names = await readdir(refs, { recursive: true }).catch(() => []);
  locks.push(...names.filter((name) => name.endsWith('.lock')).map((name) => join(localRefs, name)));
  const packs = join(gitDirectory, 'objects', 'pack');
  const partial = (await readdir(packs)).filter((name) => name.startsWith('tmp_') || name.startsWith('.tmp-'));
  for (const file of [...locks.map((name) => join(gitDirectory, name)), ...partial.map((name) => join(packs, name))]) {
    await rm(file, { force: true, recursive: true });
  }
}

/** Returns whether there is a file or directory of this path. */
export function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Returns the size of all files below a directory. */
export async function directoryBytes(directory: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    bytes += await stat(join(entry.parentPath, entry.name)).then(
      (file) => file.size,
      () => 0,
    );
  }
  return bytes;
}
