import { Readable } from 'node:stream';
import type { Database } from '../../platform/postgres/database.ts';
import { findScan, type ScanRow } from './queries.ts';
import { scanView } from './scan-schema.ts';

const pollMs = 500;
const keepAliveMs = 15_000;
/** A reader that wants more comes again, as event sources do by themselves. */
const longestMs = 15 * 60_000;

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });

async function* readEvents(
  database: Database,
  orgId: string,
  first: ScanRow,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const end = Date.now() + longestMs;
  let told = '';
  let toldAt = 0;
  let row: ScanRow | undefined = first;
  while (row && !signal.aborted && Date.now() < end) {
    const text = JSON.stringify(scanView(row));
    const ended = row.completedAt !== null;
    if (text !== told) {
      yield `event: ${ended ? 'end' : 'progress'}\ndata: ${text}\n\n`;
      told = text;
      toldAt = Date.now();
    } else if (Date.now() - toldAt > keepAliveMs) {
      yield ': still running\n\n';
      toldAt = Date.now();
    }
    if (ended) return;
    await pause(pollMs, signal);
    row = await database.transaction(orgId, (tx) => findScan(tx, orgId, first.id));
  }
}

/** The progress of a scan as server-sent events, each with the scan as data: `progress` whenever it changed, `end` last. */
export function streamScanEvents(database: Database, orgId: string, scan: ScanRow): Readable {
  const abort = new AbortController();
  const stream = Readable.from(readEvents(database, orgId, scan, abort.signal), { objectMode: false });
  stream.once('close', () => abort.abort());
  return stream;
}
