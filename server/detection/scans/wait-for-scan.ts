import { setTimeout as delay } from 'node:timers/promises';
import { autocommit, type Database } from '../../platform/postgres/database.ts';
import { findScan, type ScanRow } from './queries.ts';

const pollMs = 200;

/** Returns the scan when it has ended, or its current state when the time is up. */
export async function waitForScan(database: Database, orgId: string, id: string, waitMs: number): Promise<ScanRow> {
  const end = performance.now() + waitMs;
  for (;;) {
    const scan = (await findScan(autocommit(database, orgId), orgId, id))!;
    if (scan.completedAt !== null || performance.now() >= end) return scan;
    await delay(pollMs);
  }
}
