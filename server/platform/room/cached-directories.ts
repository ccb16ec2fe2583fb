import { randomBytes } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openExclusively } from '@assay/scanner/platform/exclusive-lock.ts';
import { directorySize } from './directory-size.ts';

/** A directory of the cache. `name` is its path inside the cache: two folders deep. */
export type CachedDirectory = { name: string; path: string; usedAt: number };

const lockName = 'in-use.lock';
const removedPrefix = '.removed-';

/**
 * Directories two folders deep below `root` that cost only time when they are lost. Directories in use stay; the
 * others can be removed, least recently used first. A file lock marks use for other processes.
 */
export class CachedDirectories {
  readonly #root: string;
  /** Names of entries that are kept when their directory is removed. */
  readonly #lasting: ReadonlySet<string>;
  readonly #inUse = new Map<string, { users: number; lock: DatabaseSync | null }>();

  constructor(root: string, lasting: string[] = []) {
    this.#root = root;
    this.#lasting = new Set([...lasting, lockName]);
  }

  /** Runs `work` while the directories with these names can't be removed. */
  async whileUsed<T>(names: string[], work: () => Promise<T>): Promise<T> {
    const acquired: string[] = [];
    try {
      for (const name of names) {
        acquired.push(name);
        await this.#acquire(name);
      }
      return await work();
    } finally {
      for (const name of acquired) await this.#release(name);
    }
  }

  async #acquire(name: string): Promise<void> {
    const present = this.#inUse.get(name);
    if (present) {
      present.users += 1;
      return;
    }
    const entry: { users: number; lock: DatabaseSync | null } = { users: 1, lock: null };
    this.#inUse.set(name, entry);
    const path = join(this.#root, name);
    await mkdir(path, { recursive: true, mode: 0o700 });
    // If another process has the lock, the directory is protected just as well.
    entry.lock = openExclusively(join(path, lockName));
    await touch(join(path, lockName));
  }

  async #release(name: string): Promise<void> {
    const entry = this.#inUse.get(name)!;
    entry.users -= 1;
    if (entry.users > 0) return;
    this.#inUse.delete(name);
    await touch(join(this.#root, name, lockName));
    entry.lock?.close();
  }

  /** Lists the directories, least recently used first. */
  async list(): Promise<CachedDirectory[]> {
    const found: CachedDirectory[] = [];
    for (const outer of await namesIn(this.#root)) {
      for (const inner of await namesIn(join(this.#root, outer))) {
        const path = join(this.#root, outer, inner);
        const marked = await stat(join(path, lockName)).catch(() => stat(path).catch(() => null));
        if (marked) found.push({ name: `${outer}/${inner}`, path, usedAt: marked.mtimeMs });
      }
    }
    return found.sort((a, b) => a.usedAt - b.usedAt);
  }

  /** Removes a directory's content and returns its size; null when it is in use, or has nothing to remove. */
  async remove({ name, path }: CachedDirectory): Promise<number | null> {
    const entries = (await readdir(path).catch(() => [])).filter((entry) => !this.#lasting.has(entry));
    if (entries.length === 0) return null;
    const removed = join(this.#root, `${removedPrefix}${randomBytes(6).toString('hex')}`);
    await mkdir(removed, { recursive: true, mode: 0o700 });
    // There is no await from here to the last rename, so that no scan of this process starts in between.
    const lock = this.#inUse.has(name) ? null : openExclusively(join(path, lockName));
    try {
      if (!lock) return null;
      for (const entry of entries) renameSync(join(path, entry), join(removed, entry));
      return await directorySize(removed);
    } finally {
      lock?.close();
      await rm(removed, { recursive: true, force: true });
    }
  }

  /** Removes leftovers of a process that was killed while it removed directories. */
  async removeLeftovers(): Promise<void> {
    if (!existsSync(this.#root)) return;
    for (const name of await readdir(this.#root)) {
      if (name.startsWith(removedPrefix)) await rm(join(this.#root, name), { recursive: true, force: true });
    }
  }
}

async function touch(file: string): Promise<void> {
  const now = new Date();
  await utimes(file, now, now).catch(() => {});
}

async function namesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name);
}
