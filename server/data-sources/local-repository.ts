import { realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findFirstOrganization } from '../organization/queries.ts';
import { invalid } from '../platform/errors.ts';
import type { Database } from '../platform/postgres/database.ts';
import { findEscape } from './connectors/local-git.ts';

/** Returns the directories under which an organization may use `file:` repositories; none if it may not. */
export type LocalRepositories = (orgId: string) => Promise<string[]>;

/** Only the installation's first organization may use these directories: it is the operator's own. */
export function createLocalRepositories(database: Database, directories: string[]): LocalRepositories {
  return async (orgId) => ((await findFirstOrganization(database)) === orgId ? directories : []);
}

export type LocalRepository = {
  /** The `file:` URL of the named directory, with all links resolved. */
  url: string;
  /** The directory that git reads: the `.git` of a working tree, or the directory itself. */
  gitDirectory: string;
};

/**
 * Finds a `file:` repository in a directory that the operator allows, if nothing that git follows leads out of the
 * allowed directories. Links and files can change: check again before and after each fetch. Throws a 400 for
 * `config.url` with the same message whether the directory is missing or not allowed, so that nobody can explore the
 * file system with it.
 */
export async function findLocalRepository(url: string, allowedDirectories: string[]): Promise<LocalRepository> {
  if (allowedDirectories.length === 0) {
    throw refused(
      'must not be a file: URL here. The operator can allow directories for the first organization in ASSAY_LOCAL_REPOSITORIES',
    );
  }
  const directory = await realDirectory(() => fileURLToPath(url));
  const allowed = (await Promise.all(allowedDirectories.map((path) => realDirectory(() => path)))).filter(
    (path) => path !== null,
  );
  const isAllowed = (path: string) => allowed.some((parent) => isWithin(path, parent));
  if (directory === null || !isAllowed(directory)) {
    throw refused('must name a directory inside one that the operator allows in ASSAY_LOCAL_REPOSITORIES');
  }
  const { gitDirectory, wayOut } = await findEscape(directory, isAllowed);
  if (wayOut !== null) {
    throw refused(
      `must name a repository that is entirely inside the directories that the operator allows: its ${wayOut} leads out of them, or cannot be followed`,
    );
  }
  return { url: pathToFileURL(directory).href, gitDirectory: gitDirectory ?? join(directory, '.git') };
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
