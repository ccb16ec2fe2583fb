import { FindingChanges } from '../findings/finding-changes.ts';
import { isOpen } from '../findings/lifecycle.ts';
import { type LockedFinding, lockFindings } from '../findings/merge-queries.ts';
import { updateDemotions } from '../findings/policy/demotions.ts';
import type { MergeDecisions } from '../findings/record-detections.ts';
import { type Decision, triageLocked } from '../findings/triage-findings.ts';
import type { Db } from '../platform/postgres/database.ts';
import { type EndCondition, metCondition } from './end-conditions.ts';
import { enqueueFollowing } from './job-type.ts';
import { createMatcher, inOrder, isAfter, type Matcher } from './matching.ts';
import {
  type ActiveDecision,
  type DecidableFinding,
  endByConditions,
  hasAny,
  holdDecisions,
  listActive,
  listDecidable,
  listHeld,
  listInReach,
  listOwn,
} from './queries.ts';

/** Returns the change that applies a decision to a finding, or releases the finding; null if nothing changes. */
function changeOf(finding: LockedFinding, decision: ActiveDecision | undefined): Decision | null {
  const isHeld = finding.decisionId !== null;
  if (!decision) {
    if (!isHeld) return null;
    return finding.status === 'resolved' ? { decisionId: null } : { status: 'new', decisionId: null };
  }
  const { id, outcome, until, origin } = decision;
  if (outcome === 'demoted') throw new Error('A demotion sets no status.');
  // Only people close what people triage or work on.
  const isFree = origin === 'person' ? isOpen(finding.status) : finding.status === 'new';
  if (!(isHeld ? finding.status !== 'resolved' : isFree)) return null;
  // Somebody is already working on it.
  if (outcome === 'triaged' && finding.status === 'in_progress') return null;
  const acceptedUntil = outcome === 'accepted_risk' ? until : null;
  const isSame = finding.decisionId === id && finding.status === outcome;
  if (isSame && finding.acceptedUntil === (acceptedUntil?.getTime() ?? null)) return null;
  return { status: outcome, acceptedUntil, decisionId: id };
}

/** Returns the decisions that end because a finding meets one of their conditions. */
function listMet(
  locked: LockedFinding[],
  facts: ReadonlyMap<string, DecidableFinding>,
  matching: ReadonlyMap<string, ActiveDecision[]>,
  { newVersions }: FindingChanges,
): Map<string, EndCondition> {
  const met = new Map<string, EndCondition>();
  for (const { id, status, decisionId, demotedBy } of locked) {
    if (status === 'resolved' || (decisionId === null && demotedBy === null && !isOpen(status))) continue;
    for (const decision of matching.get(id)!) {
      const condition = metCondition(decision.endsWhen, facts.get(id)!, newVersions.has(id));
      if (condition !== null) met.set(decision.id, condition);
    }
  }
  return met;
}

/**
 * Adds the decisions about these single findings, and removes those from which people took them. Some decision always
 * holds for a finding that has one of its own, unless that one is new (`owning`).
 */
async function addOwn(
  tx: Db,
  orgId: string,
  locked: LockedFinding[],
  matching: Map<string, ActiveDecision[]>,
  owning: ReadonlySet<string>,
): Promise<void> {
  const severities = new Map(locked.map(({ id, scannerSeverity }) => [id, scannerSeverity]));
  const held = locked.filter(({ id, decisionId }) => decisionId !== null || owning.has(id)).map(({ id }) => id);
  for (const { findingId, ...own } of held.length > 0 ? await listOwn(tx, orgId, held) : [])
    if (severities.get(findingId)! < (own.belowSeverity ?? Number.POSITIVE_INFINITY))
      matching.set(findingId, inOrder([...matching.get(findingId)!, own]));
  for (const { id, leftDecisions } of locked)
    if (leftDecisions !== null)
      matching.set(
        id,
        matching.get(id)!.filter((decision) => isAfter(decision, leftDecisions)),
      );
}

type Options = {
  /** Decisions that have ended, with the reason for the history. */
  ended?: ReadonlyMap<string, string>;
  /** Findings with a new decision about them alone. */
  owning?: ReadonlySet<string>;
};

/**
 * Applies the matching decisions to these findings in the caller's transaction, which has locked the decisions
 * (`holdDecisions`), and writes `changes`. A decision that one of the findings ends applies to none of them; a job
 * releases its other findings. Statuses that a person set on a finding itself stay.
 */
async function decideFindings(
  tx: Db,
  orgId: string,
  changes: FindingChanges,
  matcher: Matcher,
  findings: DecidableFinding[],
  { ended = new Map(), owning = new Set() }: Options = {},
): Promise<void> {
  const matching = new Map(findings.map((finding) => [finding.id, matcher.find(finding)]));
  const concerned = findings.filter(
    ({ id, decisionId, demotedBy }) =>
      decisionId !== null || demotedBy !== null || owning.has(id) || matching.get(id)!.length > 0,
  );
  if (concerned.length === 0) return;
  const locked = await lockFindings(tx, orgId, concerned.map(({ id }) => id).sort());
  await addOwn(tx, orgId, locked, matching, owning);
  const facts = new Map(concerned.map((finding) => [finding.id, finding]));
  const met = listMet(locked, facts, matching, changes);
  if (met.size > 0) {
    await endByConditions(tx, orgId, [...met]);
    for (const id of met.keys()) await enqueueFollowing(tx, orgId, id, null);
  }
  const whyEnded = (id: string | null) => (id === null ? undefined : (met.get(id) ?? ended.get(id)));
  const firstOf = (id: string, demotes: boolean) =>
    matching.get(id)!.find((decision) => !met.has(decision.id) && (decision.outcome === 'demoted') === demotes);
  const demoted: LockedFinding[] = [];
  const groups = new Map<string, { decision: Decision; findings: LockedFinding[] }>();
  for (const before of locked) {
    const demotedBy = firstOf(before.id, true)?.id ?? null;
    const isDemotion = demotedBy !== before.demotedBy;
    const finding = isDemotion ? changes.demote(before, demotedBy, whyEnded(before.demotedBy)) : before;
    if (isDemotion) demoted.push(finding);
    const decision = changeOf(finding, firstOf(before.id, false));
    if (!decision) continue;
    decision.decisionEnded = whyEnded(finding.decisionId);
    const key = JSON.stringify(decision);
    const group = groups.get(key);
    if (group) group.findings.push(finding);
    else groups.set(key, { decision, findings: [finding] });
  }
  await updateDemotions(tx, orgId, changes.time, demoted);
  for (const { decision, findings: alike } of groups.values())
    await triageLocked(tx, orgId, alike, { decision, userId: null, changes });
}

/** Applies the decisions of the organization to merged findings. */
export const mergeDecisions: MergeDecisions = {
  hold: holdDecisions,
  async apply(tx, orgId, changes, ids) {
    const decisions = await listActive(tx, orgId, ids);
    if (ids.length === 0 || (decisions.length === 0 && !(await hasAny(tx, orgId)))) return;
    const matcher = await createMatcher(tx, orgId, decisions);
    await decideFindings(tx, orgId, changes, matcher, await listDecidable(tx, orgId, ids, matcher.keys));
  },
};

/**
 * Decides these findings again, by all current decisions. The transaction has locked the decisions, exclusively or
 * shared.
 */
export async function decideAgain(
  tx: Db,
  orgId: string,
  userId: string | null,
  ids: string[],
  options: Options = {},
): Promise<void> {
  const changes = await FindingChanges.begin(tx, orgId, { userId: userId ?? undefined });
  const matcher = await createMatcher(tx, orgId, await listActive(tx, orgId, ids));
  const keys = { ...matcher.keys, finding: [...matcher.keys.finding, ...(options.owning ?? [])] };
  await decideFindings(tx, orgId, changes, matcher, await listDecidable(tx, orgId, ids, keys), options);
  await changes.write();
}

const findingsPerTransaction = 2_000;

/** Applies a decision to the next findings in its scope, by id. Returns the last id examined; null if none is left. */
export async function applyNext(
  tx: Db,
  orgId: string,
  decision: ActiveDecision & { findingId: string | null },
  userId: string | null,
  afterId: string,
): Promise<string | null> {
  await holdDecisions(tx, orgId);
  const { keys } = await createMatcher(tx, orgId, [decision]);
  const dataSources = dataSourcesOf([decision]);
  const found = await listInReach(tx, orgId, keys, { afterId, limit: findingsPerTransaction, dataSources });
  await decideAgain(
    tx,
    orgId,
    userId,
    found.map(({ id }) => id),
    { owning: new Set(decision.findingId === null ? [] : [decision.findingId]) },
  );
  return found.length < findingsPerTransaction ? null : found.at(-1)!.id;
}

/** The maximum number of findings reopened in the transaction that ends a decision; a job handles the rest. */
const maxReleasedAtOnce = 10_000;

/**
 * Releases the findings of an ended decision: the next decision takes over, or they are open again; `because` is for
 * their history. Processes at most 10,000, and returns whether more are left.
 */
export async function releaseNext(
  tx: Db,
  orgId: string,
  id: string,
  { userId, because }: { userId: string | null; because: string },
): Promise<boolean> {
  const ids = await listHeld(tx, orgId, id, maxReleasedAtOnce + 1);
  await decideAgain(tx, orgId, userId, ids.slice(0, maxReleasedAtOnce), { ended: new Map([[id, because]]) });
  return ids.length > maxReleasedAtOnce;
}

/**
 * Releases the findings of several decisions that have ended, with the reason of each: up to 10,000 in the caller's
 * transaction, the rest in jobs.
 */
export async function releaseAll(tx: Db, orgId: string, ended: ReadonlyMap<string, string>): Promise<void> {
  const ids: string[] = [];
  for (const id of ended.keys()) {
    const room = maxReleasedAtOnce - ids.length;
    const held = await listHeld(tx, orgId, id, room + 1);
    ids.push(...held.slice(0, room));
    if (held.length > room) await enqueueFollowing(tx, orgId, id, null);
  }
  if (ids.length > 0) await decideAgain(tx, orgId, null, ids, { ended });
}

export type Preview = { findings: number; open: number; samples: Array<{ id: string; title: string }> };

const previewPage = 5_000;

/** Returns the data sources to which decisions are limited; null if one has no such limit. */
const dataSourcesOf = (decisions: ActiveDecision[]): string[] | null => {
  const limits = decisions.map(({ scope }) => scope.data_source ?? null);
  return limits.includes(null) ? null : [...new Set(limits.flatMap((ids) => ids ?? []))];
};

/** Returns the ids of those decisions in whose scope a finding is of this severity (a rank) or a higher one. */
export async function listReaching(
  db: Db,
  orgId: string,
  decisions: ActiveDecision[],
  severity: number,
): Promise<Set<string>> {
  const unlimited = decisions.map((decision) => ({ ...decision, belowSeverity: null }));
  const matcher = await createMatcher(db, orgId, unlimited);
  const dataSources = dataSourcesOf(decisions);
  const reaching = new Set<string>();
  for (let afterId = ''; reaching.size < decisions.length; ) {
    const page = await listInReach(db, orgId, matcher.keys, { afterId, limit: previewPage, dataSources });
    for (const finding of page)
      if (finding.severity >= severity) for (const { id } of matcher.find(finding)) reaching.add(id);
    if (page.length < previewPage) break;
    afterId = page.at(-1)!.id;
  }
  return reaching;
}

/** Returns whether a finding in the scope of a decision is of this severity (a rank) or a higher one. */
export const reachesSeverity = async (
  db: Db,
  orgId: string,
  decision: ActiveDecision,
  severity: number,
): Promise<boolean> => (await listReaching(db, orgId, [decision], severity)).size > 0;

/** Counts the findings in the scopes of decisions, each once, and how many of them are open, with ten samples. */
export async function previewDecisions(db: Db, orgId: string, decisions: ActiveDecision[]): Promise<Preview> {
  const matcher = await createMatcher(db, orgId, decisions);
  const dataSources = dataSourcesOf(decisions);
  const preview: Preview = { findings: 0, open: 0, samples: [] };
  for (let afterId = ''; ; ) {
    const page = await listInReach(db, orgId, matcher.keys, { afterId, limit: previewPage, dataSources });
    for (const finding of page) {
      if (matcher.find(finding).length === 0) continue;
      preview.findings += 1;
      if (finding.isOpen) preview.open += 1;
      if (preview.samples.length < 10) preview.samples.push({ id: finding.id, title: finding.title });
    }
    if (page.length < previewPage) return preview;
    afterId = page.at(-1)!.id;
  }
}
