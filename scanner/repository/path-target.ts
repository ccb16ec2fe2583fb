import { mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { TargetError } from '../contract/target-error.ts';
import { runGit, startGit } from '../platform/git.ts';
import { shallowWarning } from './history.ts';
import { walkDirectory } from './walk-directory.ts';

/** A target on this machine's disk: files, a repository's history, or both. */
export type PathTarget = {
  name: string;
  kind: 'git_repository' | 'upload';
  /** The files on disk, or null for a bare repository. `list` yields paths relative to `root`, as bytes. */
  files: { root: string; list(): AsyncIterable<Buffer> } | null;
  /** A private git directory with access to the repository's objects, and the checked-out commit. `since` is the commit
   * up to which the history is not searched. */
  repository: { gitDirectory: string; head: string; since?: string; isShallow?: boolean } | null;
  warnings: string[];
  /** The reasons, as sentences, why the files are incomplete. Listing the files may add more. */
  gaps: string[];
};

type Context = { home: string; signal: AbortSignal };

const timeoutMs = 600_000;

/**
 * Opens a file, a directory, a git work tree or a bare repository. A directory inside a work tree counts as a
 * directory. `home` is a private directory for temporary files. Throws if the path does not exist.
 */
export async function openPath(path: string, context: Context): Promise<PathTarget> {
  const root = await realpath(resolve(path));
  const name = basename(root) || root;
  const warnings: string[] = [];
  const gaps: string[] = [];
  if ((await stat(root)).isFile()) {
    gaps.push('Only one file was scanned.');
    const list = async function* () {
      yield Buffer.from(name);
    };
    return { name, kind: 'upload', files: { root: dirname(root), list }, repository: null, warnings, gaps };
  }
  const gitDirectory = await findGitDirectory(root);
  const objects = gitDirectory && (await ask(gitDirectory, context, '--path-format=absolute', '--git-path', 'objects'));
  if (!gitDirectory || !objects) {
    if (gitDirectory) warnings.push('The .git directory is not that of a repository: only files are searched.');
    if (!gitDirectory && (await isInRepository(root))) gaps.push('Only a folder of the repository was scanned.');
    const list = () =>
      walkDirectory(root, {
        skipped: (warning) => warnings.push(warning),
        unreadable(warning) {
          warnings.push(warning);
          gaps.push(warning);
        },
      });
    return { name, kind: 'upload', files: { root, list }, repository: null, warnings, gaps };
  }
  const repository = await openHistory(gitDirectory, objects, context, warnings);
  const files = gitDirectory === root ? null : { root, list: () => listCheckedOut(root, gitDirectory, context, gaps) };
  return { name, kind: 'git_repository', files, repository, warnings, gaps };
}

async function isInRepository(directory: string): Promise<boolean> {
  for (let folder = dirname(directory); folder !== dirname(folder); folder = dirname(folder)) {
    if (await exists(join(folder, '.git'))) return true;
  }
  return false;
}

async function findGitDirectory(root: string): Promise<string | null> {
  if (await exists(join(root, '.git'))) return join(root, '.git');
  const parts = await Promise.all(['HEAD', 'objects', 'refs'].map((part) => exists(join(root, part))));
  return parts.every(Boolean) ? root : null;
}

/**
 * Runs a plain query; null without a result. The repository's settings may run programs, so nothing else is run on it.
 */
async function ask(foreign: string, { home, signal }: Context, ...question: string[]): Promise<string | null> {
  const options = { gitDirectory: foreign, reads: [dirname(foreign)], home, signal, timeoutMs, exitCodes: [0, 1, 128] };
  const { stdout, exitCode } = await runGit(['rev-parse', ...question], options);
  return exitCode === 0 ? stdout.toString().replace(/\n$/, '') : null;
}

/** Opens the history through a private repository. Null if there is no commit yet. */
async function openHistory(foreign: string, objects: string, context: Context, warnings: string[]) {
  const head = await ask(foreign, context, '--verify', '--quiet', 'HEAD^{commit}');
  if (!head) {
    if ((await ask(foreign, context, '--verify', '--quiet', 'HEAD')) === null) return null;
    throw new TargetError(
      `Commits or other objects are missing from the repository: "git fsck" lists them. Clone it again.`,
    );
  }
  const gitDirectory = await borrowObjects(foreign, objects, context, head.length === 64 ? 'sha256' : 'sha1');
  const isShallow = await exists(join(gitDirectory, 'shallow'));
  if (isShallow) warnings.push(shallowWarning);
  return { gitDirectory, head, isShallow };
}

/** Creates an empty private repository that borrows the other repository's objects, once. */
async function borrowObjects(foreign: string, objects: string, context: Context, format: string): Promise<string> {
  const { home, signal } = context;
  const gitDirectory = join(home, 'history.git');
  if (await exists(gitDirectory)) return gitDirectory;
  const init = ['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, gitDirectory];
  await runGit(init, { gitDirectory: null, home, signal, timeoutMs });
  await mkdir(join(gitDirectory, 'objects', 'info'), { recursive: true });
  const alternate = /["\n\\]/.test(objects) ? JSON.stringify(objects) : objects;
  await writeFile(join(gitDirectory, 'objects', 'info', 'alternates'), `${alternate}\n`);
  const shallow = await ask(foreign, context, '--path-format=absolute', '--git-path', 'shallow');
  if (shallow && (await exists(shallow))) await writeFile(join(gitDirectory, 'shallow'), await readFile(shallow));
  return gitDirectory;
}

/** A git work tree: a private repository with its objects, even before the first commit, and its own index. */
export type WorkTree = {
  gitDirectory: string;
  indexFile: string;
  /** Returns the commit of a name, or null. */
  resolve(ref: string): Promise<string | null>;
  /** Lists the files that git would offer to track. */
  listUntracked(): Promise<string[]>;
};

/** Opens the work tree at `root`; null when there is none. */
export async function openWorkTree(root: string, context: Context): Promise<WorkTree | null> {
  const foreign = await findGitDirectory(root);
  if (!foreign || foreign === root) return null;
  const where = (part: string) => ask(foreign, context, '--path-format=absolute', '--git-path', part);
  const [objects, indexFile] = [await where('objects'), await where('index')];
  if (!objects || !indexFile) return null;
  const format = (await ask(foreign, context, '--show-object-format')) ?? 'sha1';
  return {
    gitDirectory: await borrowObjects(foreign, objects, context, format),
    indexFile,
    resolve: (ref) => ask(foreign, context, '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`),
    async listUntracked() {
      const paths: string[] = [];
      for await (const path of listWorkTree(root, foreign, context, ['--others'])) paths.push(path.toString());
      return paths;
    },
  };
}

/** Lists the files of a work tree. Tracked files that a sparse checkout leaves out are among the `gaps`. */
async function* listCheckedOut(
  root: string,
  gitDirectory: string,
  context: Context,
  gaps: string[],
): AsyncGenerator<Buffer> {
  let leftOut = 0;
  for await (const entry of listWorkTree(root, gitDirectory, context, ['-t', '--cached', '--others'])) {
    // `-t` puts a letter and a blank before each path; `S` is a file that is not checked out.
    if (entry[0] === 0x53) leftOut++;
    else yield entry.subarray(2);
  }
  const sentence = `${leftOut} file(s) of the repository are not checked out here (sparse checkout).`;
  if (leftOut > 0 && !gaps.includes(sentence)) gaps.push(sentence);
}

/** Lists the files that git tracks or would offer to track, without ignored ones. */
async function* listWorkTree(
  root: string,
  gitDirectory: string,
  { home, signal }: Context,
  kinds: string[],
): AsyncGenerator<Buffer> {
  const files = startGit(['ls-files', '-z', ...kinds, '--exclude-standard'], {
    gitDirectory,
    home,
    signal,
    timeoutMs,
    directory: root,
    environment: { GIT_WORK_TREE: root },
  });
  files.stdin.end();
  let rest: Buffer = Buffer.alloc(0);
  let last: Buffer = Buffer.alloc(0);
  for await (const chunk of files.stdout) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      const path = rest.subarray(0, end);
      rest = rest.subarray(end + 1);
      // An unmerged file is listed once for each side.
      if (!last.equals(path)) yield path;
      last = path;
    }
  }
  await files.finished;
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
