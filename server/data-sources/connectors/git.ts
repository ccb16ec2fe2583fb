import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runGit, startGit } from '@assay/scanner/platform/git.ts';
import { makeTemporaryDirectory } from '@assay/scanner/platform/temporary-directory.ts';
import { exclusively } from '../../platform/exclusive.ts';
import { isOutOfRoom } from '../../platform/postgres/database.ts';
import { RepositoryError, repositoryError } from './git-failure.ts';
import { type GitCredential, prepareTransport } from './git-transport.ts';
import { findRemoteBranch, type Git, type Remote, readRequest, uploadPackOf } from './remote-branch.ts';

/** The ref of the fetched branch in our repository, whatever its name. */
const localRef = 'refs/assay/head';
const localRefs = 'refs/assay/all';

/** Removes leftovers of a killed fetch: partial packs that fill the disk, and locks that would block the next fetch. */
async function clearLeftovers(gitDirectory: string) {
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

/** Returns whether a file or directory with this path exists. */
function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Returns the total size of the files below a directory. */
async function directoryBytes(directory: string): Promise<number> {
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

export type RepositoryRequest = {
  url: string;
  /** Null means the remote's default branch. */
  branch: string | null;
  /** Whether the other branches and the tags are fetched too. */
  allBranches?: boolean;
  credential: GitCredential | null;
  /**
   * A directory of the data source, with the bare repository between fetches. If it is lost or damaged, everything is
   * fetched again.
   */
  directory: string;
  signal: AbortSignal;
  /** `fraction` is 0-1, or null if unknown. */
  progress?(fraction: number | null, message: string): void;
  /** An HTTP proxy, with its policy, for every connection; null connects directly. */
  proxyUrl: string | null;
  /** Whether a `file:` URL is accepted: only after the caller has checked that its directory is allowed. */
  allowFile: boolean;
  /**
   * Throws if a `file:` URL leads out of its directory. Git then reads only that directory, and the fetch is undone.
   */
  recheckFile?(): Promise<void>;
  /** Throws while disk space is too low. Also called during a fetch, which is then undone. */
  requireRoom?(): Promise<void>;
  timeoutMs?: number;
  /** The maximum size of the bare repository on disk. */
  maxBytes?: number;
};

/**
 * `otherHeads`: the commits of the other branches and the tags, if requested. `isShallow`: the remote is itself a
 * shallow clone, so older history is missing.
 */
export type FetchedRepository = {
  gitDirectory: string;
  head: string;
  branch: string;
  otherHeads: string[];
  isShallow: boolean;
};

/**
 * Fetches the branch of a remote repository, with its whole history, into a bare repository in `directory`. Nothing is
 * checked out, and nothing in the repository is run. Fetches into one directory take turns, and the repository does not
 * change until each caller has called `releaseRepository`. Throws a `RepositoryError`.
 */
export async function fetchRepository(request: RepositoryRequest): Promise<FetchedRepository> {
  const { address, branch } = readRequest(request);
  return exclusively(request.directory, async () => {
    const temporary = await makeTemporaryDirectory();
    const home = temporary.path;
    try {
      await mkdir(request.directory, { recursive: true, mode: 0o700 });
      const transport = await prepareTransport(address, request.credential, {
        home,
        knownHosts: join(request.directory, 'known_hosts'),
        proxyUrl: request.proxyUrl,
      });
      const git: Git = { ...transport, home, signal: request.signal, timeoutMs: request.timeoutMs ?? 60 * 60_000 };
      request.progress?.(null, 'Asking the host for the branch');
      const remote = await findRemoteBranch(address.url, branch, git, uploadPackOf(request));
      const gitDirectory = await fetchInto(address.url, remote, git, request);
      await request.recheckFile?.().catch(async (error) => {
        await giveUp(gitDirectory);
        throw error;
      });
      const otherHeads = request.allBranches ? await listOtherHeads(gitDirectory, remote.head, git) : [];
      const isShallow = await exists(shallowFile(gitDirectory));
      readers.set(gitDirectory, (readers.get(gitDirectory) ?? 0) + 1);
      return { gitDirectory, head: remote.head, branch: remote.branch, otherHeads, isShallow };
    } catch (error) {
      throw repositoryError(error);
    } finally {
      await temporary.remove();
    }
  });
}

/** The number of callers in this process that read each repository. */
const readers = new Map<string, number>();

/** A repository with this file is not reused, and removed as soon as nobody reads it. */
const givenUpFile = (gitDirectory: string): string => join(gitDirectory, 'given-up');

/** Marks a repository so that the next fetch starts over, and removes it unless others read it. */
async function giveUp(gitDirectory: string): Promise<void> {
  await writeFile(givenUpFile(gitDirectory), '').catch(() => {});
  if (!readers.has(gitDirectory)) await rm(gitDirectory, { recursive: true, force: true });
}

/** Ends the use of a fetched repository. A damaged one is given up; other readers may finish. */
export async function releaseRepository(
  { gitDirectory }: Pick<FetchedRepository, 'gitDirectory'>,
  { isDamaged = false } = {},
): Promise<void> {
  const others = (readers.get(gitDirectory) ?? 1) - 1;
  if (others > 0) readers.set(gitDirectory, others);
  else readers.delete(gitDirectory);
  if (isDamaged) await writeFile(givenUpFile(gitDirectory), '').catch(() => {});
  if (others > 0 || !(await exists(givenUpFile(gitDirectory)))) return;
  // A fetch in progress may take an hour. Anything not removed when the process ends is removed by the next fetch.
  void exclusively(dirname(gitDirectory), () => giveUp(gitDirectory)).catch(() => {});
}

/**
 * Returns the repository in a directory that a fetch continues with, or the path for a new one. Removes given-up
 * repositories without readers.
 */
async function chooseRepository(directory: string): Promise<{ gitDirectory: string; isNew: boolean }> {
  const names = (await readdir(directory)).filter((name) => /^repository(-\d+)?\.git$/.test(name));
  let current: string | null = null;
  for (const path of names.map((name) => join(directory, name))) {
    // A formerly shallow remote may have its whole history now, which no later fetch would add.
    const isOutdated = !readers.has(path) && (await exists(shallowFile(path)));
    if (isOutdated || (await exists(givenUpFile(path)))) await giveUp(path);
    else current = path;
  }
  if (current !== null) return { gitDirectory: current, isNew: false };
  for (let number = 1; ; number++) {
    const path = join(directory, number === 1 ? 'repository.git' : `repository-${number}.git`);
    if (!(await exists(path))) return { gitDirectory: path, isNew: true };
  }
}

/** Fetches into the repository of the directory, or into a new one if that can't be used, and returns its path. */
async function fetchInto(url: string, remote: Remote, git: Git, request: RepositoryRequest): Promise<string> {
  let { gitDirectory, isNew } = await chooseRepository(request.directory);
  if (!isNew) {
    try {
      await clearLeftovers(gitDirectory);
      if (request.allBranches || (await findLocalHead(gitDirectory, git)) !== remote.head)
        await fetchBranch(url, remote, gitDirectory, git, request);
      return gitDirectory;
    } catch (error) {
      if (isOutOfRoom(error)) throw error;
      const reason = (repositoryError(error) as Partial<RepositoryError>).reason;
      if (reason !== 'failed' && reason !== undefined) throw error;
      // It is damaged, or has another object format. It is only a cache.
      await giveUp(gitDirectory);
      ({ gitDirectory, isNew } = await chooseRepository(request.directory));
      if (!isNew) throw error;
    }
  }
  const format = remote.head.length === 64 ? 'sha256' : 'sha1';
  await runGit(['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, gitDirectory], {
    ...git,
    gitDirectory: null,
  });
  await fetchBranch(url, remote, gitDirectory, git, request);
  return gitDirectory;
}

const shallowFile = (gitDirectory: string): string => join(gitDirectory, 'shallow');

async function findLocalHead(gitDirectory: string, git: Git): Promise<string | null> {
  const { stdout, exitCode } = await runGit(['rev-parse', '--verify', '--quiet', `${localRef}^{commit}`], {
    ...git,
    gitDirectory,
    exitCodes: [0, 1, 128],
  });
  return exitCode === 0 ? stdout.toString().trim() : null;
}

/** Lists the distinct commits of branches and tags. A tag may also point to a file. */
async function listOtherHeads(gitDirectory: string, head: string, git: Git): Promise<string[]> {
  const format = '--format=%(objecttype) %(objectname) %(*objecttype) %(*objectname)';
  const { stdout } = await runGit(['for-each-ref', format, localRefs], { ...git, gitDirectory });
  const heads = stdout
    .toString()
    .split('\n')
    .map((line) => /(?:^| )commit ([0-9a-f]{40,64})(?: |$)/.exec(line)?.[1])
    .filter((id) => id !== undefined && id !== head);
  return [...new Set(heads as string[])].sort();
}

async function fetchBranch(url: string, remote: Remote, gitDirectory: string, git: Git, request: RepositoryRequest) {
  const maxBytes = request.maxBytes ?? 20 * 1024 ** 3;
  const flags = [
    '--update-shallow',
    '--no-tags',
    '--prune',
    '--force',
    '--no-recurse-submodules',
    '--no-write-fetch-head',
    '--progress',
  ];
  const refs = [`+${remote.ref}:${localRef}`];
  if (request.allBranches) refs.push(`+refs/heads/*:${localRefs}/heads/*`, `+refs/tags/*:${localRefs}/tags/*`);
  const fetch = startGit(['fetch', ...flags, ...uploadPackOf(request), '--', url, ...refs], {
    ...git,
    gitDirectory,
    onError: (text) => reportProgress(text, request),
  });
  fetch.stdin.end();
  let tooLarge = false;
  let noRoom = null as Error | null;
  const checkSize = async () => {
    tooLarge ||= (await directoryBytes(gitDirectory)) > maxBytes;
  };
  const check = async () => {
    if (tooLarge || noRoom) return;
    await checkSize();
    if (!tooLarge) await request.requireRoom?.().catch((error: Error) => (noRoom = error));
    if (tooLarge || noRoom) fetch.stop();
  };
  void check().catch(() => {});
  const watch = setInterval(() => void check().catch(() => {}), 250);
  try {
    for await (const _ of fetch.stdout);
    await fetch.finished;
    await checkSize();
  } catch (error) {
    if (noRoom) throw await undoForRoom(noRoom, gitDirectory, request);
    if (!tooLarge) throw error;
  } finally {
    clearInterval(watch);
  }
  if (tooLarge) {
    await giveUp(gitDirectory);
    throw new RepositoryError(
      'too_large',
      `The repository is larger than ${Math.floor(maxBytes / 1024 ** 2)} MiB on disk, which is the maximum.`,
    );
  }
  // The branch may have moved between the listing and the fetch: the fetched commit counts.
  const head = await findLocalHead(gitDirectory, git);
  if (!head) throw new RepositoryError('failed', 'The host sent the repository without the requested branch.');
  remote.head = head;
}

/**
 * Undoes a fetch that ran out of disk space and returns the error: a different one if the fetch itself was too large.
 */
async function undoForRoom(noRoom: Error, gitDirectory: string, request: RepositoryRequest): Promise<Error> {
  await clearLeftovers(gitDirectory);
  const hasRoomAgain = await request.requireRoom!().then(
    () => true,
    () => false,
  );
  if (!hasRoomAgain) return noRoom;
  const message = 'The repository does not fit on the disk of the worker. Ask the operator to provide more space.';
  return new RepositoryError('no_room', message, noRoom);
}

function reportProgress(text: string, request: RepositoryRequest) {
  const step = /(Receiving objects|Resolving deltas):\s+(\d+)%/.exec(text);
  if (step)
    request.progress?.(
      Number(step[2]) / 100,
      step[1] === 'Receiving objects' ? 'Receiving the repository' : 'Unpacking the repository',
    );
}
