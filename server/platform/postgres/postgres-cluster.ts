import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '../errors.ts';
import { writePrivateFile } from '../private-file.ts';
import { asSeenByServer, serverEnvironment, socketDirectory } from './postgres-process.ts';
import type { PostgresProgram, ServerUser } from './postgres-program.ts';

/** Returns undefined for a broken link. */
const ownerOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.uid;

/**
 * Throws when files belong to another user, as in a copy made by root. The message contains the command that changes
 * their owner.
 */
function checkDirectoryOwner(dataDirectory: string): void {
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

/** Files whose owner shows whether root has copied a cluster. */
const telling = ['', 'PG_VERSION', 'global', 'global/pg_control', 'base', 'pg_wal'];

/** Throws when the server's user does not own the cluster. Removes access that a copy gave to other users. */
function checkClusterOwner(cluster: string, user: ServerUser): void {
  const { uid, gid } = user ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const foreign = telling.map((name) => join(cluster, name)).find((path) => existsSync(path) && ownerOf(path) !== uid);
  if (foreign !== undefined) {
    throw new Error(
      `${foreign} belongs to uid ${ownerOf(foreign)}, and PostgreSQL runs as uid ${uid}: the directory was copied without its owner. ` +
        `Give it back and start again: ${user ? '' : 'sudo '}chown -R ${uid}:${gid} '${cluster}'`,
    );
  }
  // PostgreSQL refuses a directory that its group can write or others can access.
  if ((statSync(cluster).mode & 0o027) !== 0) chmodSync(cluster, 0o700);
}

/** The passwords of the two roles: the superuser that migrates, and the role of the API and the worker. */
export type Credentials = { adminPassword: string; appPassword: string };

const credentialsFile = (dataDirectory: string) => join(dataDirectory, 'postgres-credentials.json');

export function findCredentials(dataDirectory: string): Credentials | null {
  const file = credentialsFile(dataDirectory);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Credentials) : null;
}

/** Describes the free disk space in a sentence, for errors that a full disk may have caused. */
export function describeFreeSpace(directory: string): string {
  const { bavail, bsize } = statfsSync(directory);
  return `${Math.floor((bavail * bsize) / 1024 / 1024)} MB are free on the disk that holds ${directory}`;
}

async function runInitdb(program: PostgresProgram, user: ServerUser, directory: string) {
  const seen = asSeenByServer(directory, user);
  const child = spawn(
    program.initdb,
    [
      '-D',
      seen,
      '--username=assay_admin',
      '--auth=scram-sha-256',
      `--pwfile=${seen}/../password`,
      '--encoding=UTF8',
      // PostgreSQL's builtin locale provider sorts the same on every machine, whatever the system's libraries.
      '--locale-provider=builtin',
      '--locale=C.UTF-8',
      '--lc-collate=C',
      '--lc-ctype=C',
      '--no-instructions',
    ],
    { cwd: directory, env: serverEnvironment, stdio: ['ignore', 'ignore', 'pipe'], ...user },
  );
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  if (code === 0) return;
  const causes = output.split('\n').filter((line) => /FATAL|PANIC|error|could not|No space/.test(line));
  throw new Error((causes.length > 0 ? causes : output.trim().split('\n')).slice(-3).join(' '));
}

/**
 * Creates an empty cluster under a temporary name and renames it when it is complete, so that a killed start leaves
 * nothing incomplete.
 */
async function createCluster(program: PostgresProgram, user: ServerUser, dataDirectory: string): Promise<void> {
  const credentials: Credentials = {
    adminPassword: randomBytes(24).toString('base64url'),
    appPassword: randomBytes(24).toString('base64url'),
  };
  const workshop = join(dataDirectory, 'postgres.new');
  const partial = join(workshop, 'cluster');
  const passwordFile = join(workshop, 'password');
  await rm(workshop, { recursive: true, force: true });
  await mkdir(partial, { recursive: true, mode: 0o700 });
  await writeFile(passwordFile, `${credentials.adminPassword}\n`, { mode: 0o600 });
  try {
    if (user) for (const path of [workshop, partial, passwordFile]) await chown(path, user.uid, user.gid);
    await runInitdb(program, user, partial);
    await writePrivateFile(credentialsFile(dataDirectory), `${JSON.stringify(credentials, null, 2)}\n`);
    await rename(partial, join(dataDirectory, 'postgres'));
  } catch (cause) {
    throw new Error(
      `A database could not be created in ${dataDirectory}: ${(cause as Error).message} (${describeFreeSpace(dataDirectory)}.)`,
      { cause },
    );
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}

async function checkCluster(program: PostgresProgram, directory: string): Promise<void> {
  const versionFile = join(directory, 'PG_VERSION');
  if (!existsSync(versionFile) || !existsSync(join(directory, 'global', 'pg_control'))) {
    throw new Error(
      `${directory} is damaged: PostgreSQL's own files are missing from it. ` +
        'Restore a backup there, or move the directory away to begin with an empty database.',
    );
  }
  const version = Number.parseInt(await readFile(versionFile, 'utf8'), 10);
  if (version === program.majorVersion) return;
  throw new Error(
    `The database in ${directory} was created by PostgreSQL ${version}, and this release of Assay includes PostgreSQL ${program.majorVersion}. ` +
      'Start the release that created it, write a dump with pg_dump, and load that into an empty data directory of this release.',
  );
}

function prepareSocketDirectory(directory: string, user: ServerUser): void {
  const sockets = socketDirectory(directory);
  if (sockets === directory) return;
  mkdirSync(sockets, { recursive: true, mode: 0o700 });
  const owner = user?.uid ?? process.getuid?.() ?? 0;
  const status = lstatSync(sockets);
  if (!status.isDirectory() || (status.uid !== owner && status.uid !== process.getuid?.())) {
    throw new Error(`${sockets} belongs to another user. Remove it, or use a data directory with a shorter path.`);
  }
  chmodSync(sockets, 0o700);
  if (user) chownSync(sockets, user.uid, user.gid);
}

/** Removes files that a killed server left behind. Only call it when none of its processes is running. */
async function removeLeftovers(directory: string): Promise<void> {
  const sockets = socketDirectory(directory);
  const stale = (await readdir(sockets))
    .filter((name) => name.startsWith('.s.PGSQL.'))
    .map((name) => join(sockets, name));
  // Its pid may belong to another program by now, which would make PostgreSQL refuse to start.
  if (process.platform === 'linux') stale.push(join(directory, 'postmaster.pid'));
  for (const file of stale) await rm(file, { force: true });
}

/**
 * Prepares the cluster for a start: creates it if it is missing, and throws a sentence that says what to do when it
 * is damaged or of another major version. Returns the passwords.
 */
export async function prepareCluster(
  program: PostgresProgram,
  user: ServerUser,
  dataDirectory: string,
): Promise<Credentials> {
  const directory = join(dataDirectory, 'postgres');
  if (!existsSync(directory)) await createCluster(program, user, dataDirectory);
  await checkCluster(program, directory);
  checkClusterOwner(directory, user);
  const credentials = findCredentials(dataDirectory);
  if (!credentials) {
    throw new Error(
      `${credentialsFile(dataDirectory)} is missing, and with it the passwords of the database beside it. Restore it from a backup.`,
    );
  }
  prepareSocketDirectory(directory, user);
  await removeLeftovers(directory);
  return credentials;
}

/** Creates the data directory (mode 0700). Throws a sentence that says why it can't be used. */
export async function prepareDataDirectory(dataDirectory: string): Promise<void> {
  try {
    await mkdir(dirname(dataDirectory), { recursive: true });
    await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
    const probe = join(dataDirectory, `.writable-${randomBytes(6).toString('hex')}`);
    await writeFile(probe, Buffer.alloc(64 * 1024));
    await rm(probe, { force: true });
  } catch (cause) {
    const code = errorCode(cause);
    if (code === 'EACCES') checkDirectoryOwner(dataDirectory);
    const hint =
      code === 'ENOSPC'
        ? `the disk is full (${describeFreeSpace(dirname(dataDirectory))}). Free some space and start again; nothing was lost.`
        : `${(cause as Error).message}. Give this user the right to write there, or set ASSAY_DATA_DIR to another directory.`;
    throw new Error(`The data directory ${dataDirectory} cannot be used: ${hint}`, { cause });
  }
  checkDirectoryOwner(dataDirectory);
}
