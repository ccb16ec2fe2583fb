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
 * Why a question has no answer: the columns are being loaded, don't fit into the memory for them, came too late, or something failed.
 * Times are of processing, in milliseconds.
 */
export type Reply =
  | { outcome: 'answered'; answer: Answer<QuestionName>; ms: number }
  | { outcome: 'loading' | 'no_room' | 'late' }
  | { outcome: 'failed'; problem?: string };

/** The reply to the question with this id; or a problem; or what the columns take; or that those that were stored are loaded. */
export type Told = ({ id: number } & Reply) | { problem: string } | { usage: LiveColumns['usage'] } | 'started';
