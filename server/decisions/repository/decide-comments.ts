import type { ScannedDetection } from '@assay/scanner/contract/detector.ts';
import { rankOf } from '@assay/scanner/contract/scope-rank.ts';
import type { Suppression } from '@assay/scanner/contract/suppression.ts';
import { type Blame, blameLines } from '@assay/scanner/repository/blame.ts';
import { isDecisionReadOvertaken } from '../../data-sources/queries.ts';
import { lockFindings } from '../../findings/merge-queries.ts';
import { latestEnd, type Policy } from '../../findings/policy.ts';
import { findPolicy } from '../../findings/policy-queries.ts';
import type { Sighting } from '../../findings/record-detections.ts';
import { autocommit, type Database, type Db } from '../../platform/postgres/database.ts';
import { decideAgain } from '../apply-decisions.ts';
import { severityToApprove } from '../approval.ts';
import type { EndReason } from '../end-conditions.ts';
import { holdDecisions } from '../queries.ts';
import type { ReadRepository } from './follow-file.ts';
import { type CommentDecision, listByFingerprint, listOfComments } from './queries.ts';
import { endOne, entryOf, findRoom, keyOf, makeOfRepository, standingOf, stepsFor } from './standing.ts';

/** The maximum number of files of a scan whose history git reads for their comments. */
const maxBlamedFiles = 200;

type Comment = Suppression & { key: string; blame: Blame | null };

/** The comments of a batch by fingerprint. */
export type BatchComments = {
  comments: ReadonlyMap<string, Comment>;
  fingerprints: string[];
  policy: Policy;
  /** Whether comments have no effect because they can't state the justification that the policy requires. */
  lackJustification: boolean;
};

type Batch = Array<Pick<ScannedDetection, 'fingerprint' | 'suppression'>>;

/** Returns a function that reads which comments decide about a batch, with their authors. Git runs outside of transactions. */
export function createCommentReader(database: Database, orgId: string, sighting: Sighting) {
  let files = 0;
  const blamed = async (repository: ReadRepository, comments: Comment[]): Promise<void> => {
    for (const [path, alike] of Map.groupBy(comments, ({ comment }) => comment!.path)) {
      const placed = alike.filter(({ comment }) => comment!.line !== null);
      if (placed.length === 0 || ++files > maxBlamedFiles) continue;
      const lines = placed.map(({ comment }) => ({ first: comment!.line!, last: comment!.line! }));
      const { access, commit, isShallow } = repository;
      const blames = await blameLines(access, { commit, path, isShallow }, lines);
      for (const [index, one] of placed.entries()) one.blame = blames[index] ?? null;
    }
  };
  return async (repository: ReadRepository, batch: Batch): Promise<BatchComments | null> => {
    const db = autocommit(database, orgId);
    const fingerprints = batch.map(({ fingerprint }) => fingerprint);
    const rows = await listOfComments(db, orgId, sighting, fingerprints);
    const policy = await findPolicy(db, orgId);
    const comments = new Map<string, Comment>();
    const { repository_file: effect, justification_required: isRequired } = policy.decisions;
    const given = effect === 'off' ? [] : batch.filter(({ suppression }) => suppression?.comment);
    for (const { fingerprint, suppression } of isRequired ? [] : given) {
      const { status, reason } = suppression!;
      comments.set(fingerprint, { ...suppression!, key: keyOf({ status, reason }), blame: null });
    }
    if (given.length === 0 && rows.length === 0) return null;
    const known = new Set(rows.map(({ fingerprint, key }) => `${key} ${fingerprint}`));
    const fresh = [...comments].filter(([fingerprint, { key }]) => !known.has(`${key} ${fingerprint}`));
    await blamed(
      repository,
      fresh.map(([, comment]) => comment),
    );
    return { comments, fingerprints, policy, lackJustification: isRequired && given.length > 0 };
  };
}

type Found = { id: string; fingerprint: string; severity: number };

type Plan = {
  ends: Array<{ row: CommentDecision; because: EndReason }>;
  makes: Array<{ finding: Found; comment: Comment; isRequest: boolean }>;
};

function planOf({ comments, policy }: BatchComments, rows: CommentDecision[], found: Found[]): Plan {
  const plan: Plan = { ends: [], makes: [] };
  const { repository_file: effect, justification_required: isRequired } = policy.decisions;
  for (const row of rows)
    if ((row.status === 'active' || row.status === 'requested') && comments.get(row.fingerprint)?.key !== row.key)
      plan.ends.push({ row, because: effect === 'off' || isRequired ? 'policy' : 'removed' });
  const byFinding = Map.groupBy(rows, ({ findingId }) => findingId);
  for (const finding of found) {
    const comment = comments.get(finding.fingerprint)!;
    const own = (byFinding.get(finding.id) ?? []).filter(({ key }) => key === comment.key);
    const limit = severityToApprove(policy, comment.status);
    const needsApproval = limit !== null && finding.severity >= limit;
    const asks = effect === 'request' || needsApproval;
    const { ends, isMade, isAsked } = stepsFor(standingOf(own), asks ? 'request' : 'decide', needsApproval);
    plan.ends.push(...(ends as Plan['ends']));
    if (isMade || isAsked) plan.makes.push({ finding, comment, isRequest: isAsked });
  }
  return plan;
}

/**
 * Makes the decisions about the findings of a merged batch those of the comments, in the transaction of the merge: a
 * comment that is gone ends its decision, a new one makes or requests one. Returns how many requests had no room.
 */
export async function decideByComments(
  tx: Db,
  orgId: string,
  sighting: Sighting,
  batch: BatchComments,
): Promise<number> {
  const { dataSourceId, startedAt } = sighting;
  const { comments, fingerprints, policy } = batch;
  await holdDecisions(tx, orgId);
  if (await isDecisionReadOvertaken(tx, orgId, dataSourceId, startedAt)) return 0;
  const found = await listByFingerprint(tx, orgId, sighting, [...comments.keys()]);
  const list = () => listOfComments(tx, orgId, sighting, fingerprints);
  const { ends, makes } = planOf(batch, await list(), found);
  const concerned = [...new Set([...ends.map(({ row }) => row.findingId), ...makes.map(({ finding }) => finding.id)])];
  if (concerned.length === 0) return 0;
  // People may decide about these findings meanwhile.
  await lockFindings(tx, orgId, concerned.sort());
  const plan = planOf(batch, await list(), found);
  const ended = new Map<string, string>();
  for (const { row, because } of plan.ends) await endOne(tx, orgId, { id: row.id, isOfFile: false }, because, ended);
  const room = await findRoom(tx, orgId, dataSourceId);
  const owning = new Set<string>();
  let refused = 0;
  for (const { finding, comment, isRequest } of plan.makes) {
    if (isRequest && --room.requests < 0) {
      refused += 1;
      continue;
    }
    const limit = isRequest ? null : severityToApprove(policy, comment.status);
    const made = madeOf(comment, { id: finding.id, dataSourceId, limit, policy });
    await makeOfRepository(tx, orgId, made, { isRequest });
    if (!isRequest) owning.add(finding.id);
  }
  await decideAgain(tx, orgId, null, concerned, { ended, owning });
  return refused;
}

/** A comment can't name an end: it holds for as long as the policy allows, from when a scan sees it. */
function madeOf(
  { status, reason, comment, key, blame }: Comment,
  { id, dataSourceId, limit, policy }: { id: string; dataSourceId: string; limit: number | null; policy: Policy },
) {
  const scope = { finding: [id], data_source: [dataSourceId] };
  const until = latestEnd(policy, status);
  return {
    ...{ outcome: status, justification: null, reason, scope, rank: rankOf(scope), until, belowSeverity: limit },
    ...{ dataSourceId, key, findingId: id, entry: entryOf(comment!.path, comment!.line, blame) },
  };
}
