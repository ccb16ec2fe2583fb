import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The depth to which git follows alternates of alternates. */
const maxAlternates = 5;

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return [];
  }
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

function unquoted(line: string): string {
  try {
    return line.startsWith('"') ? String(JSON.parse(line)) : line;
  } catch {
    return line;
  }
}

function addObjects(objects: string, found: Set<string>, depth: number): void {
  if (depth > maxAlternates || found.has(objects)) return;
  found.add(objects);
  for (const line of readLines(join(objects, 'info', 'alternates'))) {
    if (!line.startsWith('#')) addObjects(resolve(objects, unquoted(line)), found, depth + 1);
  }
}

/**
 * Returns the folders that git reads for a repository: `.git` may be a file that points to another folder, as in linked
 * work trees, and objects may be borrowed from other repositories.
 */
export function gitPaths(gitDirectory: string): string[] {
  const named = isFile(gitDirectory) ? /^gitdir: (.*)$/.exec(readLines(gitDirectory)[0] ?? '')?.[1] : undefined;
  const directory = named === undefined ? gitDirectory : resolve(dirname(gitDirectory), named);
  const [common = '.'] = readLines(join(directory, 'commondir'));
  const found = new Set([gitDirectory, directory, resolve(directory, common)]);
  addObjects(join(resolve(directory, common), 'objects'), found, 0);
  return [...found];
}
