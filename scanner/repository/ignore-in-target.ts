import { readBlobs } from './blob-reader.ts';
import { listBlobs, type Repository } from './history.ts';
import { createIgnorer } from './ignore-comments.ts';
import type { PathTarget } from './path-target.ts';
import { createFileReader } from './walk-directory.ts';

/** Files with findings are smaller: detectors with lines skip larger ones. */
const maxFileBytes = 32 * 1024 ** 2;

const timeoutMs = 600_000;

/** Reads the comments that accept a risk from a commit's files. */
export function ignoreInCommit(access: Omit<Repository, 'timeoutMs'>, commit: string) {
  const repository = { ...access, timeoutMs };
  return createIgnorer(async function* (paths) {
    for await (const { request, content } of readBlobs(
      repository,
      listBlobs(repository, commit, paths),
      maxFileBytes,
    )) {
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
