import type { Db } from '../platform/postgres/database.ts';
import { FindingChanges } from './finding-changes.ts';
import { acceptanceEnded, dataSourceRemoved, type Lifecycle } from './lifecycle.ts';
import { lockFindings } from './merge-queries.ts';
import { type DataSourcePlace, listEndedAcceptances, listOfDataSource } from './triage-queries.ts';

/** Applies a lifecycle rule to findings on behalf of the platform, not of a scan or a person. */
async function moveFindings(
  tx: Db,
  orgId: string,
  userId: string | null,
  ids: string[],
  rule: (finding: Lifecycle, at: number) => Lifecycle,
): Promise<void> {
  if (ids.length === 0) return;
  const changes = await FindingChanges.begin(tx, orgId, { userId: userId ?? undefined });
  for (const finding of await lockFindings(tx, orgId, [...ids].sort())) {
    const after = rule(finding, changes.time.ms);
    if (after !== finding) changes.move(finding, after);
  }
  await changes.write();
}

const findingsPerTransaction = 2_000;

type Place = Pick<DataSourcePlace, 'source' | 'fingerprint'>;
const beginning: Place = { source: '', fingerprint: '' };

/**
 * Resolves the open ones among the next findings of a deleted data source. Returns the place to continue from, or null
 * at the end. The deletion itself processes the first findings and a job the rest, so that no transaction grows with
 * the data source.
 */
export async function resolveFindingsOfRemovedSource(
  tx: Db,
  orgId: string,
  userId: string | null,
  dataSourceId: string,
  after = beginning,
): Promise<Place | null> {
  const next = await listOfDataSource(tx, orgId, dataSourceId, { after, limit: findingsPerTransaction });
  const open = next.filter(({ isOpen }) => isOpen).map(({ id }) => id);
  await moveFindings(tx, orgId, userId, open, dataSourceRemoved);
  return next.length < findingsPerTransaction ? null : next.at(-1)!;
}

/** Sets findings whose risk acceptance has ended back to new. Returns whether more are left. */
export async function endAcceptances(tx: Db, orgId: string): Promise<boolean> {
  const ids = await listEndedAcceptances(tx, orgId, findingsPerTransaction + 1);
  await moveFindings(tx, orgId, null, ids.slice(0, findingsPerTransaction), acceptanceEnded);
  return ids.length > findingsPerTransaction;
}
