import type { SkipReason } from '../../repository/layout.ts';
import { redactTexts } from '../secrets/redact-text.ts';
import type { SourceCheck } from './check-source.ts';
import type { CheckOutcome } from './checker.ts';

/** The result for a file's content: its hits, the reason for skipping it, or the reason why it could not be checked. */
export type FileResult = SourceCheck | { skipped: SkipReason } | { problem: 'time' | 'crash' | 'size' };

/** Larger files are rarely written by hand and take long to parse. */
export const maxSourceBytes = 1024 * 1024;

const sentences = {
  time: 'took too long to check',
  crash: 'could not be checked',
  size: `is larger than ${maxSourceBytes / 1024 ** 2} MiB and was not checked`,
};
const maxNamed = 20;

/** Turns an outcome into a storable result, without the secrets in its lines. */
export function toFileResult(outcome: CheckOutcome, path: string): FileResult {
  if ('failure' in outcome) return { problem: outcome.failure };
  if ('skipped' in outcome) return outcome;
  const { hits } = outcome;
  const messages = hits.flatMap(({ flow }) => (flow ?? []).map(({ message }) => message));
  const texts = redactTexts([...hits.map(({ line }) => line), ...messages], { path });
  const rest = texts.slice(hits.length).values();
  return {
    ...outcome,
    hits: hits.map((hit, index) => ({
      ...hit,
      line: texts[index]!,
      ...(hit.flow && { flow: hit.flow.map((step) => ({ ...step, message: rest.next().value! })) }),
    })),
  };
}

/** A file that was not checked completely. `reason` completes a sentence that starts with the path. */
export type FileProblem = { path: string; reason: string };

/** Returns the reason why a file was not checked completely: its earlier findings stay unchanged. */
export function problemsOf(path: string, result: FileResult): FileProblem[] {
  if ('problem' in result) return [{ path, reason: sentences[result.problem] }];
  return 'hits' in result ? result.bounds.map((reason) => ({ path, reason })) : [];
}

/** Returns a sentence for each problem, with the first 20 file names. */
export function describeProblems(problems: FileProblem[]): string[] {
  const named = problems.slice(0, maxNamed).map(({ path, reason }) => `${path} ${reason}.`);
  const more = new Set(problems.slice(maxNamed).map(({ path }) => path)).size;
  return more > 0 ? [...named, `${more} more files could not be checked completely.`] : named;
}
