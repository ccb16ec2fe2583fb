import { decodeText } from '../../platform/text-encoding.ts';
import type { SkippedFiles } from '../../repository/skipped-files.ts';
import type { Dependency, Manifest } from './dependency.ts';
import { findManifestFormat } from './manifests/index.ts';

/** `content` is null above `maxManifestBytes`. */
type SourceFile = { content: Buffer | null };

/** A source of manifests: a commit's tree, or files on disk. */
export type ManifestSource = {
  /** The number of manifests. */
  count: number;
  /** Manifests of installed packages. */
  skipped: SkippedFiles;
  /** Yields every manifest; `file` is null if the manifest could not be read. */
  manifests(): AsyncIterable<{ path: string; file: SourceFile | null }>;
  /** Returns another file of the same tree that a manifest includes; null if it is missing. */
  read(path: string): Promise<SourceFile | null>;
};

/** The largest known lockfiles have about 10 MiB. */
export const maxManifestBytes = 32 * 1024 * 1024;
const maxDependencies = 2_000_000;

/** `unreadable`: paths of manifests that exist but could not be read; a warning has the reason. */
export type ReadManifests = { manifests: Manifest[]; warnings: string[]; unreadable: string[] };

const inPackages = /(?:^|\/)node_modules\//;

/** Returns whether a path is a manifest's outside of installed packages. */
export const isManifest = (path: string): boolean => !inPackages.test(path) && findManifestFormat(path) !== undefined;
/** Returns whether a path is within installed packages, which the project's own manifest lists. */
export const isInstalledManifest = (path: string): boolean =>
  inPackages.test(path) && findManifestFormat(path) !== undefined;

/** Reads manifests one by one. An unreadable one becomes a warning with its path, and the others are still read. */
export async function readManifests(
  source: ManifestSource,
  onRead: (count: number) => void = () => {},
): Promise<ReadManifests> {
  const result: ReadManifests = { manifests: [], warnings: [], unreadable: [] };
  let [dependencies, count] = [0, 0];
  for await (const { path, file } of source.manifests()) {
    const isOneTooMany = dependencies >= maxDependencies;
    const manifest = isOneTooMany
      ? null
      : await readManifest(path, file, source, (warning) => result.warnings.push(warning));
    if (manifest) result.manifests.push(manifest);
    else result.unreadable.push(path);
    if (isOneTooMany)
      result.warnings.push(`${path} was not read: there are more than ${maxDependencies / 1e6} million packages.`);
    dependencies += manifest?.dependencies.length ?? 0;
    onRead(++count);
  }
  return result;
}

async function readManifest(
  path: string,
  file: SourceFile | null,
  source: ManifestSource,
  warn: (warning: string) => void,
): Promise<Manifest | null> {
  const format = findManifestFormat(path)!;
  if (!file?.content) {
    warn(
      file
        ? `${path} is larger than ${maxManifestBytes / 1024 ** 2} MiB and was not read.`
        : `${path} could not be read.`,
    );
    return null;
  }
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  try {
    const dependencies = await format.read(decodeText(file.content), {
      read: async (relative) => {
        const included = resolveWithin(`${folder}${relative}`);
        const content = included === null ? null : (await source.read(included))?.content;
        return content ? decodeText(content) : null;
      },
      warn: (sentence) => warn(`${path}: ${sentence}`),
    });
    return { path, format: format.name, dependencies: dependencies.map((dependency) => located(dependency, folder)) };
  } catch (error) {
    warn(`${path} could not be read as a ${format.name}: ${(error as Error).message}`);
    return null;
  }
}

function located(dependency: Dependency, folder: string): Dependency {
  if (dependency.includedFrom === undefined) return dependency;
  return { ...dependency, includedFrom: resolveWithin(`${folder}${dependency.includedFrom}`)! };
}

/** Returns a path without `.` and `..`; null if it leads out of the tree. */
function resolveWithin(path: string): string | null {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return null;
    } else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
