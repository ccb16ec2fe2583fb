import { openDatabase } from '../../platform/postgres/database.ts';
import { LiveColumns } from './live-columns.ts';
import { Snapshots } from './snapshots.ts';

/** A process that loads the columns of an organization and then stores them repeatedly, until it is killed. */
const [connectionString, directory, orgId] = process.argv.slice(2) as [string, string, string];
const database = openDatabase({ connectionString, applicationName: 'node' });
const snapshots = new Snapshots(database, directory);
const live = new LiveColumns({ database, snapshots, report: (problem) => process.send!({ problem }) }, 100_000_000);
process.send!('loading');
while ((await live.read(orgId, 60_000)) === null);
for (;;) {
  const stored = await snapshots.read(orgId);
  process.send!('storing');
  if (stored) await snapshots.store(orgId, stored);
}
