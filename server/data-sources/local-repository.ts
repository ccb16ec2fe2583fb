import { realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { invalid } from '../platform/errors.ts';

/**
 * The `file:` URL of a repository with every link resolved, when its directory lies in one that the operator allows
 * (ASSAY_LOCAL_REPOSITORIES). Links can change: ask again before each scan. Throws a 400 of `config.url`, which says the same of
 * what does not exist and what is not allowed, so that nobody can feel out the file system with it.
 */
export async function resolveLocalRepository(url: string, allowedDirectories: string[]): Promise<string> {
  if (allowedDirectories.length === 0) {
    throw refused('must not be a file: URL here. The operator can allow directories in ASSAY_LOCAL_REPOSITORIES');
  }
  const directory = await realDirectory(() => fileURLToPath(url));
  const allowed = await Promise.all(allowedDirectories.map((path) => realDirectory(() => path)));
  if (directory === null || !allowed.some((parent) => parent !== null && isWithin(directory, parent))) {
    throw refused('must name a directory inside one that the operator allows in ASSAY_LOCAL_REPOSITORIES');
  }
  return pathToFileURL(directory).href;
}

const refused = (message: string) => invalid('body', 'config.url', message);

const isWithin = (directory: string, parent: string) =>
  directory === parent || directory.startsWith(parent.endsWith(sep) ? parent : parent + sep);

async function realDirectory(path: () => string): Promise<string | null> {
  try {
    const real = await realpath(path());
    return (await stat(real)).isDirectory() ? real : null;
  } catch {
    return null;
  }
}
