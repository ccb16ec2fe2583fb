import { listScannableDataSources, type ScannableDataSource, updateScanOutcome } from '../data-sources/queries.ts';
import type { Detection } from '../findings/detection.ts';
import {
  finishSighting,
  recordDetections,
  type Sighting,
  type Tally,
  type Transact,
} from '../findings/record-detections.ts';
import { isDatabaseAway } from '../platform/database.ts';
import { ApiError } from '../platform/errors.ts';
import { storedAdvisories } from './advisories/queries.ts';
import type { DetectionResult, Detector } from './detector.ts';
import { prepareTarget } from './prepare-target.ts';
import type { DetectionServices } from './services.ts';
import { TargetError } from './target-error.ts';
import { beatTarget, endTarget, type HeldTarget, isHeld, type TargetOutcome } from './target-queries.ts';

/** The target was cancelled, or another worker has it: there is nothing to tell anybody. */
class TargetLost extends Error {}

const beatEveryMs = 1_000;
const detectionsPerBatch = 2_000;

/** What is known of a target under way. */
type Progress = { fraction: number | null; message: string | null; tally: Tally };

/** Transactions that only happen while the target is this worker's: what a lost worker still writes is refused. */
function heldTransactions(services: DetectionServices, orgId: string, target: HeldTarget): Transact {
  return (run) =>
    services.database.transaction(orgId, async (tx) => {
      if (!(await isHeld(tx, orgId, target))) throw new TargetLost();
      return run(tx);
    });
}

/** Tells every second that the target is being worked on, and aborts the work when it is no longer ours. */
function keepBeating(
  services: DetectionServices,
  orgId: string,
  target: HeldTarget,
  progress: Progress,
  abort: AbortController,
) {
  const beat = async () => {
    const { fraction, message, tally } = progress;
    const held = await services.database.transaction(orgId, (tx) =>
      beatTarget(tx, orgId, target, fraction, message, tally),
    );
    if (!held) abort.abort(new TargetLost());
  };
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    // A database that is away for a while is no reason to give up: the next write decides.
    running ??= beat()
      .catch((error) => services.log.warn({ err: error, scan: target.scanId }, 'A scan could not report its progress.'))
      .finally(() => {
        running = null;
      });
  }, beatEveryMs);
  return async () => {
    clearInterval(timer);
    await running;
  };
}

function* batches(detections: Detection[]): Generator<Detection[]> {
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
    emit: async (detections) => {
      signal.throwIfAborted();
      for (const batch of batches(detections)) {
        const tally = await transact((tx) => recordDetections(tx, orgId, sighting, batch));
        for (const detection of batch) seen.add(detection.fingerprint);
        progress.tally.new += tally.new;
        progress.tally.seen += tally.seen;
        progress.tally.reopened += tally.reopened;
      }
    },
  });
  signal.throwIfAborted();
  if (result.coverage === 'complete') {
    progress.tally.resolved = await finishSighting(transact, orgId, sighting, (one) => seen.has(one), true);
  }
  return result;
}

/** The sentence that the scan shows for a failure. What we did not foresee is told in the log only. */
function sentenceOf(error: unknown): string {
  if (error instanceof TargetError) return error.message;
  return 'The scan failed for a reason that lies with the platform. The operator finds it in the log under this scan.';
}

async function end(
  services: DetectionServices,
  orgId: string,
  target: HeldTarget,
  outcome: TargetOutcome,
): Promise<void> {
  await services.database.transaction(orgId, async (tx) => {
    if (!(await endTarget(tx, orgId, target, outcome))) return;
    const status = outcome.status === 'completed' ? 'ok' : 'error';
    await updateScanOutcome(tx, orgId, target.dataSourceId, { status, message: outcome.error, at: target.startedAt });
  });
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
  const stopBeating = keepBeating(services, orgId, target, progress, abort);
  try {
    if (!row) throw new TargetError('The data source has been deleted.');
    const { warnings } = await detect(services, orgId, detector, target, row, progress, signal);
    await end(services, orgId, target, { status: 'completed', error: null, warnings, tally: progress.tally });
  } catch (error) {
    if (abort.signal.aborted || error instanceof TargetLost) return;
    const away = isDatabaseAway(error) || (error instanceof ApiError && error.code === 'unavailable');
    if (services.stopping.aborted || away) throw error;
    services.log.error({ err: error, scan: target.scanId, dataSource: target.dataSourceId }, 'A scan target failed.');
    const outcome = { status: 'failed' as const, error: sentenceOf(error), warnings: [], tally: progress.tally };
    await end(services, orgId, target, outcome);
  } finally {
    await stopBeating();
  }
}
