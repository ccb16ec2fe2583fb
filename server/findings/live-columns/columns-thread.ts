import { parentPort, workerData } from 'node:worker_threads';
import { openDatabases } from '../../platform/postgres/cells/cell-database.ts';
import type { FindingColumns } from '../columns/finding-columns.ts';
import { type Answer, answers, type QuestionName } from './answers.ts';
import { LiveColumns } from './live-columns.ts';
import { type Asked, monotonicMs, type ThreadData, type Told } from './messages.ts';
import { Snapshots } from './snapshots.ts';

const refreshMs = 30_000;
/** A reply arrives this long before its caller gives up. */
const replyMs = 200;
const { databaseUrl, cells, maxBytes, directory } = workerData as ThreadData;
const tell = (told: Told) => parentPort!.postMessage(told);
const database = openDatabases(
  { connectionString: databaseUrl, applicationName: 'assay columns', maxConnections: 3 },
  cells,
);
const snapshots = directory === null ? null : new Snapshots(database, directory);
const live = new LiveColumns({ database, snapshots, report: (problem) => tell({ problem }) }, maxBytes);

parentPort!.on('message', async (asked: Asked) => {
  if (asked === 'ping') {
    tell({ usage: live.usage });
    return;
  }
  if ('forget' in asked) {
    await live.forget(asked.forget).catch((error: Error) => tell({ problem: error.message }));
    return;
  }
  const { id, orgId, name, given, until } = asked;
  try {
    const columns = await live.read(orgId, until - monotonicMs() - replyMs);
    const answer = answers[name] as (columns: FindingColumns, ...given: unknown[]) => Answer<QuestionName>;
    const begun = performance.now();
    if (columns === null) tell({ id, outcome: live.hasNoRoom(orgId) ? 'no_room' : 'loading' });
    // Nobody waits for a late result, and other queries wait for the thread.
    else if (monotonicMs() >= until) tell({ id, outcome: 'late' });
    else tell({ id, outcome: 'answered', answer: answer(columns, ...given), ms: performance.now() - begun });
    tell({ usage: live.usage });
  } catch (error) {
    tell({ id, outcome: 'failed', problem: (error as Error).message });
  }
});

live
  .start()
  .catch((error: Error) => tell({ problem: error.message }))
  .finally(() => {
    tell({ usage: live.usage });
    tell('started');
  });
setInterval(() => live.refresh().then(() => tell({ usage: live.usage })), refreshMs);
