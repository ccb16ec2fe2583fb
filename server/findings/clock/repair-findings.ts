import { noteChange } from '../../organization/change-number.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { setLocal } from '../../platform/postgres/statement.ts';
import { lockOrder } from '../change-clock.ts';
import { announceChange } from '../triage-queries.ts';
import {
  deleteSpentTimes,
  findRepairBounds,
  insertRepairedTimes,
  lockAhead,
  moveDays,
  moveLastSeen,
  moveTimes,
  type RepairBounds,
} from './repair-queries.ts';

/**
 * The number of findings whose times are repaired in one transaction. Meanwhile nobody else can change or follow them.
 */
export const findingsPerBatch = 2_000;
const lookedAtPerBatch = 20_000;

/** Starts the repair of an organization. It can restart after an interruption. */
export const beginRepair = (database: Database, orgId: string): Promise<RepairBounds> =>
  database.transaction(orgId, async (tx) => {
    const bounds = await findRepairBounds(tx);
    await lockOrder(tx, orgId);
    await deleteSpentTimes(tx, orgId, bounds);
    return bounds;
  });

/**
 * Repairs the times of the next findings, earliest first. Findings are in the order of their changes at every moment,
 * so followers miss none. Returns the number of repaired findings: fewer than `limit` when none is left, and more when
 * many changed at the same time.
 */
export const repairBatch = (
  database: Database,
  orgId: string,
  bounds: RepairBounds,
  limit = findingsPerBatch,
): Promise<number> =>
  database.transaction(orgId, async (tx) => {
    // If this waits too long for earlier changes, it gives up, so that the changes queued behind it can proceed.
    await tx.query(setLocal({ lock_timeout: '2s' }));
    await lockOrder(tx, orgId);
    await tx.query(setLocal({ lock_timeout: '0' }));
    const ids = await lockAhead(tx, orgId, bounds, limit);
    if (ids.length > 0) {
      await insertRepairedTimes(tx, orgId, bounds, ids);
      await moveTimes(tx, orgId, bounds, ids);
    }
    if (ids.length < limit) await moveDays(tx, orgId, bounds);
    await noteChange(tx, orgId);
    await announceChange(tx, orgId);
    return ids.length;
  });

/** Repairs the last-seen times of findings after their change times. */
export async function repairLastSeen(database: Database, orgId: string, bounds: RepairBounds): Promise<void> {
  for (let after: string | null = ''; after !== null; ) {
    const from: string = after;
    after = await database.transaction(orgId, (tx) => moveLastSeen(tx, orgId, bounds, from, lookedAtPerBatch));
  }
}
