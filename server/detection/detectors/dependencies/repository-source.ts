import { readBlobs } from '../secrets/blob-reader.ts';
import { listTree, type Repository } from '../secrets/history.ts';
import { isManifest, type ManifestSource, mostManifestBytes } from './read-manifests.ts';

const mostOtherFiles = 200_000;

/** The manifests of a commit's tree, and how to read them. Files that requirements may include can be read too. */
export async function openTree(
  repository: Repository,
  commit: string,
): Promise<{ paths: string[]; source: ManifestSource }> {
  const manifests = new Map<string, string>();
  const others = new Map<string, string>();
  for await (const { path, id } of listTree(repository, commit)) {
    if (isManifest(path)) manifests.set(path, id);
    else if (mayBeIncluded(path) && others.size < mostOtherFiles) others.set(path, id);
  }
  const source: ManifestSource = {
    async read(path) {
      const id = manifests.get(path) ?? others.get(path);
      return id === undefined ? null : readBlob(repository, id);
    },
  };
  return { paths: [...manifests.keys()], source };
}

/** What requirements may include, and what tells a distribution's release. */
export const mayBeIncluded = (path: string) => /\.(?:txt|in|pip)$|(?:^|\/)os-release$/.test(path);

async function readBlob(repository: Repository, id: string) {
  const one = (async function* () {
    yield { id };
  })();
  for await (const { size, content } of readBlobs(repository, one, mostManifestBytes)) {
    if (size === null) throw new Error('The repository lacks a file that its tree lists.');
    return { size, content };
  }
  return null;
}
