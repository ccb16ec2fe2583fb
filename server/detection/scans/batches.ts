import type { ScannedDetection } from '@assay/scanner/contract/detector.ts';
import { mergeDecisions } from '../../decisions/apply-decisions.ts';
import { createCommentReader, decideByComments } from '../../decisions/repository/decide-comments.ts';
import type { ReadRepository } from '../../decisions/repository/follow-file.ts';
import { decideByTools } from '../../decisions/tools/decide-by-tools.ts';
import { listFingerprintsAt } from '../../findings/merge-queries.ts';
import { finishSighting, recordDetections, type Sighting, type Tally } from '../../findings/record-detections.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { claimedTransactions } from '../targets/claimed-target.ts';
import { type ClaimedTarget, keepTally } from '../targets/target-queries.ts';

const detectionsPerBatch = 2_000;

/**
 * Merges the detections of a target that this worker has claimed, each batch in one transaction, and adds to the
 * `tally` of its progress.
 */
export function createBatches(
  { database }: { database: Database },
  orgId: string,
  target: ClaimedTarget,
  tally: Tally,
) {
  const transact = claimedTransactions({ database }, orgId, target, { alone: true });
  const sighting: Sighting = target;
  const seen = new Set<string>();
  let seenAgain = 0;
  let refused = 0;
  let lackJustification = false;
  const readComments = createCommentReader(database, orgId, sighting);
  const merge = async (batch: ScannedDetection[], repository: ReadRepository | null) => {
    const comments = repository && (await readComments(repository, batch));
    const byTools = batch.filter(({ suppression }) => !suppression?.comment);
    const recorded = await transact(async (tx) => {
      const merged = await recordDetections(tx, orgId, sighting, batch, mergeDecisions);
      await decideByTools(tx, orgId, sighting, byTools);
      if (comments) refused += await decideByComments(tx, orgId, sighting, comments);
      await keepTally(tx, orgId, target, { new: merged.new, reopened: merged.reopened });
      return merged;
    });
    lackJustification ||= comments?.lackJustification ?? false;
    for (const { fingerprint } of batch) seen.add(fingerprint);
    tally.new += recorded.new;
    tally.reopened += recorded.reopened;
    seenAgain += recorded.seen;
    // Findings of an interrupted run are seen again by this one.
    tally.seen = Math.max(0, seenAgain - target.kept.new - target.kept.reopened);
  };
  return {
    /**
     * Merges detections; of duplicate fingerprints, the last one wins. Comments in the `repository` decide about theirs.
     */
    async add(detections: ScannedDetection[], repository: ReadRepository | null): Promise<void> {
      for (let start = 0; start < detections.length; start += detectionsPerBatch)
        await merge(detections.slice(start, start + detectionsPerBatch), repository);
    },
    /** Why comments had no effect. */
    get warnings() {
      return [
        ...(refused > 0
          ? [`${refused} comments have no effect: too many requests of repositories wait for approval.`]
          : []),
        ...(lackJustification
          ? ['Comments have no effect: the policy requires a `justification`, which they can’t have.']
          : []),
      ];
    },
    /**
     * Resolves findings that a complete detection no longer saw, except in files that it could not read. `overtaken`
     * means that a newer scan has seen the data source, so that nothing was resolved. `seen` counts fingerprints.
     */
    async close(uncoveredPaths: string[]): Promise<{ overtaken: boolean; seen: number }> {
      const spared = await transact((tx) => listFingerprintsAt(tx, orgId, sighting, uncoveredPaths));
      for (const fingerprint of spared) seen.add(fingerprint);
      const wasSeen = (fingerprint: string) => seen.has(fingerprint);
      const { overtaken } = await finishSighting(
        transact,
        orgId,
        sighting,
        wasSeen,
        { close: true, isComplete: true },
        async (tx, count) => {
          await keepTally(tx, orgId, target, { resolved: count });
          tally.resolved += count;
        },
      );
      return { overtaken, seen: seen.size };
    },
  };
}
