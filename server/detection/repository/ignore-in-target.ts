import { readBlobs } from './blob-reader.ts';
import { type BlobChange, listTree, type Repository } from './history.ts';
import { createIgnorer } from './ignore-comments.ts';
import type { PathTarget } from './path-target.ts';
import { createFileReader } from './walk-directory.ts';

/** Files with findings are smaller: detectors with lines skip larger ones. */
const maxFileBytes = 32 * 1024 ** 2;

/** Reads the comments that accept a risk from a commit's files. */
export function ignoreInCommit(repository: Repository, commit: string) {
  let ids: Map<string, string> | null = null;
  async function listIds() {
    const found = new Map<string, string>();
    for await (const { path, id } of listTree(repository, commit)) found.set(path, id);
    return found;
  }
  return createIgnorer(async function* (paths) {
    ids ??= await listIds();
    async function* requests(): AsyncGenerator<BlobChange> {
      for (const path of paths) {
        const id = ids!.get(path);
        if (id !== undefined) yield { path, id };
      }
    }
    for await (const { request, content } of readBlobs(repository, requests(), maxFileBytes)) {
      yield { path: request.path, content };
    }
  });
}

/** Reads the comments from files on disk. */
export function ignoreInFiles({ root }: NonNullable<PathTarget['files']>) {
  const read = createFileReader(root, maxFileBytes);
  return createIgnorer(async function* (paths) {
    for (const path of paths) yield { path, content: (await read(Buffer.from(path)))?.content ?? null };
  });
}
