import type { Manifest } from './dependency.ts';
import { findManifestFormat } from './manifests/index.ts';

/** Where manifests are read from: a commit's tree, or files on disk. */
export type ManifestSource = {
  /** A file by its path; null when there is none. `content` is null above `mostManifestBytes`. */
  read(path: string): Promise<{ size: number; content: Buffer | null } | null>;
};

/** The largest lockfiles known have some 10 MiB. */
export const mostManifestBytes = 32 * 1024 * 1024;
const mostManifests = 20_000;
const mostDependencies = 2_000_000;

/** `unreadable`: paths of manifests that are there and could not be read; a warning tells why. */
export type ReadManifests = { manifests: Manifest[]; warnings: string[]; unreadable: string[] };

/** Whether a path is a manifest's, and none of a package that lies installed beside what uses it. */
export const isManifest = (path: string): boolean =>
  !/(?:^|\/)node_modules\//.test(path) && findManifestFormat(path) !== undefined;

/** Reads manifests one by one. What can't be read is told, with its path, and the rest goes on. */
export async function readManifests(
  paths: string[],
  source: ManifestSource,
  onRead: (count: number) => void = () => {},
): Promise<ReadManifests> {
  const result: ReadManifests = { manifests: [], warnings: [], unreadable: [] };
  let dependencies = 0;
  for (const [index, path] of paths.entries()) {
    if (index >= mostManifests || dependencies >= mostDependencies) {
      result.warnings.push(
        `Only ${index} of ${paths.length} manifests were read: there are bounds of ${mostManifests} manifests and ${mostDependencies / 1e6} million packages.`,
      );
      result.unreadable.push(...paths.slice(index));
      break;
    }
    const manifest = await readManifest(path, source, (warning) => result.warnings.push(warning));
    if (manifest) result.manifests.push(manifest);
    else result.unreadable.push(path);
    dependencies += manifest?.dependencies.length ?? 0;
    onRead(index + 1);
  }
  return result;
}

async function readManifest(
  path: string,
  source: ManifestSource,
  warn: (warning: string) => void,
): Promise<Manifest | null> {
  const format = findManifestFormat(path)!;
  const file = await source.read(path);
  if (!file?.content) {
    warn(
      file
        ? `${path} is larger than ${mostManifestBytes / 1024 ** 2} MiB and was not read.`
        : `${path} could not be read.`,
    );
    return null;
  }
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  try {
    const dependencies = await format.read(file.content.toString('utf8'), {
      read: async (relative) => {
        const included = resolveWithin(`${folder}${relative}`);
        return included === null ? null : ((await source.read(included))?.content?.toString('utf8') ?? null);
      },
      warn: (sentence) => warn(`${path}: ${sentence}`),
    });
    return { path, format: format.name, dependencies };
  } catch (error) {
    warn(`${path} could not be read as a ${format.name}: ${(error as Error).message}`);
    return null;
  }
}

/** A path without `.` and `..`; null when it leads out of the tree. */
function resolveWithin(path: string): string | null {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return null;
    } else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
