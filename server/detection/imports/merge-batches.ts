import { recordRows, type Tally, type Transact } from '../../findings/record-detections.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { applySuppressions } from '../scans/apply-suppressions.ts';
import type { HeldTarget } from '../scans/target-queries.ts';
import { findImportBatch, findImportRows, listImportBatches, type StagedBatch } from './queries.ts';
import { lanes } from './stage-batches.ts';

/** What was received is not there (any more). The message is for whoever reads the scan. */
export class BatchesMissing extends Error {
  override message = 'What was received of the file is no longer there. Send it again.';
}

/**
 * What is merged at once: of each lane the next batch. One that holds suppressed results is alone, for their triage takes locks
 * after those of the figures, which another batch may hold.
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
 * Merges the batches of an import, each in a transaction; those of a round on a connection each, so that the database works on
 * them with as many processors. Calls `merged` after each. Safe to run again after it was cut short.
 */
export async function mergeBatches(
  database: Database,
  transact: Transact,
  orgId: string,
  target: HeldTarget,
  count: number,
  merged: (source: string, fingerprints: string[], tally: Tally) => void,
  betweenRounds: () => Promise<void>,
): Promise<void> {
  const { scanId } = target;
  const batches = await listImportBatches(database, orgId, scanId);
  if (batches.length !== count) throw new BatchesMissing();
  const merge = async ({ sequence, source }: StagedBatch) => {
    const sighting = { ...target, source };
    const [batch, tally] = await transact(async (tx) => {
      const { suppressed, ...identities } = await findImportBatch(tx, orgId, scanId, sequence);
      const rows = (ordinals: number[]) => findImportRows(tx, orgId, scanId, sequence, ordinals);
      const recorded = await recordRows(tx, orgId, sighting, { ...identities, rows });
      await applySuppressions(tx, orgId, sighting, suppressed);
      return [identities, recorded];
    });
    merged(source, batch.fingerprints, tally);
  };
  for (const round of rounds(batches)) {
    await betweenRounds();
    const ended = await Promise.allSettled(round.map(merge));
    const failed = ended.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  }
}
