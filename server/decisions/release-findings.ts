import { FindingChanges } from '../findings/finding-changes.ts';
import { lockHeld, releaseFindings } from '../findings/policy/release-queries.ts';
import { lookUpByIndex } from '../findings/policy-queries.ts';
import type { Db } from '../platform/postgres/database.ts';
import { decideFindings } from './decide-findings.ts';
import type { EndCondition } from './end-conditions.ts';
import { enqueueFollowing } from './job-type.ts';
import { createMatcher } from './matching.ts';
import { listOwn } from './own-queries.ts';
import { listActive, listContested } from './queries.ts';

/** Decisions that have ended, with the reason for the history. */
type Ended = ReadonlyMap<string, string>;

const findingsPerStatement = 10_000;
const decidedPerStatement = 2_000;

/**
 * Releases a part of the findings of ended decisions: other decisions take over those that they match, and one statement
 * writes the rest. Returns the decisions that these findings end by their conditions.
 */
async function releasePart(
  tx: Db,
  orgId: string,
  changes: FindingChanges,
  ended: Ended,
  ids: string[],
): Promise<Map<string, EndCondition>> {
  const matcher = await createMatcher(tx, orgId, await listActive(tx, orgId, ids));
  const own = (await listOwn(tx, orgId, ids)).map(({ findingId }) => findingId);
  const keys = { ...matcher.keys, finding: [...matcher.keys.finding, ...own] };
  const isOwn = new Set(own);
  const contested = (await listContested(tx, orgId, ids, keys)).filter(
    (finding) => finding.demotedBy !== null || isOwn.has(finding.id) || matcher.find(finding).length > 0,
  );
  const met = new Map<string, EndCondition>();
  for (let start = 0; start < contested.length; start += decidedPerStatement) {
    const part = contested.slice(start, start + decidedPerStatement);
    for (const end of await decideFindings(tx, orgId, changes, matcher, part, { ended })) met.set(...end);
    await changes.writeRows();
  }
  const isContested = new Set(contested.map(({ id }) => id));
  const free = ids.filter((id) => !isContested.has(id));
  for (const { before, status, count } of await releaseFindings(tx, orgId, changes, { ids: free, ended }))
    changes.count(before, status, count);
  return met;
}

/**
 * Releases all findings of decisions that have ended, however many, in the caller's transaction, which writes `changes`.
 * Unless it waits, findings that other transactions have locked are left out.
 */
async function release(
  tx: Db,
  orgId: string,
  changes: FindingChanges,
  ended: Ended,
  { waits }: { waits: boolean },
): Promise<void> {
  await changes.writeRows();
  await tx.query(lookUpByIndex);
  const ids = await lockHeld(tx, orgId, [...ended.keys()], { waits });
  const met = new Map<string, EndCondition>();
  for (let start = 0; start < ids.length; start += findingsPerStatement) {
    const part = ids.slice(start, start + findingsPerStatement);
    for (const end of await releasePart(tx, orgId, changes, ended, part)) met.set(...end);
  }
  await releaseMet(tx, orgId, changes, met);
}

/**
 * Releases the findings of decisions that findings have ended by their conditions, in the same transaction. A job releases
 * what other transactions are changing now, or apply the decisions to while they overlap with this one: a merge that
 * waited for them could deadlock.
 */
export async function releaseMet(
  tx: Db,
  orgId: string,
  changes: FindingChanges,
  met: ReadonlyMap<string, EndCondition>,
): Promise<void> {
  if (met.size === 0) return;
  for (const id of met.keys()) await enqueueFollowing(tx, orgId, id, null);
  await release(tx, orgId, changes, met, { waits: false });
}

/**
 * Releases the findings of decisions that have ended, in the caller's transaction: the next decision takes over, or they
 * are open again. The caller has locked the decisions.
 */
export async function releaseEnded(tx: Db, orgId: string, ended: Ended, userId: string | null): Promise<void> {
  if (ended.size === 0) return;
  const changes = await FindingChanges.begin(tx, orgId, { userId: userId ?? undefined });
  await release(tx, orgId, changes, ended, { waits: true });
  await changes.write();
}
