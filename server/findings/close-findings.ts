import type { Db } from '../platform/postgres/database.ts';
import { FindingChanges } from './finding-changes.ts';
import { acceptanceEnded, dataSourceRemoved, type Lifecycle } from './lifecycle.ts';
import { lockFindings } from './merge-queries.ts';
import { listEndedAcceptances, listOpenOfDataSource } from './triage-queries.ts';

/** Moves findings by a rule of the lifecycle that neither a scan nor a person's decision applies. */
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
 * Resolves open findings of a deleted data source. Returns whether some are left: the first batch belongs to the
 * deletion itself, a job resolves the rest, so that no transaction grows with the data source.
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

/** Makes findings new again whose risk acceptance has ended. Returns whether some are left. */
export async function endAcceptances(tx: Db, orgId: string): Promise<boolean> {
  const ids = await listEndedAcceptances(tx, orgId, findingsPerTransaction + 1);
  await moveFindings(tx, orgId, null, ids.slice(0, findingsPerTransaction), acceptanceEnded);
  return ids.length > findingsPerTransaction;
}
