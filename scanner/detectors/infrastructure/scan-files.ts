import { decodeText } from '../../platform/text-encoding.ts';
import { SkippedFiles } from '../../repository/skipped-files.ts';
import { fileKindOf, kindByContent, mayBeTemplate } from './file-kind.ts';
import { type FileResult, FileScanner } from './file-scanner.ts';
import { noteOtherResources, noteOtherTemplateResources } from './other-formats.ts';
import type { FileKind } from './rule.ts';
import { HelmCharts } from './scan-charts.ts';
import { maxSightsPerRule } from './scan-file.ts';
import { TerraformEstate } from './scan-terraform.ts';

/**
 * A file by its path; `content` is null above `maxFileBytes`, or if it could not be read. A guessed kind is certain
 * only by content.
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
const maxWarnings = 100;

/** Reads files one by one and runs the checks of their kind. `skipped` counts files with resources that have no checks. */
export async function* scanFiles(
  files: AsyncIterable<SourceFile>,
  signal: AbortSignal,
  skipped: SkippedFiles = new SkippedFiles(),
): AsyncGenerator<FileResult> {
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
      const text = decodeText(content);
      if (named === 'kubernetes' && charts.add(path, text)) continue;
      const kind = kindByContent(named, text);
      if (kind === null) continue;
      if (givenUp >= maxGivenUp) {
        if (kind === 'terraform') estate.addUnreadable(path);
        yield { path, problem: `${maxGivenUp} files before it took too long` };
        continue;
      }
      const outcome = kind === 'terraform' ? await estate.add(path, text) : await scanner.scan(kind, text);
      if (kind === 'terraform') noteOtherResources(skipped, path, text);
      if (kind === 'cloudformation') noteOtherTemplateResources(skipped, text);
      if (outcome === null) continue;
      const problem = typeof outcome === 'string' ? outcome : 'problem' in outcome ? outcome.problem : null;
      if (problem !== null && /^it took|^it takes|^reading it/.test(problem)) givenUp++;
      if (typeof outcome === 'string') yield { path, problem: outcome };
      else if ('problem' in outcome) yield { path, ...outcome };
      else yield { path, hits: outcome.hits, cut: outcome.cut.map(({ ruleId }) => ruleId) };
    }
    yield* estate.scan();
    yield* charts.scan();
  } finally {
    scanner.close();
  }
}

/** A file that was not checked completely, and a sentence with the reason. */
export type FileProblem = { path: string; sentence: string };

/** Returns the reason why a file was not checked completely: its earlier findings stay unchanged. */
export function problemsOf(result: FileResult): FileProblem[] {
  const { path } = result;
  if ('problem' in result) return [{ path, sentence: `${path} could not be read: ${result.problem}.` }];
  return result.cut.map((ruleId) => ({
    path,
    sentence: `${path} has more than ${maxSightsPerRule} matches of ${ruleId}: only the first ones are reported.`,
  }));
}

/** Returns one warning per problem, up to a readable number. */
export function describeProblems(problems: FileProblem[]): string[] {
  const named = problems.slice(0, maxWarnings).map(({ sentence }) => sentence);
  const more = new Set(problems.slice(maxWarnings).map(({ path }) => path)).size;
  return more > 0 ? [...named, `${more} more files could not be checked completely.`] : named;
}
