import { noteChange } from '../../organization/change-number.ts';
import type { Database, Db } from '../../platform/postgres/database.ts';
import { setChangeHorizon } from '../change-clock.ts';
import { problemOf } from '../fingerprint.ts';
import { lookUpByIndex } from '../policy-queries.ts';
import { severityName } from '../severity.ts';
import { isInTests } from '../test-path.ts';
import { cvesOf, partOfFacts } from '../urgency.ts';
import {
  advanceFeedRecomputation,
  beginFeedRecomputation,
  findFeedState,
  isFeedRecomputationSettled,
  listChangedByFeeds,
} from './exploitation-queries.ts';
import {
  advanceRecomputation,
  beginRecomputation,
  findStale,
  isSettled,
  type LockedFacts,
  listNext,
  lockForRecomputation,
  type UrgencyRow,
  updateUrgency,
} from './recompute-queries.ts';

/** The findings of one transaction: requests that change some of them wait for it a fraction of a second at most. */
const findingsPerBatch = 1_000;

/** `more`: at once; `later`: once the transactions that are writing findings have ended; `done`: nothing is stale. */
export type Progress = 'more' | 'later' | 'done';

/** As many are compared with the feeds in a transaction; most have not changed. */
const comparedPerBatch = 2_000;

function urgencyOf({ id, severity, cvss, fixAvailable, ...facts }: LockedFacts): UrgencyRow {
  const identifiers = facts.identifiers ?? [];
  const inTests = isInTests(facts.path, facts.places);
  const part = partOfFacts({ severity: severityName(severity), cvss, inTests, fixAvailable });
  return {
    id,
    severity,
    urgency_points: part.points,
    urgency_bits: part.bits,
    cves: cvesOf(identifiers),
    problem: problemOf({ ...facts, identifiers }),
  };
}

/**
 * Recomputes the urgency of the next findings of an organization whose inputs have changed, in the caller's transaction.
 * How far it came is stored with it, so that an interruption costs nothing. Neither `updated_at` nor the version of a
 * finding changes: followers of changes are not flooded, and nobody's edit is refused.
 */
async function recomputeNext(tx: Db, orgId: string): Promise<Progress> {
  await tx.query(lookUpByIndex);
  const stale = await findStale(tx, orgId);
  if (!stale) return followFeeds(tx, orgId);
  if (stale.inputs !== stale.begun) await beginRecomputation(tx, orgId, stale);
  await setChangeHorizon(tx, orgId);
  // A merge that began before may still insert findings with the old inputs.
  if (!(await isSettled(tx, orgId, stale.dataSourceId))) return 'later';
  const next = await listNext(tx, orgId, stale.dataSourceId, findingsPerBatch);
  const ids = next.map(({ id }) => id);
  const locked = await lockForRecomputation(tx, orgId, ids);
  await updateUrgency(tx, orgId, locked.map(urgencyOf));
  await advanceRecomputation(tx, orgId, stale, { last: next.at(-1), done: next.length < findingsPerBatch });
  await noteChange(tx, orgId);
  return 'more';
}

/** Recomputes the next findings whose CVEs have other values in the feeds than when they were computed. */
async function followFeeds(tx: Db, orgId: string): Promise<Progress> {
  const { version, begun, done } = await findFeedState(tx, orgId);
  if (version === (begun ?? 0) && (done || begun === null)) return 'done';
  if (version !== begun) await beginFeedRecomputation(tx, orgId, version);
  await setChangeHorizon(tx, orgId);
  // A merge that began before may still insert findings with the old values.
  if (!(await isFeedRecomputationSettled(tx, orgId))) return 'later';
  const { lastId, count, changed } = await listChangedByFeeds(tx, orgId, comparedPerBatch);
  await updateUrgency(tx, orgId, (await lockForRecomputation(tx, orgId, changed)).map(urgencyOf));
  if (changed.length > 0) await noteChange(tx, orgId);
  await advanceFeedRecomputation(tx, orgId, { lastId, done: count < comparedPerBatch });
  return 'more';
}

/** Does the next batch; see `recomputeNext`. */
export const recompute = (database: Database, orgId: string): Promise<Progress> =>
  database.transaction(orgId, (tx) => recomputeNext(tx, orgId));
