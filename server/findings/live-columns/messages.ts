import type { Answer, QuestionName } from './answers.ts';
import type { LiveColumns } from './live-columns.ts';

/** Returns the milliseconds of a clock that all threads share and nobody sets. */
export const monotonicMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);

/** The database of the thread, its memory for columns, and the directory for their files, if they are stored. */
export type ThreadData = { databaseUrl: string; maxBytes: number; directory: string | null };
/** A question about the findings of an organization, which nobody needs an answer to after `until`; or for a sign of life; or what to forget. */
export type Asked = Question | { forget: string } | 'ping';
type Question = { id: number; orgId: string; name: QuestionName; given: unknown[]; until: number };

/**
 * The answer to the question with this id, null without columns, and the milliseconds that it took; or a problem, or both; or what the
 * columns take; or that those that were stored are loaded.
 */
export type Told =
  | { id: number; answer: Answer<QuestionName> | null; ms: number; problem?: string }
  | { problem: string }
  | { usage: LiveColumns['usage'] }
  | 'started';
