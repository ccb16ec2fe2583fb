import type { Database, Db } from '../platform/postgres/database.ts';
import { beginChange, type ChangeTime } from './change-clock.ts';
import { CountChanges } from './counts.ts';
import type { Detection } from './detection.ts';
import { type FactsRow, type HashedDetection, hashDetection, rowText } from './facts.ts';
import { firstSighting, type Lifecycle, missed, sighted } from './lifecycle.ts';
import {
  findCoverage,
  type HistoryRow,
  type Identities,
  insertFindings,
  insertHistory,
  type LifecycleRow,
  type LockedFinding,
  listStanding,
  listUnsettled,
  lockFindings,
  type Sighting,
  updateCoverage,
  updateFacts,
  updateLifecycles,
} from './merge-queries.ts';
import { severityName } from './severity.ts';

export type { Sighting } from './merge-queries.ts';

/** What became of detections: `seen` were known already and are still as they were, or came with new facts. */
export type Tally = { new: number; seen: number; reopened: number; resolved: number };

/** A change that only the platform sees (which scan saw it last) is no new version of the finding. */
const isVisible = (before: Lifecycle, after: Lifecycle): boolean =>
  before.status !== after.status || before.resolution !== after.resolution || before.closedAt !== after.closedAt;

function historyOf(before: LockedFinding, after: Lifecycle, facts?: FactsRow): HistoryRow[] {
  const changes: HistoryRow['changes'] = {};
  if (before.status !== after.status) changes.status = [before.status, after.status];
  if (before.resolution !== after.resolution) changes.resolution = [before.resolution, after.resolution];
  if (facts && facts.severity !== before.severity) {
    changes.severity = [severityName(before.severity), severityName(facts.severity)];
  }
  if (facts && facts.title !== before.title) changes.title = [before.title, facts.title];
  return Object.keys(changes).length === 0 ? [] : [{ finding_id: before.id, changes }];
}

/**
 * Last one wins: a batch may name a fingerprint twice, a statement may not. In the order of fingerprints: two scans that
 * bring in the same new findings wait for each other's rows in one order, and never in a circle.
 */
function hashBatch(batch: Detection[]): HashedDetection[] {
  const unique = new Map(batch.map((detection) => [detection.fingerprint, detection]));
  const ordered = [...unique.values()].sort((one, other) => (one.fingerprint < other.fingerprint ? -1 : 1));
  return ordered.map(hashDetection);
}

/** Brings findings that the scan saw again up to date: their facts, and a regression's lifecycle. Answers how many came back. */
async function mergeKnown(
  tx: Db,
  orgId: string,
  sighting: Sighting,
  time: ChangeTime,
  known: Map<string, FactsRow>,
  counts: CountChanges,
): Promise<number> {
  const before = await lockFindings(tx, orgId, [...known.keys()]);
  const lifecycles: LifecycleRow[] = [];
  const facts: Array<FactsRow & { id: string }> = [];
  const history: HistoryRow[] = [];
  let reopened = 0;
  for (const finding of before) {
    const row = { ...known.get(finding.id)!, id: finding.id };
    const after = sighted(finding, sighting.startedAt.getTime());
    const restated = row.facts_hash !== finding.factsHash;
    if (restated) facts.push(row);
    if (after.reopenedCount > finding.reopenedCount) reopened += 1;
    history.push(...historyOf(finding, after, row));
    lifecycles.push({ ...after, id: finding.id, visible: restated || isVisible(finding, after), lastSeenAt: time.at });
    counts.moved({ ...finding, ...sighting }, { ...sighting, severity: row.severity, status: after.status });
  }
  if (facts.length > 0) await updateFacts(tx, orgId, facts);
  await updateLifecycles(tx, orgId, time, lifecycles);
  await insertHistory(tx, orgId, time, { scanId: sighting.scanId }, history);
  return reopened;
}

/** A batch to merge, in the order of fingerprints and each but once. `rows`: the JSON of the FactsRow at each of the ordinals. */
export type RowBatch = Identities & { rows(ordinals: number[]): Promise<string[]> };

/** Merges a batch that was prepared before: see recordDetections. */
export async function recordRows(tx: Db, orgId: string, sighting: Sighting, batch: RowBatch): Promise<Tally> {
  const unsettled = await listUnsettled(tx, orgId, sighting, batch);
  const tally: Tally = { new: 0, seen: batch.fingerprints.length, reopened: 0, resolved: 0 };
  if (unsettled.length === 0) return tally;
  const rows = await batch.rows(unsettled.map(({ ordinal }) => ordinal));
  const time = await beginChange(tx);
  const counts = new CountChanges();
  const fresh = rows.filter((_row, index) => unsettled[index]!.id === null);
  if (fresh.length > 0) {
    for (const { severity, count } of await insertFindings(tx, orgId, sighting, time, fresh)) {
      counts.moved(null, { ...sighting, severity, status: firstSighting.status }, count);
      tally.new += count;
    }
  }
  const known = new Map<string, FactsRow>();
  for (const [index, { id }] of unsettled.entries()) if (id !== null) known.set(id, JSON.parse(rows[index]!));
  if (known.size > 0) tally.reopened = await mergeKnown(tx, orgId, sighting, time, known, counts);
  tally.seen -= tally.new + tally.reopened;
  await counts.write(tx, orgId);
  return tally;
}

/**
 * Merges a batch of detections into the findings of one data source and source, in the caller's transaction: new ones
 * come in, known ones that stand as they did cost no write, regressions open again, people's decisions stay.
 * Safe to run twice with the same batch, and beside other scans. A few thousand detections a batch are best.
 */
export async function recordDetections(tx: Db, orgId: string, sighting: Sighting, batch: Detection[]): Promise<Tally> {
  const hashed = hashBatch(batch);
  return recordRows(tx, orgId, sighting, {
    fingerprints: hashed.map(({ fingerprint }) => fingerprint),
    factsHashes: hashed.map(({ factsHash }) => factsHash),
    rows: async (ordinals) => ordinals.map((ordinal) => rowText(hashed[ordinal]!)),
  });
}

const missingPerTransaction = 2_000;

/** Marks findings as not seen; with `close`, open ones become resolved. Answers how many did. */
async function recordMissing(
  tx: Db,
  orgId: string,
  sighting: Sighting,
  ids: string[],
  seenUntil: string | null,
  close: boolean,
): Promise<number> {
  const time = await beginChange(tx);
  const counts = new CountChanges();
  const lifecycles: LifecycleRow[] = [];
  const history: HistoryRow[] = [];
  let resolved = 0;
  for (const before of await lockFindings(tx, orgId, ids)) {
    const after = close ? missed(before, time.ms) : { ...before, seenLast: false };
    const visible = isVisible(before, after);
    if (!visible && !before.seenLast) continue;
    if (visible) resolved += 1;
    history.push(...historyOf(before, after));
    lifecycles.push({ ...after, id: before.id, visible, lastSeenAt: before.seenLast ? seenUntil : null });
    counts.moved({ ...before, ...sighting }, { ...sighting, severity: before.severity, status: after.status });
  }
  if (lifecycles.length > 0) await updateLifecycles(tx, orgId, time, lifecycles);
  await insertHistory(tx, orgId, time, { scanId: sighting.scanId }, history);
  await counts.write(tx, orgId);
  return resolved;
}

/** How a scan's transactions are opened: the caller may add its own guard to each, e.g. that the scan is still its own. */
export type Transact = <T>(run: (tx: Db) => Promise<T>) => Promise<T>;

/**
 * Ends a scan of one data source that ran to its end, having seen the fingerprints that `wasSeen` knows.
 * With `close`, what it covered and did not see is resolved; without (an import that adds), it only keeps its old
 * `last_seen_at`. A scan that a later-begun one has overtaken closes nothing: it read an older state.
 * Works in several transactions, each whole; run again after a crash, it goes on. Answers how many were resolved.
 */
export async function finishSighting(
  transact: Transact,
  orgId: string,
  sighting: Sighting,
  wasSeen: (fingerprint: string) => boolean,
  close: boolean,
): Promise<number> {
  const coverage = await transact((tx) => findCoverage(tx, orgId, sighting));
  if (coverage && coverage.startedAt.getTime() > sighting.startedAt.getTime()) return 0;
  let resolved = 0;
  let after = '';
  for (;;) {
    const page = await transact((tx) => listStanding(tx, orgId, sighting, after, 10_000));
    const missing = page.filter((finding) => !wasSeen(finding.fingerprint)).map((finding) => finding.id);
    for (let start = 0; start < missing.length; start += missingPerTransaction) {
      const ids = missing.slice(start, start + missingPerTransaction);
      resolved += await transact((tx) => recordMissing(tx, orgId, sighting, ids, coverage?.lastSeenAt ?? null, close));
    }
    if (page.length < 10_000) break;
    after = page.at(-1)!.fingerprint;
  }
  await transact(async (tx) => updateCoverage(tx, orgId, sighting, await beginChange(tx)));
  return resolved;
}

/** Transactions of the organization, with nothing added. */
export const plainTransactions =
  (database: Database, orgId: string): Transact =>
  (run) =>
    database.transaction(orgId, run);
