import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { TargetError } from '../contract/target-error.ts';

/** A file of the target. `content` is null if the file is too large to read. */
export type SourceFile = { path: string; content: Buffer | null };

export type WriteRules = {
  /**
   * Names of files that are not written, because they would configure the tool. Case is ignored, as in some tools and
   * some file systems.
   */
  leaveOut: readonly string[];
  signal: AbortSignal;
  maxBytes?: number;
  maxFiles?: number;
};

export type WrittenFiles = { names: Set<string>; rootNames: Set<string>; warnings: string[] };

/** Larger files are not passed to tools. */
export const maxFileBytes = 32 * 1024 * 1024;

const maxPathLength = 3_000;
const maxNameBytes = 255;

/**
 * Writes files under `root`, which is new and private. Only regular, non-executable files are created and no links, so
 * no path leads out. Unsafe names (`..`, an absolute path, `.git`) are left out with a warning. Throws a TargetError if
 * there is too much.
 */
export async function writeFiles(
  root: string,
  files: AsyncIterable<SourceFile>,
  { leaveOut, signal, maxBytes = 8 * 1024 ** 3, maxFiles = 1_000_000 }: WriteRules,
): Promise<WrittenFiles> {
  const written: WrittenFiles = { names: new Set(), rootNames: new Set(), warnings: [] };
  const made = new Set<string>([root]);
  const excluded = new Set(leaveOut.map((name) => name.toLowerCase()));
  const left = { large: [] as string[], odd: [] as string[] };
  let bytes = 0;
  let count = 0;
  for await (const { path, content } of files) {
    signal.throwIfAborted();
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (excluded.has(name.toLowerCase())) continue;
    if (!isPlainPath(path)) left.odd.push(path);
    else if (content === null) left.large.push(path);
    else {
      bytes += content.length;
      count += 1;
      if (bytes > maxBytes || count > maxFiles) throw tooMuch(maxBytes, maxFiles);
      if (!(await writeNew(join(root, path), content, made))) left.odd.push(path);
      written.names.add(name);
      if (name === path) written.rootNames.add(name);
    }
  }
  if (left.large.length > 0) {
    written.warnings.push(`Files larger than 32 MiB were left out: ${listed(left.large)}.`);
  }
  if (left.odd.length > 0) {
    written.warnings.push(`Files whose names can't be written safely were left out: ${listed(left.odd)}.`);
  }
  return written;
}

/** Returns whether the path can refer only to one file below the root. */
const isPlainPath = (path: string): boolean =>
  path.length <= maxPathLength &&
  path.split('/').every((part) => {
    if (part === '' || part === '.' || part === '..' || part.includes('\0')) return false;
    return part.toLowerCase() !== '.git' && Buffer.byteLength(part) <= maxNameBytes;
  });

/** Returns false if the path already exists: a tree may list one name as a file and as a directory. */
async function writeNew(path: string, content: Buffer, made: Set<string>): Promise<boolean> {
  const directory = dirname(path);
  try {
    if (!made.has(directory)) await mkdir(directory, { recursive: true, mode: 0o700 });
    made.add(directory);
    await writeFile(path, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'EILSEQ'].includes(code)) return false;
    throw error;
  }
}

const listed = (paths: string[]): string =>
  paths.length > 5 ? `${paths.slice(0, 5).join(', ')} and ${paths.length - 5} more` : paths.join(', ');

const tooMuch = (maxBytes: number, maxFiles: number) =>
  new TargetError(
    `It holds more than ${Math.round(maxBytes / 1024 ** 3)} GiB or ${maxFiles} files, too much for a copy of it.`,
  );
