import { runGit, startGit } from '../platform/git.ts';
import { pathText, type Repository, splitAtZero } from './history.ts';

/**
 * The identifying path of each renamed file: its first path. It lets a finding keep its identity when its file moves.
 * Files that were never renamed are not included.
 */
export type KnownPaths = Map<string, string>;

/** Above this number of added and removed files in one commit, only files that moved unchanged count as renamed. */
const maxCandidates = 1_000;

/**
 * Returns the identifying paths of files at `head`. The first call follows the whole first-parent history, so that the
 * result depends only on the repository. With the result of an earlier scan it reads only new commits: along the
 * history if that contains `known.head`, otherwise (after a force-push) by comparing the two trees, as long as the old
 * commit still exists. `pathspecs` limit it to relevant files. Throws a ProgramError if git fails.
 */
export async function followRenames(
  repository: Repository,
  head: string,
  known: { head: string; paths: KnownPaths } | null,
  pathspecs: string[],
): Promise<KnownPaths> {
  if (known?.head === head) return known.paths;
  const usable = known && (await exists(repository, known.head)) ? known : null;
  const paths: KnownPaths = new Map(usable?.paths);
  const range = usable ? [head, `^${usable.head}`] : [head];
  const inHistory = !usable || (await isOnFirstParents(repository, usable.head, head));
  const detect = ['-r', '-z', '--raw', '--no-abbrev', '-M', `-l${maxCandidates}`, '--diff-filter=ADR'];
  const commandLine = inHistory
    ? [
        ...['log', '--first-parent', '--diff-merges=first-parent', '--reverse', '--format=', '--root', '--no-color'],
        ...['--no-notes', '--no-ext-diff', '--no-show-signature', '--no-textconv', ...detect, ...range],
      ]
    : ['diff-tree', '--no-ext-diff', '--no-textconv', ...detect, usable!.head, head];
  const taken = new Set(paths.values());
  for await (const change of readChanges(repository, [...commandLine, '--', ...pathspecs])) apply(paths, taken, change);
  return paths;
}

type Change = { kind: 'A' | 'D' | 'R'; path: string; to: string };

async function* readChanges(repository: Repository, commandLine: string[]): AsyncGenerator<Change> {
  const git = startGit(commandLine, repository);
  git.stdin.end();
  let kind: string | null = null;
  let from: string | null = null;
  for await (const token of splitAtZero(git.stdout)) {
    if (kind === null) {
      // An empty line separates commits.
      const entry = token.toString('latin1').trim();
      if (entry.startsWith(':')) kind = entry.split(' ').at(-1)!.charAt(0);
    } else if (kind === 'R' && from === null) {
      from = pathText(token);
    } else {
      const path = pathText(token);
      yield { kind: kind as Change['kind'], path: from ?? path, to: path };
      kind = null;
      from = null;
    }
  }
  await git.finished;
}

/** `taken`: the values of `paths`. */
function apply(paths: KnownPaths, taken: Set<string>, { kind, path, to }: Change): void {
  const known = paths.get(path);
  if (kind === 'D') {
    paths.delete(path);
    if (known !== undefined) taken.delete(known);
  } else if (kind === 'R') {
    paths.delete(path);
    if (known === to) taken.delete(to);
    else taken.add(known ?? path);
    if (known !== to) paths.set(to, known ?? path);
  } else if (taken.has(path)) {
    const name = unusedName(taken, path);
    paths.set(path, name);
    taken.add(name);
  }
}

/** For a new file at the identifying path of another. */
function unusedName(taken: Set<string>, path: string): string {
  let number = 2;
  while (taken.has(`${path}\n${number}`)) number++;
  return `${path}\n${number}`;
}

async function exists(repository: Repository, commit: string): Promise<boolean> {
  const options = { ...repository, exitCodes: [0, 1, 128] };
  return (await runGit(['cat-file', '-e', `${commit}^{commit}`], options)).exitCode === 0;
}

async function isOnFirstParents(repository: Repository, older: string, newer: string): Promise<boolean> {
  const { stdout } = await runGit(['rev-list', '--first-parent', '--count', newer, `^${older}`, '--'], repository);
  const options = { ...repository, exitCodes: [0, 1, 128] };
  const found = await runGit(['rev-parse', '--verify', '--quiet', `${newer}~${Number(stdout.toString())}`], options);
  return found.exitCode === 0 && found.stdout.toString().trim() === older;
}
