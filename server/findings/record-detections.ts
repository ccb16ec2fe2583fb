import type { Detection } from '@assay/scanner/contract/detection.ts';
import type { Database, Db } from '../platform/postgres/database.ts';
import { followAliasesOfRows } from './aliased-facts.ts';
import { beginChange } from './change-clock.ts';
import { type FactsRow, type HashedDetection, hashDetection, rowText, splitRow } from './facts.ts';
import { FindingChanges, isVisibleMove } from './finding-changes.ts';
import { firstSighting, missed, sighted } from './lifecycle.ts';
import {
  type Identities,
  insertFindings,
  listStanding,
  listToWrite,
  lockFindings,
  type Sighting,
} from './merge-queries.ts';

import { lookUpByIndex } from './policy-queries.ts';
import { findCoverage, updateCoverage } from './queries.ts';
import { recordTexts } from './shared-texts.ts';

export type { Sighting } from './merge-queries.ts';

/** The outcome of a merge: `seen` counts known findings, whether their facts changed or not. */
export type Tally = { new: number; seen: number; reopened: number; resolved: number };

/**
 * Sorts by fingerprint and keeps the last detection of each, since a statement may change a row only once. Because of
 * the order, two scans that insert the same findings cannot deadlock.
 */
function hashBatch(batch: Detection[]): HashedDetection[] {
  const unique = new Map(batch.map((detection) => [detection.fingerprint, detection]));
  const ordered = [...unique.values()].sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1));
  return ordered.map(hashDetection);
}

/**
 * Updates the findings that the scan saw again: their facts, and the lifecycle of regressions. Returns how many
 * reopened.
 */
async function mergeKnown(
  tx: Db,
  orgId: string,
  { startedAt, keepsFacts }: Sighting,
  known: Map<string, FactsRow>,
  changes: FindingChanges,
): Promise<number> {
  let reopened = 0;
  for (const before of await lockFindings(tx, orgId, [...known.keys()])) {
    const after = sighted(before, startedAt.getTime(), changes.time.ms);
    if (after.reopenedCount > before.reopenedCount) reopened += 1;
    const facts = keepsFacts ? undefined : known.get(before.id)!;
    changes.move(before, after, { facts, lastSeenAt: changes.time.at });
  }
  return reopened;
}

/**
 * The decisions that apply to a merge (decisions/apply-decisions.ts). `hold` is called before the merge locks findings,
 * and prevents changes of decisions until the transaction ends. `apply` is called with the findings that the merge
 * wrote.
 */
export type MergeDecisions = {
  hold(tx: Db, orgId: string): Promise<void>;
  apply(tx: Db, orgId: string, changes: FindingChanges, ids: string[]): Promise<void>;
};

/**
 * A batch to merge, in fingerprint order without duplicates. `rows` returns the JSON of the FactsRow at each ordinal.
 */
export type RowBatch = Identities & { rows(ordinals: number[]): Promise<string[]> };

/** Merges a prepared batch like `recordDetections`. */
export async function recordRows(
  tx: Db,
  orgId: string,
  sighting: Sighting,
  batch: RowBatch,
  decisions?: MergeDecisions,
): Promise<Tally> {
  const toWrite = await listToWrite(tx, orgId, sighting, batch);
  const tally: Tally = { new: 0, seen: batch.fingerprints.length, reopened: 0, resolved: 0 };
  if (toWrite.length === 0) return tally;
  await decisions?.hold(tx, orgId);
  await tx.query(lookUpByIndex);
  const split = (await batch.rows(toWrite.map(({ ordinal }) => ordinal))).map(splitRow);
  await recordTexts(tx, orgId, new Map(split.map(({ text, texts }) => [text, texts])));
  // Started before the aliases are read: a recomputation after new aliases waits for changes that may have read the old
  // ones.
  const changes = await FindingChanges.begin(tx, orgId, { scanId: sighting.scanId });
  const rows = await followAliasesOfRows(
    tx,
    orgId,
    split.map(({ row }) => row),
  );
  const written = toWrite.flatMap(({ id }) => id ?? []);
  const fresh = rows.filter((_row, index) => toWrite[index]!.id === null);
  if (fresh.length > 0) {
    const inserted = await insertFindings(tx, orgId, sighting, changes.time, fresh);
    for (const [severity, alike] of Map.groupBy(inserted, (finding) => finding.severity)) {
      changes.add({ ...sighting, severity }, firstSighting.status, alike.length);
    }
    tally.new = inserted.length;
    written.push(...inserted.map(({ id }) => id));
  }
  const known = new Map<string, FactsRow>();
  for (const [index, { id }] of toWrite.entries()) if (id !== null) known.set(id, JSON.parse(rows[index]!));
  if (known.size > 0) tally.reopened = await mergeKnown(tx, orgId, sighting, known, changes);
  tally.seen -= tally.new + tally.reopened;
  if (decisions) {
    await changes.writeRows();
    await decisions.apply(tx, orgId, changes, written);
  }
  await changes.write();
  return tally;
}

/**
 * Merges a batch of detections into the findings of one data source and source, in the caller's transaction. New
 * findings are inserted, unchanged ones cost no write, regressions reopen, and people's decisions stay. It is safe to
 * merge a batch twice, and concurrently with other scans. Batches of a few thousand detections work best.
 */
export async function recordDetections(
  tx: Db,
  orgId: string,
  sighting: Sighting,
  batch: Detection[],
  decisions?: MergeDecisions,
): Promise<Tally> {
  const hashed = hashBatch(batch);
  const rows: RowBatch = {
    fingerprints: hashed.map(({ fingerprint }) => fingerprint),
    factsHashes: hashed.map(({ factsHash }) => factsHash),
    rows: async (ordinals) => ordinals.map((ordinal) => rowText(hashed[ordinal]!)),
  };
  return recordRows(tx, orgId, sighting, rows, decisions);
}

const missingPerTransaction = 2_000;

/** Marks findings as not seen; with `close`, open ones become resolved. Returns how many did. */
async function recordMissing(
  tx: Db,
  orgId: string,
  sighting: Sighting,
  ids: string[],
  seenUntil: string | null,
  close: boolean,
): Promise<number> {
  const changes = await FindingChanges.begin(tx, orgId, { scanId: sighting.scanId });
  let resolved = 0;
  for (const before of await lockFindings(tx, orgId, ids)) {
    const after = close ? missed(before, changes.time.ms) : { ...before, seenLast: false };
    const visible = isVisibleMove(before, after);
    if (!visible && !before.seenLast) continue;
    if (visible) resolved += 1;
    changes.move(before, after, { lastSeenAt: before.seenLast ? seenUntil : null });
  }
  await changes.write();
  return resolved;
}

/** Opens a transaction of a scan. Callers may add a guard, for example that the scan still has its target locked. */
export type Transact = <T>(run: (tx: Db) => Promise<T>) => Promise<T>;

/**
 * Ends a complete scan of one data source that saw the fingerprints for which `wasSeen` is true. With `close`, findings
 * that it covered and did not see are resolved. Without it (an import that only adds), they keep their old
 * `last_seen_at`. A scan that a later one has overtaken closes nothing, because it read an older state. Works in
 * several transactions, each complete in itself, and continues when it is run again after a crash. Calls `onResolved`
 * in each transaction that resolved findings. Returns how many findings were resolved, how many missing ones stay
 * closed by a decision, and whether the scan was overtaken.
 */
export async function finishSighting(
  transact: Transact,
  orgId: string,
  sighting: Sighting,
  wasSeen: (fingerprint: string) => boolean,
  { close, isComplete }: { close: boolean; isComplete: boolean },
  onResolved: (tx: Db, count: number) => Promise<void> = async () => {},
): Promise<{ resolved: number; keptClosed: number; overtaken: boolean }> {
  const coverage = await transact((tx) => findCoverage(tx, orgId, sighting));
  if (coverage?.overtook) return { resolved: 0, keptClosed: 0, overtaken: true };
  let resolved = 0;
  let keptClosed = 0;
  let after = '';
  for (;;) {
    const page = await transact((tx) => listStanding(tx, orgId, sighting, after, 10_000));
    const unseen = page.filter((finding) => !wasSeen(finding.fingerprint));
    keptClosed += unseen.filter(({ decided }) => decided).length;
    const missing = unseen.filter(({ seenLast, decided }) => seenLast || !decided).map(({ id }) => id);
    for (let start = 0; start < missing.length; start += missingPerTransaction) {
      const ids = missing.slice(start, start + missingPerTransaction);
      resolved += await transact(async (tx) => {
        const count = await recordMissing(tx, orgId, sighting, ids, coverage?.lastSeenAt ?? null, close);
        if (count > 0) await onResolved(tx, count);
        return count;
      });
    }
    if (page.length < 10_000) break;
    after = page.at(-1)!.fingerprint;
  }
  await transact(async (tx) => updateCoverage(tx, orgId, sighting, await beginChange(tx, orgId), isComplete));
  return { resolved, keptClosed, overtaken: false };
}

/** Transactions of the organization, without a guard. */
export const plainTransactions =
  (database: Database, orgId: string): Transact =>
  (run) =>
    database.transaction(orgId, run);
