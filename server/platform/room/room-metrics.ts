import type { Metrics } from '../metrics.ts';
import type { Database } from '../postgres/database.ts';
import { type DiskReport, listDisks } from './disk-reports.ts';
import { keptBytes } from './space.ts';

/** Adds the space on the disks of workers. */
export function addRoomMetrics(metrics: Metrics, database: Pick<Database, 'transaction'>): void {
  const gauge = (name: string, help: string, read: (disk: DiskReport) => number) =>
    metrics.gauge(name, help, ['node', 'directory'], async () =>
      (await database.transaction(null, listDisks)).map((disk) => ({
        labels: { node: disk.node, directory: disk.directory },
        value: read(disk),
      })),
    );
  gauge('disk_free_bytes', "Free room on the disk of a worker's data directory.", ({ freeBytes }) => freeBytes);
  gauge('disk_size_bytes', "Size of the disk of a worker's data directory.", ({ totalBytes }) => totalBytes);
  gauge(
    'disk_kept_bytes',
    'Room that caches leave free; below half of it fetches and imports wait.',
    ({ totalBytes }) => keptBytes(totalBytes),
  );
  gauge('cache_bytes', 'Size of the cached clones and databases of scanners.', ({ cacheBytes }) => cacheBytes);
}
