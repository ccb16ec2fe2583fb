import { fileKindOf, kindByContent, mayBeTemplate } from './file-kind.ts';
import { type FileResult, FileScanner } from './file-scanner.ts';
import type { FileKind } from './rule.ts';
import { HelmCharts } from './scan-charts.ts';
import { TerraformEstate } from './scan-terraform.ts';

/**
 * A file by its path; `content` is null above `maxFileBytes`, or when it could not be read. The kind of a guess is
 * certain only by its content.
 */
export type SourceFile = { path: string; kind: FileKind; isGuess?: boolean; content: Buffer | null };

/** Returns the kind of a file by its path, or null. */
export function guessKind(path: string): Pick<SourceFile, 'kind' | 'isGuess'> | null {
  const kind = fileKindOf(path);
  if (kind) return { kind, isGuess: false };
  return mayBeTemplate(path) ? { kind: 'cloudformation', isGuess: true } : null;
}

export const maxFileBytes = 2 * 1024 * 1024;
/** After this many hostile files, the rest are not read. */
const maxGivenUp = 10;

/** Reads files one by one and runs the checks of their kind. */
export async function* scanFiles(files: AsyncIterable<SourceFile>, signal: AbortSignal): AsyncGenerator<FileResult> {
  const scanner = new FileScanner();
  const estate = new TerraformEstate(scanner);
  const charts = new HelmCharts(scanner);
  let givenUp = 0;
  try {
    for await (const { path, kind: named, isGuess, content } of files) {
      signal.throwIfAborted();
      if (!content && isGuess) continue;
      if (!content) {
        if (named === 'terraform') estate.addUnreadable(path);
        yield { path, problem: `it is larger than ${maxFileBytes / 1024 ** 2} MiB` };
        continue;
      }
      const text = content.toString('utf8');
      if (named === 'kubernetes' && charts.add(path, text)) continue;
      const kind = kindByContent(named, text);
      if (kind === null) continue;
      if (givenUp >= maxGivenUp) {
        if (kind === 'terraform') estate.addUnreadable(path);
        yield { path, problem: `${maxGivenUp} files before it took too long` };
        continue;
      }
      const outcome = kind === 'terraform' ? await estate.add(path, text) : await scanner.scan(kind, text);
      if (outcome === null) continue;
      const problem = typeof outcome === 'string' ? outcome : 'problem' in outcome ? outcome.problem : null;
      if (problem !== null && /^it took|^it takes|^reading it/.test(problem)) givenUp++;
      yield typeof outcome === 'string' ? { path, problem: outcome } : { path, ...outcome };
    }
    yield* estate.scan();
    yield* charts.scan();
  } finally {
    scanner.close();
  }
}

export const describeProblem = ({ path, problem }: { path: string; problem: string }): string =>
  `${path} could not be read: ${problem}.`;
