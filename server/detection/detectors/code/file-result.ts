import type { SkipReason } from '../../repository/layout.ts';
import { redactTexts } from '../secrets/redact-text.ts';
import type { CheckOutcome } from './checker.ts';
import type { CodeHit } from './rule.ts';

/** The result for a file's content: its hits, why it was left out, or why it could not be checked. */
export type FileResult = { hits: CodeHit[] } | { skipped: SkipReason } | { problem: 'time' | 'crash' | 'size' };

/** Larger files are rarely written by hand, and take long to parse. */
export const maxSourceBytes = 1024 * 1024;

const sentences = {
  time: 'took too long to check',
  crash: 'could not be checked',
  size: `is larger than ${maxSourceBytes / 1024 ** 2} MiB and was not checked`,
};
const maxNamed = 20;

/** Turns an outcome into a result that may be stored: without the secrets in its lines. */
export function toFileResult(outcome: CheckOutcome, path: string): FileResult {
  if ('failure' in outcome) return { problem: outcome.failure };
  if ('skipped' in outcome) return outcome;
  const lines = redactTexts(
    outcome.hits.map((hit) => hit.line),
    { path },
  );
  return { hits: outcome.hits.map((hit, index) => ({ ...hit, line: lines[index]! })) };
}

/** Returns a sentence for each file that could not be checked, with the first 20 by name. */
export function describeProblems(problems: Array<{ path: string; problem: keyof typeof sentences }>): string[] {
  const named = problems.slice(0, maxNamed).map(({ path, problem }) => `${path} ${sentences[problem]}.`);
  const more = problems.length - named.length;
  return more > 0 ? [...named, `${more} more files could not be checked.`] : named;
}
