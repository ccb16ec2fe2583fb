import { noteChange } from '../../organization/change-number.ts';
import type { Database, Db } from '../../platform/postgres/database.ts';
import { headOf, isCve } from '../aliases/names.ts';
import { resolveAliases } from '../aliases/resolve-aliases.ts';
import { setChangeHorizon } from '../change-clock.ts';
import { FindingChanges } from '../finding-changes.ts';
import { lookUpByIndex } from '../policy-queries.ts';
import type { MergeDecisions } from '../record-detections.ts';
import {
  advanceFeedRecomputation,
  beginFeedRecomputation,
  type FeedRange,
  findFeedState,
  isFeedRecomputationSettled,
  listChangedByFeeds,
} from './exploitation-queries.ts';
import { recomputeLocked } from './recompute-locked.ts';
import { advanceRecomputation, beginRecomputation, findStale, isSettled, listNext } from './recompute-queries.ts';

/**
 * The number of findings per transaction: requests that change some of them wait for a fraction of a second at most.
 */
const findingsPerBatch = 1_000;

/**
 * `more`: continue immediately; `later`: once the transactions that are writing findings have ended; `done`: nothing is
 * stale.
 */
export type Progress = 'more' | 'later' | 'done';

/** The number of findings that a transaction compares with the feeds; most have not changed. */
const comparedPerBatch = 2_000;

/**
 * Recomputes the urgency of the next findings of an organization whose inputs have changed, in the caller's
 * transaction. The progress is stored with it, so an interruption loses nothing. Neither `updated_at` nor the version
 * of a finding changes: followers of changes are not flooded, and nobody's edit is refused.
 */
async function recomputeNext(tx: Db, orgId: string, decisions?: MergeDecisions): Promise<Progress> {
  await tx.query(lookUpByIndex);
  const stale = await findStale(tx, orgId);
  if (!stale) return followFeeds(tx, orgId, decisions);
  if (stale.inputs !== stale.begun) await beginRecomputation(tx, orgId, stale);
  await setChangeHorizon(tx, orgId);
  // A merge that started earlier may still insert findings with the old inputs.
  if (!(await isSettled(tx, orgId, stale.dataSourceId))) return 'later';
  const next = await listNext(tx, orgId, stale.dataSourceId, findingsPerBatch);
  await recomputeLocked(
    tx,
    orgId,
    next.map(({ id }) => id),
  );
  await advanceRecomputation(tx, orgId, stale, { last: next.at(-1), done: next.length < findingsPerBatch });
  await noteChange(tx, orgId);
  return 'more';
}

/**
 * Returns the findings without a CVE of their own whose advisories resolve to different names than when they were
 * computed.
 */
async function listChangedByAliases(tx: Db, orgId: string, unnamed: FeedRange['unnamed']): Promise<string[]> {
  const heads = await resolveAliases(tx, orgId, [...new Set(unnamed.flatMap(({ advisories }) => advisories))]);
  return unnamed.flatMap(({ id, advisories, cves }) => {
    const head = headOf(advisories, heads);
    const cve = head !== null && isCve(head) ? head : null;
    // A name other than a CVE shows only in the problem number.
    const isOther = cve !== (cves?.[0] ?? null) || (cve === null && advisories.some((name) => heads.has(name)));
    return isOther ? [id] : [];
  });
}

/**
 * Recomputes the next findings whose CVEs or aliases have changed in the feeds since they were computed. A decision
 * that ends as a result ends in the same transaction.
 */
async function followFeeds(tx: Db, orgId: string, decisions?: MergeDecisions): Promise<Progress> {
  const { version, begun, done } = await findFeedState(tx, orgId);
  if (version === (begun ?? 0) && (done || begun === null)) return 'done';
  if (version !== begun) await beginFeedRecomputation(tx, orgId, version);
  await setChangeHorizon(tx, orgId);
  // A merge that started earlier may still insert findings with the old values.
  if (!(await isFeedRecomputationSettled(tx, orgId))) return 'later';
  const { lastId, count, ...listed } = await listChangedByFeeds(tx, orgId, comparedPerBatch);
  const byAliases = await listChangedByAliases(tx, orgId, listed.unnamed);
  const changed = [...new Set([...listed.changed, ...byAliases])];
  if (changed.length > 0) {
    await decisions?.hold(tx, orgId);
    const changes = await FindingChanges.begin(tx, orgId, {});
    await recomputeLocked(tx, orgId, changed);
    await decisions?.apply(tx, orgId, changes, changed);
    await changes.write();
  }
  await advanceFeedRecomputation(tx, orgId, { lastId, done: count < comparedPerBatch });
  return 'more';
}

/** Runs the next batch; see `recomputeNext`. */
export const recompute = (database: Database, orgId: string, decisions?: MergeDecisions): Promise<Progress> =>
  database.transaction(orgId, (tx) => recomputeNext(tx, orgId, decisions));
