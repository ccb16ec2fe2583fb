import { looksLikeManifest } from './file-kind.ts';
import { FileScanner, type Hit } from './file-scanner.ts';
import type { FileKind } from './rule.ts';

/** A file by its path; `content` is null above `maxFileBytes`, or when it could not be read. */
export type SourceFile = { path: string; kind: FileKind; content: Buffer | null };

/** `problem` completes the sentence "The file could not be read: ". */
export type FileResult = { path: string; hits: Hit[] } | { path: string; problem: string };

export const maxFileBytes = 2 * 1024 * 1024;
/** After this many hostile files, the rest are not read. */
const maxGivenUp = 10;

/** Reads files one by one and runs the checks of their kind. */
export async function* scanFiles(files: AsyncIterable<SourceFile>, signal: AbortSignal): AsyncGenerator<FileResult> {
  const scanner = new FileScanner();
  let givenUp = 0;
  try {
    for await (const { path, kind, content } of files) {
      signal.throwIfAborted();
      if (!content) {
        yield { path, problem: `it is larger than ${maxFileBytes / 1024 ** 2} MiB` };
        continue;
      }
      const text = content.toString('utf8');
      if (kind === 'kubernetes' && !looksLikeManifest(text)) continue;
      if (givenUp >= maxGivenUp) {
        yield { path, problem: `${maxGivenUp} files before it took too long` };
        continue;
      }
      const outcome = await scanner.scan(kind, text);
      if ('problem' in outcome && /^it took|^it takes|^reading it/.test(outcome.problem)) givenUp++;
      yield { path, ...outcome };
    }
  } finally {
    scanner.close();
  }
}

export const describeProblem = ({ path, problem }: { path: string; problem: string }): string =>
  `${path} could not be read: ${problem}.`;
