import { recordRows, type Transact } from '../../findings/record-detections.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { applySuppressions } from '../scans/apply-suppressions.ts';
import type { HeldTarget } from '../scans/target-queries.ts';
import {
  BatchesMissing,
  type BatchTally,
  findImportBatch,
  findImportRows,
  listFingerprints,
  listImportBatches,
  type StagedBatch,
  updateMergedBatch,
} from './queries.ts';
import { lanes } from './stage-batches.ts';

/**
 * A round of batches that are merged at once: the next one of each lane. A batch with suppressed results is merged
 * alone, because their triage takes locks after those of the figures, which another batch may hold.
 */
function* rounds(batches: StagedBatch[]): Generator<StagedBatch[]> {
  const queues = Array.from({ length: lanes }, (_, lane) =>
    batches.filter(({ sequence }) => sequence % lanes === lane),
  );
  for (let at = 0; queues.some((queue) => at < queue.length); at += 1) {
    const round = queues.flatMap((queue) => queue.slice(at, at + 1));
    if (!round.some(({ suppresses }) => suppresses)) yield round;
    else for (const batch of round) yield [batch];
  }
}

/**
 * Merges the batches of an import, each in a transaction; those of a round on a connection each, so that the database
 * works on them with as many processors. Calls `merged` once for each, for those that an earlier run merged, too. Safe
 * to run again after it was cut short: it continues after the merged batches.
 */
export async function mergeBatches(
  database: Database,
  transact: Transact,
  orgId: string,
  target: HeldTarget,
  count: number,
  merged: (source: string, fingerprints: string[], tally: BatchTally) => void,
  betweenRounds: () => Promise<void>,
): Promise<void> {
  const { scanId } = target;
  const batches = await listImportBatches(database, orgId, scanId);
  if (batches.length !== count) throw new BatchesMissing();
  for (const { sequence, source, merged: tally } of batches) {
    if (tally === null) continue;
    await betweenRounds();
    merged(source, await listFingerprints(database, orgId, scanId, sequence), tally);
  }
  const merge = async ({ sequence, source }: StagedBatch) => {
    const sighting = { ...target, source };
    const [batch, tally] = await transact(async (tx) => {
      const { suppressed, ...identities } = await findImportBatch(tx, orgId, scanId, sequence);
      const rows = (ordinals: number[]) => findImportRows(tx, orgId, scanId, sequence, ordinals);
      const recorded = await recordRows(tx, orgId, sighting, { ...identities, rows });
      await applySuppressions(tx, orgId, sighting, suppressed);
      await updateMergedBatch(tx, orgId, scanId, sequence, recorded);
      return [identities, recorded];
    });
    merged(source, batch.fingerprints, tally);
  };
  for (const round of rounds(batches.filter((batch) => batch.merged === null))) {
    await betweenRounds();
    const ended = await Promise.allSettled(round.map(merge));
    const failed = ended.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }
}
