import { hostname } from 'node:os';
import type { Database, Db } from '../postgres/database.ts';
import { directorySize } from './directory-size.ts';
import type { Room } from './room.ts';

/** The space on a worker's disk, as last reported. */
export type DiskReport = {
  node: string;
  directory: string;
  freeBytes: number;
  totalBytes: number;
  cacheBytes: number;
  /** Whether the database is on the same disk. */
  hasDatabase: boolean;
};

/** A worker without a report for this long has stopped. */
const lastingMs = 300_000;
const measuredEveryMs = 600_000;

let measured: { at: number; bytes: number } | null = null;

/** Returns the size of the cache, measured at most every ten minutes: it may contain many files. */
async function cacheSize(directory: string): Promise<number> {
  if (!measured || performance.now() - measured.at > measuredEveryMs)
    measured = { at: performance.now(), bytes: await directorySize(directory) };
  return measured.bytes;
}

export type ReportServices = { database: Database; room: Room; databaseRoom: Room | null; cacheDirectory: string };

/** Reports the space on the disk of this worker. */
export async function reportDisk({ database, room, databaseRoom, cacheDirectory }: ReportServices): Promise<void> {
  const { freeBytes, totalBytes } = await room.find();
  const cacheBytes = await cacheSize(cacheDirectory);
  const values = [hostname(), room.directory, freeBytes, totalBytes, cacheBytes, databaseRoom !== null];
  await database.transaction(null, async (tx) => {
    await tx.query({
      name: 'worker_disks_report',
      text: `INSERT INTO worker_disks (node, directory, free_bytes, total_bytes, cache_bytes, has_database, reported_at)
             VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp())
             ON CONFLICT (node, directory) DO UPDATE
             SET free_bytes = excluded.free_bytes, total_bytes = excluded.total_bytes, cache_bytes = excluded.cache_bytes,
               has_database = excluded.has_database, reported_at = excluded.reported_at`,
      values,
    });
    await tx.query({
      name: 'worker_disks_remove_old',
      text: `DELETE FROM worker_disks WHERE reported_at < clock_timestamp() - interval '1 day'`,
      values: [],
    });
  });
}

/** Returns the reports of running workers. */
export async function listDisks(db: Db): Promise<DiskReport[]> {
  const { rows } = await db.query<DiskReport>({
    name: 'worker_disks_list',
    text: `SELECT node, directory, free_bytes::float8 AS "freeBytes", total_bytes::float8 AS "totalBytes",
             cache_bytes::float8 AS "cacheBytes", has_database AS "hasDatabase"
           FROM worker_disks WHERE reported_at > clock_timestamp() - $1 * interval '1 millisecond' ORDER BY node, directory`,
    values: [lastingMs],
  });
  return rows;
}
