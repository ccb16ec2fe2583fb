import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../../platform/postgres/database.ts';
import type { FindingColumns } from '../columns/finding-columns.ts';
import { type Answer, answers, type QuestionName } from './answers.ts';
import { LiveColumns } from './live-columns.ts';

/** The database of the thread, and its memory for columns. */
export type ThreadData = { databaseUrl: string; maxBytes: number };
/** A question about the findings of an organization. */
export type Asked = { id: number; orgId: string; name: QuestionName; given: unknown[] };
/**
 * The answer to the question with this id, null without columns, and the milliseconds that it took; or a problem, or both; or what the
 * columns take.
 */
export type Told =
  | { id: number; answer: Answer<QuestionName> | null; ms: number; problem?: string }
  | { problem: string }
  | { usage: LiveColumns['usage'] };

const refreshMs = 30_000;
const { databaseUrl, maxBytes } = workerData as ThreadData;
const tell = (told: Told) => parentPort!.postMessage(told);
const database = openDatabase({
  connectionString: databaseUrl,
  applicationName: 'assay columns',
  maxConnections: 3,
});
const live = new LiveColumns(database, maxBytes, (problem) => tell({ problem }));

parentPort!.on('message', async ({ id, orgId, name, given }: Asked) => {
  try {
    const columns = await live.read(orgId);
    const answer = answers[name] as (columns: FindingColumns, ...given: unknown[]) => Answer<QuestionName>;
    const begun = performance.now();
    tell({ id, answer: columns && answer(columns, ...given), ms: performance.now() - begun });
    tell({ usage: live.usage });
  } catch (error) {
    tell({ id, answer: null, ms: 0, problem: (error as Error).message });
  }
});

setInterval(() => live.refresh().then(() => tell({ usage: live.usage })), refreshMs);
