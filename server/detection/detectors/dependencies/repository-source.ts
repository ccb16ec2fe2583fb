import { readBlobs } from '../../repository/blob-reader.ts';
import { listTree, type Repository } from '../../repository/history.ts';
import { isManifest, type ManifestSource, maxManifestBytes } from './read-manifests.ts';

const maxOtherFiles = 200_000;

/** The manifests of a commit's tree. All are read through one git process; one more is started for each file that is included. */
export async function openTree(repository: Repository, commit: string): Promise<ManifestSource> {
  const manifests = new Map<string, string>();
  const others = new Map<string, string>();
  for await (const { path, id } of listTree(repository, commit)) {
    if (isManifest(path)) manifests.set(path, id);
    else if (mayBeIncluded(path) && others.size < maxOtherFiles) others.set(path, id);
  }
  async function* requests(wanted: Iterable<[path: string, id: string]>) {
    for (const [path, id] of wanted) yield { path, id };
  }
  async function* readAll(wanted: Iterable<[path: string, id: string]>) {
    for await (const { request, size, content } of readBlobs(repository, requests(wanted), maxManifestBytes)) {
      yield { path: request.path, file: size === null ? null : { content } };
    }
  }
  return {
    count: manifests.size,
    manifests: () => readAll(manifests),
    async read(path) {
      const id = manifests.get(path) ?? others.get(path);
      if (id === undefined) return null;
      for await (const { file } of readAll([[path, id]])) return file;
      return null;
    },
  };
}

/** What requirements may include, and what tells a distribution's release. */
export const mayBeIncluded = (path: string) => /\.(?:txt|in|pip)$|(?:^|\/)os-release$/.test(path);
