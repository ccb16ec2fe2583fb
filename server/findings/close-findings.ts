import type { Db } from '../platform/postgres/database.ts';
import { beginChange } from './change-clock.ts';
import { CountChanges } from './counts.ts';
import { acceptanceEnded, dataSourceRemoved, type Lifecycle } from './lifecycle.ts';
import { type HistoryRow, insertHistory, type LifecycleRow, lockFindings, updateLifecycles } from './merge-queries.ts';
import { listEndedAcceptances, listOpenOfDataSource } from './triage-queries.ts';

/** Moves findings by a rule of the lifecycle that neither a scan nor a person's PATCH brought about. */
async function moveFindings(
  tx: Db,
  orgId: string,
  userId: string | null,
  ids: string[],
  rule: (finding: Lifecycle, at: number) => Lifecycle,
): Promise<void> {
  const time = await beginChange(tx);
  const counts = new CountChanges();
  const rows: LifecycleRow[] = [];
  const history: HistoryRow[] = [];
  for (const finding of await lockFindings(tx, orgId, [...ids].sort())) {
    const after = rule(finding, time.ms);
    if (after === finding) continue;
    const changes: HistoryRow['changes'] = { status: [finding.status, after.status] };
    if (after.resolution !== finding.resolution) changes.resolution = [finding.resolution, after.resolution];
    rows.push({ ...after, id: finding.id, visible: true, lastSeenAt: null });
    history.push({ finding_id: finding.id, changes });
    counts.moved(finding, { ...finding, status: after.status });
  }
  if (rows.length === 0) return;
  await updateLifecycles(tx, orgId, time, rows);
  await insertHistory(tx, orgId, time, { userId: userId ?? undefined }, history);
  await counts.write(tx, orgId);
}

const findingsPerTransaction = 2_000;

/**
 * Resolves open findings of a data source that was deleted. Answers whether some are left: a first batch goes with the
 * deletion itself, the rest is for a job, so that no transaction grows with the data source.
 */
export async function resolveFindingsOfRemovedSource(
  tx: Db,
  orgId: string,
  userId: string | null,
  dataSourceId: string,
): Promise<boolean> {
  const ids = await listOpenOfDataSource(tx, orgId, dataSourceId, findingsPerTransaction + 1);
  await moveFindings(tx, orgId, userId, ids.slice(0, findingsPerTransaction), dataSourceRemoved);
  return ids.length > findingsPerTransaction;
}

/** Makes findings new again whose risk acceptance has ended. Answers whether some are left. */
export async function endAcceptances(tx: Db, orgId: string): Promise<boolean> {
  const ids = await listEndedAcceptances(tx, orgId, findingsPerTransaction + 1);
  await moveFindings(tx, orgId, null, ids.slice(0, findingsPerTransaction), acceptanceEnded);
  return ids.length > findingsPerTransaction;
}
