import { FindingChanges } from '../findings/finding-changes.ts';
import type { MergeDecisions } from '../findings/record-detections.ts';
import type { Db } from '../platform/postgres/database.ts';
import { type DecidingOptions, decideFindings } from './decide-findings.ts';
import { findMatcher } from './kept-matchers.ts';
import { createMatcher } from './matching.ts';
import { type ActiveDecision, hasAny, holdDecisions, listActive, listDecidable, listInReach } from './queries.ts';
import { releaseMet } from './release-findings.ts';

/** Applies the decisions of the organization to merged findings. */
export const mergeDecisions: MergeDecisions = {
  hold: holdDecisions,
  async apply(tx, orgId, changes, ids) {
    if (ids.length === 0) return;
    const matcher = await findMatcher(tx, orgId, ids);
    if (matcher.isEmpty && !(await hasAny(tx, orgId))) return;
    const found = await listDecidable(tx, orgId, ids, matcher.keys);
    await releaseMet(tx, orgId, changes, await decideFindings(tx, orgId, changes, matcher, found));
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
  options: DecidingOptions = {},
): Promise<void> {
  const changes = await FindingChanges.begin(tx, orgId, { userId: userId ?? undefined });
  const matcher = await createMatcher(tx, orgId, await listActive(tx, orgId, ids));
  const keys = { ...matcher.keys, finding: [...matcher.keys.finding, ...(options.owning ?? [])] };
  const found = await listDecidable(tx, orgId, ids, keys);
  await releaseMet(tx, orgId, changes, await decideFindings(tx, orgId, changes, matcher, found, options));
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
