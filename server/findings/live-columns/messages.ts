import type { Cell } from '../../platform/postgres/cells/cell-database.ts';
import type { Answer, QuestionName } from './answers.ts';
import type { LiveColumns } from './live-columns.ts';

/** Returns the milliseconds of a monotonic clock that all threads share. */
export const monotonicMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);

/** The thread's database, with further cells, its memory for columns, and the directory for their files, if they are stored. */
export type ThreadData = { databaseUrl: string; cells: readonly Cell[]; maxBytes: number; directory: string | null };
/**
 * A query about an organization's findings, whose result nobody needs after `until`; or an organization to forget; or a
 * ping.
 */
export type Asked = Question | { forget: string } | 'ping';
type Question = { id: number; orgId: string; name: QuestionName; given: unknown[]; until: number };

/**
 * The result of a query, or the reason why there is none: the columns are being loaded, don't fit into memory, were
 * late, or something failed. Times are processing times in milliseconds.
 */
export type Reply =
  | { outcome: 'answered'; answer: Answer<QuestionName>; ms: number }
  | { outcome: 'loading' | 'no_room' | 'late' }
  | { outcome: 'failed'; problem?: string };

/**
 * The reply to the query with this id; or a problem; or the size of the columns; or a notice that the stored columns
 * are loaded.
 */
export type Told = ({ id: number } & Reply) | { problem: string } | { usage: LiveColumns['usage'] } | 'started';
