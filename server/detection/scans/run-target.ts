import { listScannableDataSources, type ScannableDataSource } from '../../data-sources/queries.ts';
import { listFingerprintsAt } from '../../findings/merge-queries.ts';
import { finishSighting, recordDetections, type Sighting } from '../../findings/record-detections.ts';
import { ApiError } from '../../platform/errors.ts';
import { isDatabaseAway } from '../../platform/postgres/database.ts';
import { storedAdvisories } from '../advisories/queries.ts';
import type { DetectionResult, Detector, ScannedDetection } from '../contract/detector.ts';
import { TargetError } from '../contract/target-error.ts';
import type { DetectionServices } from '../services.ts';
import { applySuppressions } from './apply-suppressions.ts';
import { endHeldTarget, heldTransactions, keepBeating, type Progress, TargetLost } from './held-target.ts';
import { prepareTarget } from './prepare-target.ts';
import type { HeldTarget } from './target-queries.ts';

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
  const transact = heldTransactions(services, orgId, target);
  const sighting: Sighting = { ...target, startedAt: target.startedAt };
  const seen = new Set<string>();
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
          return recorded;
        });
        for (const detection of batch) seen.add(detection.fingerprint);
        progress.tally.new += tally.new;
        progress.tally.seen += tally.seen;
        progress.tally.reopened += tally.reopened;
      }
    },
  });
  signal.throwIfAborted();
  if (result.coverage === 'complete') {
    const uncovered = result.uncoveredPaths ?? [];
    const spared = await transact((tx) => listFingerprintsAt(tx, orgId, sighting, uncovered));
    for (const fingerprint of spared) seen.add(fingerprint);
    const resolved = await finishSighting(transact, orgId, sighting, (one) => seen.has(one), true);
    progress.tally.resolved = resolved;
    if (isSuddenSilence(seen.size, resolved)) result.warnings.push(suddenSilence(detector.name, seen.size, resolved));
  }
  return result;
}

/** A scanner that has lost its rules ends well, too: whoever reads the scan should look, once, before they rejoice. */
const isSuddenSilence = (seen: number, resolved: number) => resolved >= 10 && resolved > seen * 10;

const suddenSilence = (name: string, seen: number, resolved: number) =>
  `${name} reported ${resolved} fewer than before (${seen} are left), and ended well: they count as resolved. Check that it still works as it should.`;

/** The sentence that the scan shows for a failure. What we did not foresee is told in the log only. */
function sentenceOf(error: unknown): string {
  if (error instanceof TargetError) return error.message;
  return 'The scan failed for a reason that lies with the platform. The operator finds it in the log under this scan.';
}

/**
 * Scans one target that this worker holds, to its end: completed, failed with the reason, or lost to a cancellation.
 * Throws only when the target should be taken up again: the worker is stopping, or the database is away.
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
  const progress: Progress = { fraction: null, message: null, tally: { new: 0, seen: 0, reopened: 0, resolved: 0 } };
  const abort = new AbortController();
  const signal = AbortSignal.any([abort.signal, services.stopping]);
  const heartbeat = keepBeating(services, orgId, target, progress, abort);
  try {
    if (!row) throw new TargetError('The data source has been deleted.');
    const { warnings } = await detect(services, orgId, detector, target, row, progress, signal);
    await endHeldTarget(services, orgId, target, { status: 'completed', error: null, warnings, tally: progress.tally });
  } catch (error) {
    if (abort.signal.aborted || error instanceof TargetLost) return;
    const away = isDatabaseAway(error) || (error instanceof ApiError && error.code === 'unavailable');
    if (services.stopping.aborted || away) throw error;
    services.log.error({ err: error, scan: target.scanId, dataSource: target.dataSourceId }, 'A scan target failed.');
    const outcome = { status: 'failed' as const, error: sentenceOf(error), warnings: [], tally: progress.tally };
    await endHeldTarget(services, orgId, target, outcome);
  } finally {
    await heartbeat.stop();
  }
}
