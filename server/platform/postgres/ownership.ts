import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerUser } from './postgres-program.ts';

/** Undefined for a link that leads nowhere. */
const ownerOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.uid;

/** Refuses files of another user, as a copy made by root has them, with the command that gives them to this one. */
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

/** Files by which a copy of a cluster that has another owner is recognised. */
const telling = ['', 'PG_VERSION', 'global', 'global/pg_control', 'base', 'pg_wal'];

/** Refuses a cluster that the server's user does not own, and takes away from others what a copy let them do with it. */
export function checkClusterOwner(cluster: string, user: ServerUser): void {
  const { uid, gid } = user ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const foreign = telling.map((name) => join(cluster, name)).find((path) => existsSync(path) && ownerOf(path) !== uid);
  if (foreign !== undefined) {
    throw new Error(
      `${foreign} belongs to uid ${ownerOf(foreign)}, and PostgreSQL runs as uid ${uid}: the directory was copied without its owner. ` +
        `Give it back and start again: ${user ? '' : 'sudo '}chown -R ${uid}:${gid} '${cluster}'`,
    );
  }
  // PostgreSQL refuses a directory that its group may write to, or others may enter.
  if ((statSync(cluster).mode & 0o027) !== 0) chmodSync(cluster, 0o700);
}
