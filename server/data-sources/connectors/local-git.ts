import { lstat, opendir, readFile, realpath, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { isMultiPackIndex, namesOnlyOwnPacks } from './multi-pack-index.ts';

type IsAllowed = (realPath: string) => boolean;

/** The reason to refuse a repository: the part of it that leads out. */
class Escape extends Error {}

const maxFileBytes = 1024 * 1024;
/**
 * Directories of a repository that are not read when serving a fetch. Submodules and worktrees are separate
 * repositories.
 */
const unread = new Set(['hooks', 'logs', 'modules', 'worktrees', 'lfs', 'annex']);

/**
 * Looks for anything that makes git read outside the allowed directories when it serves a fetch from `directory` (a
 * working tree or a bare repository, with links resolved): a linked or redirected `.git`, `commondir`, alternates,
 * links among its files, multi-pack indexes, included configuration, promisor remotes. `wayOut` is the first that leads
 * out or is broken; null if there is none. `gitDirectory` is null if there is no repository.
 */
export async function findEscape(
  directory: string,
  isAllowed: IsAllowed,
): Promise<{ gitDirectory: string | null; wayOut: string | null }> {
  try {
    const gitDirectory = await findGitDirectory(directory, isAllowed);
    if (gitDirectory !== null) await new Walk(isAllowed).visitRepository(gitDirectory);
    return { gitDirectory, wayOut: null };
  } catch (error) {
    if (error instanceof Escape) return { gitDirectory: null, wayOut: error.message };
    throw error;
  }
}

async function findGitDirectory(directory: string, isAllowed: IsAllowed): Promise<string | null> {
  const dotGit = join(directory, '.git');
  const found = await lstat(dotGit).catch(() => null);
  if (found === null) return (await isFile(join(directory, 'HEAD'))) ? directory : null;
  const real = await follow(dotGit, isAllowed, '.git link');
  if ((await stat(real)).isDirectory()) return real;
  const target = /^gitdir: ([^\n\r\0]+)[\n\r]*$/.exec(await read(real, '.git file'))?.[1];
  if (target === undefined) throw new Escape('.git file');
  return follow(resolve(directory, target), isAllowed, '.git file');
}

/** Returns the real path of something that git would follow. Throws an `Escape` if it is outside or missing. */
async function follow(path: string, isAllowed: IsAllowed, what: string): Promise<string> {
  const real = await realpath(path).catch(() => null);
  if (real === null || !isAllowed(real)) throw new Escape(what);
  return real;
}

async function read(path: string, what: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile() || found.size > maxFileBytes) throw new Escape(what);
  return readFile(path, 'latin1');
}

const isFile = (path: string) =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

const telling = new Set(['', 'objects', 'objects/info', 'objects/pack', 'objects/pack/multi-pack-index.d', 'reftable']);

/** A traversal of everything that a fetch may read. */
class Walk {
  readonly #isAllowed: IsAllowed;
  readonly #seen = new Set<string>();

  constructor(isAllowed: IsAllowed) {
    this.#isAllowed = isAllowed;
  }

  async visitRepository(gitDirectory: string): Promise<void> {
    const common = join(gitDirectory, 'commondir');
    if ((await lstat(common).catch(() => null)) !== null) {
      const target = (await read(await follow(common, this.#isAllowed, 'commondir'), 'commondir')).replace(
        /[\n\r]+$/,
        '',
      );
      await this.#visit(await follow(resolve(gitDirectory, target), this.#isAllowed, 'commondir'), '');
    }
    await this.#visit(gitDirectory, '');
  }

  /** Visits a directory; `place` is its path inside the repository. */
  async #visit(directory: string, place: string): Promise<void> {
    // Through links, a directory may be in several places, and git follows its files only in some of them.
    const visit = `${telling.has(place) ? place : '*'}\0${directory}`;
    if (this.#seen.has(visit)) return;
    this.#seen.add(visit);
    for await (const entry of await opendir(directory)) {
      if (place === '' && unread.has(entry.name)) continue;
      const path = join(directory, entry.name);
      const name = place === '' ? entry.name : `${place}/${entry.name}`;
      const real = entry.isSymbolicLink() ? await follow(path, this.#isAllowed, `link ${shown(name)}`) : path;
      const isDirectory = entry.isSymbolicLink() ? (await stat(real)).isDirectory() : entry.isDirectory();
      if (isDirectory) await this.#visit(real, name);
      else await this.#visitFile(real, name);
    }
  }

  async #visitFile(path: string, name: string): Promise<void> {
    if (name === 'config' || name === 'config.worktree') requirePlainConfiguration(await read(path, name), name);
    else if (name === 'reftable/tables.list') requireNames(await read(path, name), name);
    else if (name === 'objects/info/alternates') await this.#visitAlternates(path, name);
    else if (name === 'objects/info/http-alternates') throw new Escape(name);
    else if (isMultiPackIndex(name) && !(await namesOnlyOwnPacks(path))) throw new Escape(name);
  }

  async #visitAlternates(path: string, name: string): Promise<void> {
    // Git resolves them relative to the directory `objects`, after following a link.
    const objects = resolve(path, '../..');
    for (const line of (await read(path, name)).split('\n')) {
      if (line === '' || line.startsWith('#')) continue;
      if (line.startsWith('"')) throw new Escape(name);
      await this.#visit(
        await follow(resolve(objects, Buffer.from(line, 'latin1').toString()), this.#isAllowed, name),
        'objects',
      );
    }
  }
}

/** Refuses configuration that reads another file or fetches missing objects, and anything that looks like it. */
function requirePlainConfiguration(text: string, name: string): void {
  if (/\[\s*include/i.test(text)) throw new Escape(`include in ${name}`);
  if (/(^|\])\s*(partialclone|promisor)\s*(=|[#;]|$)/im.test(text)) throw new Escape(`promisor in ${name}`);
}

function requireNames(text: string, name: string): void {
  if (text.includes('/')) throw new Escape(name);
}

/** Formats a name from a hostile repository for messages. */
const shown = (name: string) =>
  relative('.', name)
    .replace(/[^\w./-]/g, '?')
    .slice(0, 60);
