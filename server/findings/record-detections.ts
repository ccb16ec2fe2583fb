import type { Detection } from '@assay/scanner/contract/detection.ts';
import { type Database, type Db, sentTogether } from '../platform/postgres/database.ts';
import { withoutWaiting } from '../platform/postgres/statement.ts';
import { followAliasesOfRows } from './aliased-facts.ts';
import { beginChange } from './change-clock.ts';
import { toMergeRow } from './fact-columns.ts';
import { type FactSource, givenFacts, givenRows } from './fact-source.ts';
import { type FactsRow, hashDetection } from './facts.ts';
import { FindingChanges, isVisibleMove } from './finding-changes.ts';
import { firstSighting, missed, sighted } from './lifecycle.ts';
import { insertFindings, listStanding, listToWrite, lockFindings, type Sighting } from './merge-queries.ts';

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
function toFacts(batch: Detection[]): FactSource {
  const unique = new Map(batch.map((detection) => [detection.fingerprint, detection]));
  const ordered = [...unique.values()].sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1));
  return givenFacts(ordered.map((detection) => toMergeRow(hashDetection(detection))));
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

/** Inserts new findings. Returns their ids. */
async function insertNew(
  tx: Db,
  orgId: string,
  sighting: Sighting,
  facts: FactSource,
  fresh: { ordinals: number[]; aliased: FactsRow[] },
  changes: FindingChanges,
): Promise<string[]> {
  const groups = fresh.ordinals.length > 0 ? [{ facts, ordinals: fresh.ordinals }] : [];
  if (fresh.aliased.length > 0) {
    const aliased = givenRows(fresh.aliased);
    groups.push({ facts: aliased, ordinals: fresh.aliased.map((_, ordinal) => ordinal) });
  }
  const written: string[] = [];
  for (const group of groups) {
    const inserted = await insertFindings(tx, orgId, sighting, changes.time, group.facts, group.ordinals);
    for (const { severity, ids } of inserted) {
      changes.add({ ...sighting, severity }, firstSighting.status, ids.length);
      written.push(...ids);
    }
  }
  return written;
}

/** Merges a prepared batch like `recordDetections`. */
export async function recordFacts(
  tx: Db,
  orgId: string,
  sighting: Sighting,
  facts: FactSource,
  decisions?: MergeDecisions,
): Promise<Tally> {
  const toWrite = await listToWrite(tx, orgId, sighting, facts);
  const tally: Tally = { new: 0, seen: facts.count, reopened: 0, resolved: 0 };
  if (toWrite.length === 0) return tally;
  await decisions?.hold(tx, orgId);
  await tx.query(lookUpByIndex);
  await recordTexts(tx, orgId, facts);
  // Started before the aliases are read: a recomputation after new aliases waits for changes that may have read the old
  // ones.
  const changes = await FindingChanges.begin(tx, orgId, { scanId: sighting.scanId });
  const ordinals = toWrite.map(({ ordinal }) => ordinal);
  const aliased = await followAliasesOfRows(tx, orgId, facts, ordinals);
  const isFresh = new Set(toWrite.filter(({ id }) => id === null).map(({ ordinal }) => ordinal));
  const fresh = {
    ordinals: ordinals.filter((ordinal) => isFresh.has(ordinal) && !aliased.has(ordinal)),
    aliased: [...aliased].filter(([ordinal]) => isFresh.has(ordinal)).map(([, row]) => row),
  };
  const written = await insertNew(tx, orgId, sighting, facts, fresh, changes);
  tally.new = written.length;
  const again = toWrite.filter(({ id }) => id !== null);
  if (again.length > 0) {
    const rows = await facts.read(
      tx,
      orgId,
      again.map(({ ordinal }) => ordinal),
    );
    const known = new Map(again.map(({ ordinal, id }, index) => [id!, aliased.get(ordinal) ?? rows[index]!]));
    tally.reopened = await mergeKnown(tx, orgId, sighting, known, changes);
    written.push(...known.keys());
  }
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
  return recordFacts(tx, orgId, sighting, toFacts(batch), decisions);
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
  const read = <Result>(run: (tx: Db) => Promise<Result>): Promise<Result> =>
    transact(async (tx) => (await sentTogether([run(tx), tx.query(withoutWaiting)]))[0]);
  const coverage = await read((tx) => findCoverage(tx, orgId, sighting));
  if (coverage?.overtook) return { resolved: 0, keptClosed: 0, overtaken: true };
  let resolved = 0;
  let keptClosed = 0;
  let after = '';
  for (;;) {
    const page = await read((tx) => listStanding(tx, orgId, sighting, after, 10_000));
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
