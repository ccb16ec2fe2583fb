import type { Manifest } from './dependency.ts';
import { findManifestFormat } from './manifests/index.ts';

/** Where manifests are read from: a commit's tree, or files on disk. */
export type ManifestSource = {
  /** The content of a file by its path; null when there is none, or when it is larger than `mostManifestBytes`. */
  read(path: string): Promise<{ size: number; content: Buffer | null } | null>;
};

/** The largest lockfiles known have some 10 MiB. */
export const mostManifestBytes = 32 * 1024 * 1024;
const mostManifests = 20_000;
const mostDependencies = 2_000_000;

export type ReadManifests = { manifests: Manifest[]; warnings: string[] };

/** Whether a path is a manifest's, and none of a package that lies installed beside what uses it. */
export const isManifest = (path: string): boolean =>
  !/(?:^|\/)node_modules\//.test(path) && findManifestFormat(path) !== undefined;

/** Reads manifests one by one. What can't be read is told, with its path, and the rest goes on. */
export async function readManifests(
  paths: Iterable<string>,
  source: ManifestSource,
  onRead: (count: number) => void = () => {},
): Promise<ReadManifests> {
  const result: ReadManifests = { manifests: [], warnings: [] };
  let dependencies = 0;
  for (const path of paths) {
    if (result.manifests.length >= mostManifests || dependencies >= mostDependencies) {
      result.warnings.push(
        `There are more than ${mostManifests} manifests or ${mostDependencies / 1e6} million packages: the rest was not read.`,
      );
      break;
    }
    const manifest = await readManifest(path, source, result.warnings);
    if (manifest) result.manifests.push(manifest);
    dependencies += manifest?.dependencies.length ?? 0;
    onRead(result.manifests.length);
  }
  return result;
}

async function readManifest(path: string, source: ManifestSource, warnings: string[]): Promise<Manifest | null> {
  const format = findManifestFormat(path)!;
  const file = await source.read(path);
  if (!file) return null;
  if (!file.content) {
    warnings.push(`${path} is larger than ${mostManifestBytes / 1024 ** 2} MiB and was not read.`);
    return null;
  }
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  try {
    const dependencies = await format.read(file.content.toString('utf8'), {
      read: async (relative) => {
        const included = resolveWithin(`${folder}${relative}`);
        return (included !== null && (await source.read(included))?.content?.toString('utf8')) || null;
      },
      warn: (sentence) => warnings.push(`${path}: ${sentence}`),
    });
    return { path, format: format.name, dependencies };
  } catch (error) {
    warnings.push(`${path} could not be read as ${format.name}: ${(error as Error).message}`);
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
