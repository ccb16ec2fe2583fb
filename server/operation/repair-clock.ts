import { setTimeout as delay } from 'node:timers/promises';
import { beginRepair, findingsPerBatch, repairBatch, repairLastSeen } from '../findings/clock/repair-findings.ts';
import { type RepairBounds, restartRecomputations } from '../findings/clock/repair-queries.ts';
import { errorCode } from '../platform/errors.ts';
import type { Database } from '../platform/postgres/database.ts';
import { moveRecordedTimes, recordedTimes } from './record-times.ts';

export type RepairedOrganization = { organization: string; findings: number; records: number };

/** A lock that somebody holds for long, and two who wait for each other: whoever gave way tries again. */
const isBlocked = (error: unknown) => ['55P03', '40P01'].includes(errorCode(error) ?? '');
const maxTries = 60;
const pauseMs = 1_000;

async function insist<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      if (!isBlocked(error) || tries === maxTries) throw error;
      await delay(pauseMs);
    }
  }
}

async function repairRecords(database: Database, orgId: string, bounds: RepairBounds): Promise<number> {
  let records = 0;
  for (const [table, columns] of Object.entries(recordedTimes)) {
    records += await insist(() =>
      database.transaction(orgId, (tx) => moveRecordedTimes(tx, orgId, table, columns, bounds.bound)),
    );
  }
  await database.transaction(orgId, (tx) => restartRecomputations(tx, orgId, bounds));
  return records;
}

/**
 * Brings back the times of an organization that lie more than a minute in the future, because the clock was ahead and has
 * been set back. The service may run meanwhile. Safe to interrupt and to run again.
 */
export async function repairOrganization(
  database: Database,
  orgId: string,
  limit = findingsPerBatch,
): Promise<RepairedOrganization> {
  const bounds = await insist(() => beginRepair(database, orgId));
  let findings = 0;
  for (let moved = limit; moved >= limit; findings += moved) {
    moved = await insist(() => repairBatch(database, orgId, bounds, limit));
  }
  await insist(() => repairLastSeen(database, orgId, bounds));
  return { organization: orgId, findings, records: await repairRecords(database, orgId, bounds) };
}

/** Lists the ids of all organizations. */
export async function listOrganizations(database: Database): Promise<string[]> {
  const rows = await database.single<{ id: string }>(null, {
    name: 'organizations_list',
    text: 'SELECT id FROM list_organizations()',
  });
  return rows.map(({ id }) => id);
}
