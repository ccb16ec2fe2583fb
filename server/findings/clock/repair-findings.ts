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

/** The findings whose times are brought back in one transaction, during which nobody else changes or follows them. */
export const findingsPerBatch = 2_000;
const lookedAtPerBatch = 20_000;

/** Begins the repair of an organization. It may begin again where another one was interrupted. */
export const beginRepair = (database: Database, orgId: string): Promise<RepairBounds> =>
  database.transaction(orgId, async (tx) => {
    const bounds = await findRepairBounds(tx);
    await lockOrder(tx, orgId);
    await deleteSpentTimes(tx, orgId, bounds);
    return bounds;
  });

/**
 * Brings back the times of the next findings, the earliest first: at each moment all findings are in the order of their
 * changes, so that who follows them misses none. Returns how many; fewer than `limit` when none is left, and more where many changed together.
 */
export const repairBatch = (
  database: Database,
  orgId: string,
  bounds: RepairBounds,
  limit = findingsPerBatch,
): Promise<number> =>
  database.transaction(orgId, async (tx) => {
    // Changes that wait behind this one go on when it has waited too long for those before it.
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

/** Brings back the other times of findings, once those of their changes are. */
export async function repairLastSeen(database: Database, orgId: string, bounds: RepairBounds): Promise<void> {
  for (let after: string | null = ''; after !== null; ) {
    const from: string = after;
    after = await database.transaction(orgId, (tx) => moveLastSeen(tx, orgId, bounds, from, lookedAtPerBatch));
  }
}
