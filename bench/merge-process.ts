import { recordDetections } from '../server/findings/record-detections.ts';
import { openDatabase } from '../server/platform/postgres/database.ts';
import { detections } from './detections.ts';

/** Records detections like a worker, in a separate process, in batches like those of run-target.ts. */
const [, , url, orgId, dataSourceId, text] = process.argv as string[];
const total = Number(text);
const batchSize = 2_000;
const database = openDatabase({ connectionString: url!, maxConnections: 4 });
const sighting = { dataSourceId: dataSourceId!, source: 'code', scanId: 'scan_bench', startedAt: new Date() };
await database.single(null, { text: 'SELECT 1' });
let peakBytes = 0;
let seconds = 0;
const tally = { new: 0, seen: 0 };
for (let start = 0; start < total; start += batchSize) {
  const batch = detections(start, Math.min(total, start + batchSize));
  const began = performance.now();
  const merged = await database.transaction(orgId!, (tx) => recordDetections(tx, orgId!, sighting, batch));
  seconds += (performance.now() - began) / 1000;
  tally.new += merged.new;
  tally.seen += merged.seen;
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
}
await database.close();
process.stdout.write(JSON.stringify({ ...tally, seconds, megabytes: peakBytes / 1e6 }));
