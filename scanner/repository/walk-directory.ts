import { constants } from 'node:fs';
import { open, readdir, realpath } from 'node:fs/promises';

/** Contains third-party packages in great numbers. */
const packages = Buffer.from('node_modules');
const gitDirectory = Buffer.from('.git');
const slash = Buffer.from('/');

/**
 * Lists every regular file under `root`, in a fixed order, as relative paths in bytes (names need not be UTF-8). Links
 * are never followed; directories named `.git` and `node_modules` are skipped. Those with packages are reported to `skipped`,
 * and a directory that can't be read to `unreadable`.
 */
export async function* walkDirectory(
  root: string,
  report: Record<'skipped' | 'unreadable', (warning: string) => void>,
): AsyncGenerator<Buffer> {
  const pending: Buffer[] = [Buffer.alloc(0)];
  const skipped = { count: 0, example: '' };
  for (let directory = pending.pop(); directory; directory = pending.pop()) {
    const full = under(root, directory);
    const entries = await readdir(full, { withFileTypes: true, encoding: 'buffer' }).catch(() => null);
    if (!entries) {
      report.unreadable(`The directory ${directory.toString()} could not be read.`);
      continue;
    }
    entries.sort((a, b) => Buffer.compare(a.name, b.name));
    const below: Buffer[] = [];
    for (const entry of entries) {
      const path = directory.length > 0 ? Buffer.concat([directory, slash, entry.name]) : entry.name;
      if (entry.isFile()) yield path;
      else if (!entry.isDirectory() || entry.name.equals(gitDirectory)) continue;
      else if (!entry.name.equals(packages)) below.push(path);
      else if (skipped.count++ === 0) skipped.example = path.toString();
    }
    pending.push(...below.reverse());
  }
  const { count, example } = skipped;
  if (count > 0)
    report.skipped(
      `Not read: ${count === 1 ? 'a folder' : `${count} folders`} of installed packages, such as ${example}.`,
    );
}

export type FileContent = { size: number; content: Buffer | null };

/**
 * Reads files under a directory with untrusted contents: a link in place of the file or of a directory never leads out
 * of it. Returns null if the path is not, or no longer, a regular file; `content` is null above `maxBytes`.
 */
export function createFileReader(root: string, maxBytes: number): (path: Buffer) => Promise<FileContent | null> {
  const trusted = new Map<string, boolean>();
  return async (path) => {
    const parent = path.subarray(0, Math.max(0, path.lastIndexOf(47)));
    const key = parent.toString('latin1');
    let inside = trusted.get(key);
    if (inside === undefined) {
      inside = await isInPlace(root, parent);
      trusted.set(key, inside);
    }
    return inside ? readRegularFile(under(root, path), maxBytes) : null;
  };
}

async function isInPlace(root: string, directory: Buffer): Promise<boolean> {
  const full = under(root, directory);
  try {
    return (await realpath(full, 'buffer')).equals(full);
  } catch {
    return false;
  }
}

async function readRegularFile(path: Buffer, maxBytes: number): Promise<FileContent | null> {
  // Without O_NONBLOCK, opening a pipe would block forever.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => null);
  if (!file) return null;
  try {
    const information = await file.stat();
    if (!information.isFile()) return null;
    const { size } = information;
    return { size, content: size <= maxBytes ? await file.readFile() : null };
  } finally {
    await file.close();
  }
}

function under(root: string, path: Buffer): Buffer {
  return path.length > 0 ? Buffer.concat([Buffer.from(root), slash, path]) : Buffer.from(root);
}
