import type { Db } from '../platform/postgres/database.ts';
import { FindingChanges } from './finding-changes.ts';
import { acceptanceEnded, dataSourceRemoved, type Lifecycle } from './lifecycle.ts';
import { lockFindings } from './merge-queries.ts';
import { listEndedAcceptances, listOpenOfDataSource } from './triage-queries.ts';

/** Applies a lifecycle rule to findings on behalf of the platform, not of a scan or a person. */
async function moveFindings(
  tx: Db,
  orgId: string,
  userId: string | null,
  ids: string[],
  rule: (finding: Lifecycle, at: number) => Lifecycle,
): Promise<void> {
  const changes = await FindingChanges.begin(tx, orgId, { userId: userId ?? undefined });
  for (const finding of await lockFindings(tx, orgId, [...ids].sort())) {
    const after = rule(finding, changes.time.ms);
    if (after !== finding) changes.move(finding, after);
  }
  await changes.write();
}

const findingsPerTransaction = 2_000;

/**
 * Resolves a batch of open findings of a deleted data source. Returns whether more are left. The deletion itself
 * resolves the first batch and a job the rest, so that no transaction grows with the data source.
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

/** Sets findings whose risk acceptance has ended back to new. Returns whether more are left. */
export async function endAcceptances(tx: Db, orgId: string): Promise<boolean> {
  const ids = await listEndedAcceptances(tx, orgId, findingsPerTransaction + 1);
  await moveFindings(tx, orgId, null, ids.slice(0, findingsPerTransaction), acceptanceEnded);
  return ids.length > findingsPerTransaction;
}
