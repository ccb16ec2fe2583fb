import { listScannableDataSources, type ScannableDataSource } from '../../data-sources/queries.ts';
import { listFingerprintsAt } from '../../findings/merge-queries.ts';
import { finishSighting, recordDetections, type Sighting } from '../../findings/record-detections.ts';
import { ProgramError } from '../../platform/child-process.ts';
import { isInterruption } from '../../platform/interruption.ts';
import { storedAdvisories } from '../advisories/queries.ts';
import type { DetectionResult, Detector, ScannedDetection } from '../contract/detector.ts';
import { TargetError } from '../contract/target-error.ts';
import type { DetectionServices } from '../services.ts';
import { applySuppressions } from './apply-suppressions.ts';
import {
  beginProgress,
  endHeldTarget,
  heldTransactions,
  keepBeating,
  type Progress,
  TargetLost,
} from './held-target.ts';
import { prepareTarget } from './prepare-target.ts';
import { type HeldTarget, keepTally } from './target-queries.ts';

const detectionsPerBatch = 2_000;

function* batches(detections: ScannedDetection[]): Generator<ScannedDetection[]> {
  for (let start = 0; start < detections.length; start += detectionsPerBatch) {
    yield detections.slice(start, start + detectionsPerBatch);
  }
}

async function detect(
  services: DetectionServices,
  orgId: string,
  detector: Detector,
  target: HeldTarget,
  row: ScannableDataSource,
  progress: Progress,
  signal: AbortSignal,
): Promise<DetectionResult> {
  const report = (fraction: number | null, message: string) => Object.assign(progress, { fraction, message });
  const transact = heldTransactions(services, orgId, target, { alone: true });
  const sighting: Sighting = { ...target, startedAt: target.startedAt };
  const seen = new Set<string>();
  let seenAgain = 0;
  const prepared = await prepareTarget(services, orgId, target.source, row, signal, report);
  const result = await detector.detect(prepared, {
    signal,
    progress: report,
    keyedHash: (value) => services.keyring.keyedHash(orgId, value as string),
    advisories: storedAdvisories(services.database),
    networkPolicy: services.networkPolicy,
    egressProxyUrl: services.egressProxyUrl,
    cacheDirectory: services.cacheDirectory,
    emit: async (detections) => {
      signal.throwIfAborted();
      for (const batch of batches(detections)) {
        const tally = await transact(async (tx) => {
          const recorded = await recordDetections(tx, orgId, sighting, batch);
          await applySuppressions(tx, orgId, sighting, batch);
          await keepTally(tx, orgId, target, { new: recorded.new, reopened: recorded.reopened });
          return recorded;
        });
        for (const detection of batch) seen.add(detection.fingerprint);
        progress.tally.new += tally.new;
        progress.tally.reopened += tally.reopened;
        seenAgain += tally.seen;
        // What an interrupted run brought in is seen again by this one.
        progress.tally.seen = Math.max(0, seenAgain - target.kept.new - target.kept.reopened);
      }
    },
  });
  signal.throwIfAborted();
  if (result.coverage === 'complete') {
    const uncovered = result.uncoveredPaths ?? [];
    const spared = await transact((tx) => listFingerprintsAt(tx, orgId, sighting, uncovered));
    for (const fingerprint of spared) seen.add(fingerprint);
    const wasSeen = (fingerprint: string) => seen.has(fingerprint);
    await finishSighting(transact, orgId, sighting, wasSeen, true, async (tx, count) => {
      await keepTally(tx, orgId, target, { resolved: count });
      progress.tally.resolved += count;
    });
    const { resolved } = progress.tally;
    if (isSuddenSilence(seen.size, resolved)) result.warnings.push(suddenSilence(detector.name, seen.size, resolved));
  }
  return result;
}

/** A scanner that has lost its rules ends well, too: whoever reads the scan should look, once, before they rejoice. */
const isSuddenSilence = (seen: number, resolved: number) => resolved >= 10 && resolved > seen * 10;

const suddenSilence = (name: string, seen: number, resolved: number) =>
  `${name} reported ${resolved} fewer than before (${seen} are left), and ended well: they count as resolved. Check that it still works as it should.`;

/** A program that is killed each time is killed for a reason: such a target is not taken up for ever. */
const mostKills = 20;

/** Whether an error says nothing about the target: see isInterruption. That of a killed program is the cause of another. */
function isTargetInterrupted(error: unknown, { attempt }: HeldTarget): boolean {
  const cause = error instanceof TargetError && error.cause instanceof Error ? error.cause : error;
  const program = cause instanceof ProgramError ? cause : (cause as Error).cause;
  if (program instanceof ProgramError) return attempt <= mostKills && isInterruption(program);
  return !(error instanceof TargetError) && isInterruption(error);
}

/** The sentence that the scan shows for a failure. What we did not foresee is in the log only. */
function sentenceOf(error: unknown): string {
  if (error instanceof TargetError) return error.message;
  return 'The scan failed for a reason that lies with the platform. The operator finds it in the log under this scan.';
}

/**
 * Scans one target that this worker holds, to its end: completed, failed with the reason, or lost to a cancellation.
 * Throws only when the target should be taken up again: it was interrupted.
 */
export async function runTarget(
  services: DetectionServices,
  orgId: string,
  detector: Detector,
  target: HeldTarget,
): Promise<void> {
  const [row] = await services.database.transaction(orgId, (tx) =>
    listScannableDataSources(tx, orgId, detector.dataSourceKinds, [target.dataSourceId]),
  );
  const progress = beginProgress(target);
  const abort = new AbortController();
  const signal = AbortSignal.any([abort.signal, services.stopping]);
  const heartbeat = keepBeating(services, orgId, target, progress, abort);
  try {
    if (!row) throw new TargetError('The data source has been deleted.');
    const { warnings } = await detect(services, orgId, detector, target, row, progress, signal);
    await endHeldTarget(services, orgId, target, { status: 'completed', error: null, warnings, tally: progress.tally });
  } catch (error) {
    if (abort.signal.aborted || error instanceof TargetLost) return;
    if (services.stopping.aborted || isTargetInterrupted(error, target)) throw error;
    services.log.error({ err: error, scan: target.scanId, dataSource: target.dataSourceId }, 'A scan target failed.');
    const outcome = { status: 'failed' as const, error: sentenceOf(error), warnings: [], tally: progress.tally };
    await endHeldTarget(services, orgId, target, outcome);
  } finally {
    await heartbeat.stop();
  }
}
