import { isUtf8 } from 'node:buffer';
import { TargetError } from '../contract/target-error.ts';
import { type GitOptions, runGit, startGit } from '../platform/git.ts';

export const shallowWarning = 'The repository is a shallow clone: older history is not here and was not searched.';

/** Access to a repository's objects: a private git directory, and the working directory of its processes. */
export type Repository = Pick<GitOptions, 'home' | 'signal' | 'timeoutMs'> & { gitDirectory: string };

/** A file that a commit added or changed: a blob at this path in the commit and in none of its parents. */
export type BlobChange = { id: string; path: string };
/** A commit with very many changes comes in several pieces; only the first has the message. */
export type CommitChanges = { commit: string; isFirst: boolean; message: string; blobs: BlobChange[] };

/**
 * Trees can be nested so that a few kilobytes list billions of files. The largest known repositories have about 4
 * million.
 */
const maxFiles = 5_000_000;
const maxChangesInPiece = 5_000;
const maxTokenBytes = 16 * 1024 * 1024;
const commitMark = 1;

/** Formats a range of commits for git's standard input: there may be a head for each of thousands of tags. */
const rangeOf = (heads: string[], excluded: string[]): string =>
  `${[...heads, ...excluded.map((commit) => `^${commit}`)].join('\n')}\n`;

/**
 * Reads every commit that is reachable from `heads` and not from `excluded`, parents before children, each with the
 * blobs that it introduced. A merge introduces the blobs that differ from all its parents. Symbolic links and
 * submodules are left out. Streams, so memory use stays flat.
 */
export async function* listHistory(
  repository: Repository,
  heads: string[],
  excluded: string[],
): AsyncGenerator<CommitChanges> {
  const log = startGit(
    [
      ...['log', '-c', '--raw', '-r', '-z', '--root', '--no-renames', '--no-abbrev', '--date-order', '--reverse'],
      ...['--no-color', '--no-notes', '--no-ext-diff', '--no-show-signature', '--format=tformat:%x01%H%x00%B%x00'],
      '--stdin',
    ],
    repository,
  );
  log.stdin.end(rangeOf(heads, excluded));
  let current: CommitChanges | null = null;
  let expects: 'any' | 'message' | BlobId = 'any';
  let changes = 0;
  for await (const token of splitAtZero(log.stdout)) {
    if (expects === 'message') {
      current!.message = token.toString('utf8');
      expects = 'any';
    } else if (expects !== 'any') {
      if (expects.id) current!.blobs.push({ id: expects.id, path: pathText(token) });
      if (++changes > maxFiles) throw tooManyFiles();
      expects = 'any';
      if (current!.blobs.length < maxChangesInPiece) continue;
      yield current!;
      current = { commit: current!.commit, isFirst: false, message: '', blobs: [] };
    } else if (token[0] === commitMark) {
      if (current) yield current;
      current = { commit: token.toString('latin1', 1), isFirst: true, message: '', blobs: [] };
      changes = 0;
      expects = 'message';
    } else if (token.length > 0) {
      expects = readRawEntry(token.toString('latin1'));
    }
  }
  if (current) yield current;
  await log.finished;
}

/** Lists every regular file of the commit's tree. */
export async function* listTree(repository: Repository, commit: string): AsyncGenerator<BlobChange> {
  yield* readTree(startGit(['ls-tree', '-r', '-z', '--full-tree', commit], repository));
}

async function* readTree(tree: ReturnType<typeof startGit>): AsyncGenerator<BlobChange> {
  tree.stdin.end();
  let files = 0;
  for await (const token of splitAtZero(tree.stdout)) {
    if (token.length === 0) continue;
    if (++files > maxFiles) throw tooManyFiles();
    const tab = token.indexOf(9);
    const [mode, , id] = token.toString('latin1', 0, tab).split(' ');
    if (isRegular(mode)) yield { id: id!, path: pathText(token.subarray(tab + 1)) };
  }
  await tree.finished;
}

/** The maximum length of the arguments of one process, and of one path in them. */
const maxArguments = 100_000;
const maxPath = 4_096;

/** Lists which of some files the commit's tree has, without reading all of it. */
export async function* listBlobs(
  repository: Repository,
  commit: string,
  paths: readonly string[],
): AsyncGenerator<BlobChange> {
  // git aborts on paths that lead out of the tree.
  const inside = paths.filter((path) => !/(?:^|\/)\.{0,2}(?:\/|$)|\0/.test(path) && path.length <= maxPath);
  for (let start = 0; start < inside.length; ) {
    let end = start;
    for (let length = 0; end < inside.length && length + inside[end]!.length < maxArguments; end++)
      length += inside[end]!.length + 10;
    const some = ['ls-tree', '-z', '--full-tree', commit, '--', ...inside.slice(start, end)];
    yield* readTree(startGit(['--literal-pathspecs', ...some], repository));
    start = end;
  }
}

/**
 * Lists the differences between two commits' trees: the path, and its current blob (null if it is not a regular file).
 */
export async function* listTreeChanges(repository: Repository, from: string, to: string) {
  const diff = startGit(['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', from, to], repository);
  diff.stdin.end();
  let entry: BlobId | null = null;
  for await (const token of splitAtZero(diff.stdout)) {
    if (entry) {
      yield { id: entry.id, path: pathText(token) };
      entry = null;
    } else if (token.length > 0) {
      entry = readRawEntry(token.toString('latin1'));
    }
  }
  await diff.finished;
}

export async function countCommits(repository: Repository, heads: string[], excluded: string[]): Promise<number> {
  const input = rangeOf(heads, excluded);
  const { stdout } = await runGit(['rev-list', '--count', '--stdin'], { ...repository, input });
  return Number(stdout.toString());
}

/** Returns whether all `older` commits still exist and are reachable from `heads`. */
export async function areReached(repository: Repository, older: string[], heads: string[]): Promise<boolean> {
  const input = rangeOf(older, heads);
  const command = ['rev-list', '--count', '--max-count=1', '--stdin'];
  const { stdout, exitCode } = await runGit(command, { ...repository, input, exitCodes: [0, 128] });
  return exitCode === 0 && stdout.toString().trim() === '0';
}

/** Returns whether `older` still exists and is an ancestor of `newer`; false after a force-push. */
export async function isAncestor(repository: Repository, older: string, newer: string): Promise<boolean> {
  const { exitCode } = await runGit(['merge-base', '--is-ancestor', older, newer], {
    ...repository,
    exitCodes: [0, 1, 128],
  });
  return exitCode === 0;
}

type BlobId = { id: string | null };

/** `:oldmode newmode oldid newid status`; a merge has one colon, mode and id for each parent, and the result's last. */
function readRawEntry(text: string): BlobId {
  const fields = text.trim().split(' ');
  const parents = /^:+/.exec(fields[0]!)?.[0].length ?? 0;
  const mode = fields[parents];
  const id = fields[2 * parents + 1];
  if (parents === 0 || !mode || !id) throw new Error('git listed the history in an unknown form');
  return { id: isRegular(mode) ? id : null };
}

const isRegular = (mode: string | undefined) => mode?.startsWith('100') ?? false;

export async function* splitAtZero(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      const piece = chunk.subarray(start, end);
      yield rest.length > 0 ? Buffer.concat([...rest, piece]) : piece;
      rest = [];
      restBytes = 0;
      start = end + 1;
    }
    if (start === chunk.length) continue;
    rest.push(chunk.subarray(start));
    restBytes += chunk.length - start;
    if (restBytes > maxTokenBytes)
      throw new TargetError('The repository holds a name or a message larger than 16 MiB.');
  }
}

/**
 * Returns a path as text that can be displayed and stored anywhere: control characters and bytes that aren't UTF-8
 * become C escapes, as in git's output, so that different names stay different.
 */
export function pathText(path: Buffer): string {
  const text = isUtf8(path)
    ? path.toString('utf8')
    : path.toString('latin1').replace(/[\x80-\xff]/g, (byte) => `\\${byte.charCodeAt(0).toString(8)}`);
  return text.replace(/[\x00-\x1f\x7f-\x9f]/g, (character) => {
    if (character === '\n') return '\\n';
    if (character === '\t') return '\\t';
    return `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
}

function tooManyFiles(): TargetError {
  return new TargetError(
    `The repository lists more than ${maxFiles / 1e6} million files in one version, and is not scanned.`,
  );
}
