import { mkdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { TargetError } from '../contract/target-error.ts';
import { runGit } from '../platform/git.ts';
import { readBlobs } from '../repository/blob-reader.ts';
import { pathText, type Repository } from '../repository/history.ts';
import { openPath, openWorkTree, type PathTarget } from '../repository/path-target.ts';
import { maxFileBytes, writeFiles } from '../repository/write-files.ts';

/**
 * `staged`: the next commit. `diff`: two commits as `BASE..HEAD`, compared from their merge base; `BASE` by itself is
 * compared with the work tree.
 */
export type Changes = { staged: true; indexFile: string | null } | { diff: string };

/** The changed files and their earlier versions, which are written only on demand. */
export type ChangedTarget = { target: PathTarget; openBefore(): Promise<PathTarget> };

/** A file's entry in a comparison; `id` is null if it is absent or not a regular file. */
type Change = { path: string; before: string | null; after: string | null };

const timeoutMs = 600_000;

/** Opens the changed files of a work tree. Throws a TargetError if they can't be determined. */
export async function openChanges(
  path: string,
  changes: Changes,
  context: { home: string; signal: AbortSignal },
): Promise<ChangedTarget> {
  const opened = await openPath(path, context);
  const root = await realpath(resolve(path));
  const tree = opened.files && opened.kind === 'git_repository' ? await openWorkTree(root, context) : null;
  if (!tree) throw new TargetError(`${path} is not the top folder of a git work tree: changes are known only there.`);
  const repository: Repository = { ...context, gitDirectory: tree.gitDirectory, timeoutMs };
  const git = async (words: string[], environment: Record<string, string> = {}) => {
    return (await runGit(words, { ...repository, directory: root, environment })).stdout;
  };
  const isStaged = 'staged' in changes;
  const [baseName = '', headName] = isStaged ? [] : readRange(changes.diff);
  const isOnDisk = !isStaged && headName === undefined;
  const head = headName === undefined ? (opened.repository?.head ?? null) : await findCommit(headName, tree);
  const indexFile = isStaged && changes.indexFile ? resolve(root, changes.indexFile) : tree.indexFile;
  const base = isStaged ? head : await findBase(baseName, head, tree, repository);
  const emptyTree = async () => (await git(['hash-object', '-t', 'tree', '--stdin'])).toString().trim();
  const trees = [base ?? (await emptyTree()), ...(headName === undefined ? [] : [head!])];
  const command = headName === undefined ? ['diff-index', ...(isStaged ? ['--cached'] : [])] : ['diff-tree'];
  const options = ['--raw', '-z', '-r', '-M', '--no-abbrev', '--no-ext-diff', '--ignore-submodules'];
  const listed = await git([...command, ...options, ...trees, '--'], {
    GIT_INDEX_FILE: indexFile,
    GIT_WORK_TREE: root,
  });
  const changed = readChanges(listed);
  const untracked = isOnDisk ? await tree.listUntracked() : [];
  const targetOf = (files: PathTarget['files']): PathTarget => ({
    ...opened,
    warnings: opened.warnings.filter((warning) => isStaged || !/shallow/.test(warning)),
    files,
    repository: opened.repository && head ? { ...opened.repository, head, since: base ?? head } : null,
  });
  const write = (name: string, blobs: Array<{ path: string; id: string }>, target: PathTarget) =>
    writeBlobs(join(context.home, name), blobs, repository, target);
  const present = changed.flatMap(({ path, after }) => (after === null ? [] : [{ path, id: after }]));
  const earlier = changed.flatMap(({ path, before }) => (before === null ? [] : [{ path, id: before }]));
  const target = targetOf(null);
  return {
    target: isOnDisk
      ? { ...target, files: { root, list: () => listPaths([...present.map(({ path }) => path), ...untracked]) } }
      : await write('after', present, target),
    // The earlier versions have no history.
    openBefore: () => write('before', earlier, { ...target, repository: head ? { ...tree, head, since: head } : null }),
  };
}

type WorkTree = { resolve(ref: string): Promise<string | null> };

/** Parses `BASE..HEAD` like git: a missing side is HEAD. */
function readRange(diff: string): string[] {
  const sides = diff.split(/\.{2,3}/);
  if (sides.length > 2 || diff === '') throw new TargetError(`${diff} is no range of commits: write it as BASE..HEAD.`);
  return sides.map((side) => side || 'HEAD');
}

async function findCommit(name: string, tree: WorkTree): Promise<string> {
  const commit = await tree.resolve(name);
  if (!commit) throw new TargetError(`There is no commit ${name} here. Fetch it, or name another.`);
  return commit;
}

async function findBase(ref: string, head: string | null, tree: WorkTree, repository: Repository) {
  const commit = await findCommit(ref, tree);
  if (!head) return commit;
  const { stdout, exitCode } = await runGit(['merge-base', commit, head], { ...repository, exitCodes: [0, 1] });
  if (exitCode === 0) return stdout.toString().trim();
  throw new TargetError(
    `${ref} has no commit in common with this branch here. In a shallow clone, fetch more history.`,
  );
}

/** Reads `:mode mode id id status`, with one path, or the old and the new path of a renamed file. */
function readChanges(listed: Buffer): Change[] {
  const words = listed.toString('latin1').split('\0');
  const changes: Change[] = [];
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [oldMode = '', newMode = '', before = '', after = '', status = ''] = words[at]!.slice(1).split(' ');
    if (/^[RC]/.test(status)) at++;
    const regular = (mode: string, id: string) => (mode.startsWith('100') ? id : null);
    const path = pathText(Buffer.from(words[at + 1]!, 'latin1'));
    changes.push({ path, before: regular(oldMode, before), after: regular(newMode, after) });
  }
  return changes;
}

async function* listPaths(paths: string[]): AsyncGenerator<Buffer> {
  for (const path of paths) yield Buffer.from(path);
}

async function writeBlobs(
  root: string,
  blobs: Array<{ path: string; id: string }>,
  repository: Repository,
  target: PathTarget,
): Promise<PathTarget> {
  async function* requests() {
    yield* blobs;
  }
  async function* files() {
    for await (const { request, content } of readBlobs(repository, requests(), maxFileBytes)) {
      yield { path: request.path, content };
    }
  }
  const { signal = new AbortController().signal } = repository;
  await mkdir(root, { mode: 0o700 });
  const { warnings } = await writeFiles(root, files(), { leaveOut: [], signal });
  const list = () => listPaths(blobs.map(({ path }) => path));
  return { ...target, files: { root, list }, warnings: [...target.warnings, ...warnings] };
}
