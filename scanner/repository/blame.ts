import { runGit } from '../platform/git.ts';
import { storableText } from '../platform/storable-text.ts';
import type { Repository } from './history.ts';

/** The commit that wrote a line, with its author. Git verifies neither the name nor the address. */
export type Blame = {
  commit: string;
  /** The line in that commit. */
  line: number;
  author: { name: string; email: string };
  committerEmail: string;
};

/** A range of lines; both ends count. */
export type Lines = { first: number; last: number };

/** Git follows a file through its whole history, which may be long. */
const timeoutMs = 15_000;
const maxOutput = 64 * 1024 ** 2;
/** The ranges of one process. */
const maxRanges = 500;
const maxName = 200;

type Access = Pick<Repository, 'home' | 'signal' | 'gitDirectory'>;

/**
 * Returns, for each range of lines of a commit's file, the newest of the commits that wrote them; null where the history
 * does not show it: in a shallow clone, and when git takes too long.
 */
export async function blameLines(
  access: Access,
  { commit, path, isShallow }: { commit: string; path: string; isShallow: boolean },
  ranges: Lines[],
): Promise<Array<Blame | null>> {
  const some = ranges.slice(0, maxRanges);
  const written = await blame(access, { commit, path, isShallow }, some).catch(() => {
    access.signal?.throwIfAborted();
    return null;
  });
  if (written === null) return ranges.map(() => null);
  const people = await findAuthors(access, [...new Set([...written.values()].map(({ commit }) => commit))]);
  return ranges.map(({ first, last }, index) => {
    if (index >= maxRanges) return null;
    let newest: { at: number; blame: Blame } | null = null;
    for (let line = first; line <= last; line++) {
      const found = written.get(line);
      const person = found && people.get(found.commit);
      // A line whose author is unknown may be the one that matters.
      if (!person) return null;
      const { at, ...author } = person;
      if (newest === null || at > newest.at) newest = { at, blame: { ...found, ...author } };
    }
    return newest?.blame ?? null;
  });
}

type Written = { commit: string; line: number };

async function blame(
  access: Access,
  { commit, path, isShallow }: { commit: string; path: string; isShallow: boolean },
  ranges: Lines[],
): Promise<Map<number, Written>> {
  // The first commits of a shallow clone seem to have written everything: they are left out as boundaries.
  const command = ['blame', '--porcelain', '--no-textconv', ...(isShallow ? [] : ['--root'])];
  const lines = ranges.map(({ first, last }) => `-L${first},${last}`);
  const { stdout } = await runGit([...command, ...lines, commit, '--', path], {
    ...access,
    timeoutMs,
    outputBytes: maxOutput,
  });
  const written = new Map<number, Written>();
  const boundaries = new Set<string>();
  let current = '';
  for (const text of stdout.toString('latin1').split('\n')) {
    const [, id, original, final] = /^([0-9a-f]{40,64}) (\d+) (\d+)(?: \d+)?$/.exec(text) ?? [];
    if (id) {
      current = id;
      written.set(Number(final), { commit: id, line: Number(original) });
    } else if (text === 'boundary') boundaries.add(current);
  }
  for (const [line, { commit: id }] of written) if (boundaries.has(id)) written.delete(line);
  return written;
}

type Person = Pick<Blame, 'author' | 'committerEmail'> & { at: number };

const cleanText = (text: string) => storableText(text.replace(/\p{C}/gu, ' ')).trim().slice(0, maxName);

/** The repository's own mailmap is not read: it could rename the authors of other people's commits. */
async function findAuthors(access: Access, commits: string[]): Promise<Map<string, Person>> {
  const people = new Map<string, Person>();
  if (commits.length === 0) return people;
  const format = '--format=tformat:%H%x00%an%x00%ae%x00%ce%x00%ct';
  const { stdout } = await runGit(['log', '--no-walk=unsorted', '--no-mailmap', '--no-color', format, '--stdin'], {
    ...access,
    timeoutMs,
    outputBytes: maxOutput,
    input: `${commits.join('\n')}\n`,
  });
  for (const line of stdout.toString('utf8').split('\n')) {
    const [id, name, email, committer, at] = line.split('\0');
    if (!id || at === undefined) continue;
    const author = { name: cleanText(name!), email: cleanText(email!) };
    people.set(id, { author, committerEmail: cleanText(committer!), at: Number(at) });
  }
  return people;
}
