import { readBlobs } from '../../repository/blob-reader.ts';
import { listTree, type Repository } from '../../repository/history.ts';
import { isInstalled } from '../../repository/layout.ts';
import { SkippedFiles } from '../../repository/skipped-files.ts';
import { fileKindOf } from './file-kind.ts';
import { maxFileBytes, type SourceFile } from './scan-files.ts';

const maxFiles = 50_000;

export type RepositoryFiles = {
  count: number;
  /** The number of files beyond the limit, which are not read. */
  leftOut: number;
  skipped: SkippedFiles;
  /** Yields the files. Throws when the repository lacks a file that its tree lists. */
  read(): AsyncGenerator<SourceFile>;
};

/** Lists the files of a commit's tree that may be infrastructure, and reads them through one git process. */
export async function openRepositoryFiles(repository: Repository, commit: string): Promise<RepositoryFiles> {
  const files: Array<Omit<SourceFile, 'content'> & { id: string }> = [];
  const skipped = new SkippedFiles();
  let leftOut = 0;
  for await (const { path, id } of listTree(repository, commit)) {
    const kind = fileKindOf(path);
    if (!kind) continue;
    if (isInstalled(path)) skipped.add('packages', path);
    else if (files.length < maxFiles) files.push({ path, kind, id });
    else leftOut++;
  }
  async function* requests() {
    yield* files;
  }
  return {
    count: files.length,
    leftOut,
    skipped,
    async *read() {
      for await (const { request, size, content } of readBlobs(repository, requests(), maxFileBytes)) {
        if (size === null) throw new MissingFile(request.path);
        yield { path: request.path, kind: request.kind, content };
      }
    },
  };
}

/** The fetched repository is damaged. */
export class MissingFile extends Error {}
