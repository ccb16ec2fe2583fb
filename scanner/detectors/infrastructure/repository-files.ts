import { readBlobs } from '../../repository/blob-reader.ts';
import { listTree, type Repository } from '../../repository/history.ts';
import { isInstalled } from '../../repository/layout.ts';
import { MissingFile } from '../../repository/read-failure.ts';
import { SkippedFiles } from '../../repository/skipped-files.ts';
import { noteOtherFormat } from './other-formats.ts';
import { guessKind, maxFileBytes, type SourceFile } from './scan-files.ts';

const maxFiles = 50_000;

export type RepositoryFiles = {
  count: number;
  /** The number of files beyond the limit, which are not read. */
  leftOut: number;
  skipped: SkippedFiles;
  /** Yields the files. Throws if the repository lacks a file that its tree lists. */
  read(): AsyncGenerator<SourceFile>;
};

/** Returns the reasons, as sentences, why some files are not read; empty if all are. */
export const whyPartial = ({ leftOut, count }: RepositoryFiles): string[] =>
  leftOut > 0 ? [`${leftOut} files beyond the first ${count} were not checked.`] : [];

/** Lists the files of a commit's tree that may be infrastructure, and reads them through one git process. */
export async function openRepositoryFiles(repository: Repository, commit: string): Promise<RepositoryFiles> {
  const certain: Array<Omit<SourceFile, 'content'> & { id: string }> = [];
  const guesses: typeof certain = [];
  const skipped = new SkippedFiles();
  for await (const { path, id } of listTree(repository, commit)) {
    const guess = guessKind(path);
    if (!isInstalled(path)) noteOtherFormat(skipped, path);
    if (!guess) continue;
    if (!isInstalled(path)) (guess.isGuess ? guesses : certain).push({ path, id, ...guess });
    else if (!guess.isGuess) skipped.add('packages', path);
  }
  const all = [...certain, ...guesses];
  const files = all.slice(0, maxFiles);
  const leftOut = all.length - files.length;
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
        yield { path: request.path, kind: request.kind, isGuess: request.isGuess, content };
      }
    },
  };
}
