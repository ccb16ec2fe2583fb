import { readBlobs } from './blob-reader.ts';
import { listBlobs, type Repository } from './history.ts';
import { createCommentIgnorer, createIgnorer, type ReadFiles, readDecisions } from './ignore-comments.ts';
import type { PathTarget } from './path-target.ts';
import { createFileReader } from './walk-directory.ts';

/** Files with findings are smaller: detectors with lines skip larger ones. */
const maxFileBytes = 32 * 1024 ** 2;

const timeoutMs = 600_000;

type Access = Omit<Repository, 'timeoutMs'>;

function readerOf(access: Access, commit: string): ReadFiles {
  const repository = { ...access, timeoutMs };
  return async function* (paths) {
    const blobs = listBlobs(repository, commit, paths);
    for await (const { request, content } of readBlobs(repository, blobs, maxFileBytes))
      yield { path: request.path, content };
  };
}

/** Reads the comments that accept a risk, and the file of decisions, from a commit's files. */
export const ignoreInCommit = (access: Access, commit: string) => createIgnorer(readerOf(access, commit));

/** Reads the comments alone from a commit's files. */
export const ignoreByCommentsIn = (access: Access, commit: string) => createCommentIgnorer(readerOf(access, commit));

/** Reads a commit's file of decisions; null if it has none. */
export const readDecisionsOf = (access: Access, commit: string) => readDecisions(readerOf(access, commit));

/** Reads the comments from files on disk. */
export function ignoreInFiles({ root }: NonNullable<PathTarget['files']>) {
  const read = createFileReader(root, maxFileBytes);
  return createIgnorer(async function* (paths) {
    for (const path of paths) yield { path, content: (await read(Buffer.from(path)))?.content ?? null };
  });
}
