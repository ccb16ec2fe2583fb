import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerUser } from './postgres-program.ts';

/** Returns undefined for a broken link. */
const ownerOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.uid;

/**
 * Throws when files belong to another user, as in a copy made by root. The message has the command that changes their
 * owner.
 */
export function checkDirectoryOwner(dataDirectory: string): void {
  const own = process.getuid?.() ?? 0;
  if (own === 0 || !existsSync(dataDirectory)) return;
  const paths = [dataDirectory];
  if (ownerOf(dataDirectory) === own)
    paths.push(...readdirSync(dataDirectory).map((name) => join(dataDirectory, name)));
  const foreign = paths.find((path) => (ownerOf(path) ?? own) !== own);
  if (foreign === undefined) return;
  throw new Error(
    `${foreign} belongs to another user (uid ${ownerOf(foreign)}), as after a copy made by root. ` +
      `Give the data directory to this user and start again: sudo chown -R "$(id -un)" '${dataDirectory}'`,
  );
}

/** Files that show whether a copied cluster has another owner. */
const telling = ['', 'PG_VERSION', 'global', 'global/pg_control', 'base', 'pg_wal'];

/**
 * Throws when the server's user does not own the cluster, and removes the access that a copy gave to others.
 */
export function checkClusterOwner(cluster: string, user: ServerUser): void {
  const { uid, gid } = user ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const foreign = telling.map((name) => join(cluster, name)).find((path) => existsSync(path) && ownerOf(path) !== uid);
  if (foreign !== undefined) {
    throw new Error(
      `${foreign} belongs to uid ${ownerOf(foreign)}, and PostgreSQL runs as uid ${uid}: the directory was copied without its owner. ` +
        `Give it back and start again: ${user ? '' : 'sudo '}chown -R ${uid}:${gid} '${cluster}'`,
    );
  }
  // PostgreSQL refuses a directory that is writable for its group or accessible to others.
  if ((statSync(cluster).mode & 0o027) !== 0) chmodSync(cluster, 0o700);
}
