import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../platform/postgres/database.ts';
import { findScan, type ScanRow } from './queries.ts';

const longestWaitMs = 60_000;
const pollMs = 200;

/** How long the caller would have us wait (`Prefer: wait=SECONDS`, RFC 7240), in milliseconds; 0 when not at all. */
export function preferredWaitMs(header: string | string[] | undefined): number {
  const seconds = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,4})"?/i.exec(String(header ?? ''))?.[1];
  return Math.min(Number(seconds ?? 0) * 1000, longestWaitMs);
}

/** The scan as soon as it has ended, or as it stands when the time is up. */
export async function waitForScan(database: Database, orgId: string, id: string, waitMs: number): Promise<ScanRow> {
  const end = performance.now() + waitMs;
  for (;;) {
    const scan = (await database.transaction(orgId, (tx) => findScan(tx, orgId, id)))!;
    if (scan.completedAt !== null || performance.now() >= end) return scan;
    await delay(pollMs);
  }
}
