import { readBlobs } from '../../repository/blob-reader.ts';
import { listTree, type Repository } from '../../repository/history.ts';
import { SkippedFiles } from '../../repository/skipped-files.ts';
import { isInstalledManifest, isManifest, type ManifestSource, maxManifestBytes } from './read-manifests.ts';

const maxOtherFiles = 200_000;

/** The manifests of a commit's tree. One git process reads them all; each included file needs another. */
export async function openTree(repository: Repository, commit: string): Promise<ManifestSource> {
  const manifests = new Map<string, string>();
  const others = new Map<string, string>();
  const skipped = new SkippedFiles();
  for await (const { path, id } of listTree(repository, commit)) {
    if (isManifest(path)) manifests.set(path, id);
    else if (isInstalledManifest(path)) skipped.add('packages', path);
    else if (mayBeIncluded(path) && others.size < maxOtherFiles) others.set(path, id);
  }
  async function* requests(entries: Iterable<[path: string, id: string]>) {
    for (const [path, id] of entries) yield { path, id };
  }
  async function* readAll(entries: Iterable<[path: string, id: string]>) {
    for await (const { request, size, content } of readBlobs(repository, requests(entries), maxManifestBytes)) {
      yield { path: request.path, file: size === null ? null : { content } };
    }
  }
  return {
    count: manifests.size,
    skipped,
    manifests: () => readAll(manifests),
    async read(path) {
      const id = manifests.get(path) ?? others.get(path);
      if (id === undefined) return null;
      for await (const { file } of readAll([[path, id]])) return file;
      return null;
    },
  };
}

/** Files that requirements may include, and files with a distribution's release. */
export const mayBeIncluded = (path: string) => /\.(?:txt|in|pip)$|(?:^|\/)os-release$/.test(path);
