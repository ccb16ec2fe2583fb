import { listScannableDataSources, type ScannableDataSource } from '../../data-sources/queries.ts';
import { listFingerprintsAt } from '../../findings/merge-queries.ts';
import { finishSighting, recordDetections, type Sighting } from '../../findings/record-detections.ts';
import { wasKilled } from '../../platform/child-process.ts';
import { isInterruption } from '../../platform/interruption.ts';
import { isOutOfRoom } from '../../platform/postgres/database.ts';
import { storedAdvisories } from '../advisories/queries.ts';
import type { Detector, ScannedDetection } from '../contract/detector.ts';
import { dataSourceDeleted, TargetError } from '../contract/target-error.ts';
import { shallowWarning } from '../repository/history.ts';
import { ignoreInCommit } from '../repository/ignore-in-target.ts';
import type { DetectionServices } from '../services.ts';
import { applySuppressions } from './apply-suppressions.ts';
import { type Finished, heldTransactions, runHeldTarget, type TargetWork } from './held-target.ts';
import { postponeTarget, triedOften } from './postpone-target.ts';
import { cachesOf, prepareTarget } from './prepare-target.ts';
import { type HeldTarget, keepTally } from './target-queries.ts';

const detectionsPerBatch = 2_000;
/** Warnings about comments without a reason. */
const maxIncomplete = 20;

function* batches(detections: ScannedDetection[]): Generator<ScannedDetection[]> {
  for (let start = 0; start < detections.length; start += detectionsPerBatch) {
    yield detections.slice(start, start + detectionsPerBatch);
  }
}

type Scan = TargetWork & { detector: Detector; target: HeldTarget; row: ScannableDataSource };

async function detect(
  services: DetectionServices,
  orgId: string,
  { detector, target, row, progress, signal }: Scan,
): Promise<Pick<Finished, 'warnings' | 'closedNothing' | 'toolVersion' | 'interruption'>> {
  const report = (fraction: number | null, message: string) => Object.assign(progress, { fraction, message });
  const transact = heldTransactions(services, orgId, target, { alone: true });
  const sighting: Sighting = target;
  const seen = new Set<string>();
  let seenAgain = 0;
  const prepared = await prepareTarget(services, orgId, target.source, row, signal, report);
  const { repository, directory } = prepared;
  const ignore = repository
    ? ignoreInCommit({ home: directory, signal, gitDirectory: repository.gitDirectory }, repository.head)
    : null;
  const incomplete: string[] = [];
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
      incomplete.push(...((await ignore?.(detections)) ?? []).slice(0, maxIncomplete - incomplete.length));
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
        // The findings of an interrupted run are seen again by this one.
        progress.tally.seen = Math.max(0, seenAgain - target.kept.new - target.kept.reopened);
      }
    },
  });
  signal.throwIfAborted();
  const warnings = [...result.warnings, ...incomplete, ...(repository?.isShallow ? [shallowWarning] : [])];
  const toolVersion = detector.version;
  if (result.coverage === 'partial') {
    const { interruption: reason } = result;
    const partial = { closedNothing: 'incomplete', toolVersion } as const;
    if (!reason) return { warnings, ...partial };
    const counted = warnings.map((text) => (text === reason && target.retries > 0 ? triedOften(text, target) : text));
    return { warnings: counted, ...partial, interruption: new TargetError(reason, undefined, true) };
  }
  const uncovered = result.uncoveredPaths ?? [];
  const spared = await transact((tx) => listFingerprintsAt(tx, orgId, sighting, uncovered));
  for (const fingerprint of spared) seen.add(fingerprint);
  const wasSeen = (fingerprint: string) => seen.has(fingerprint);
  const { overtaken } = await finishSighting(transact, orgId, sighting, wasSeen, true, async (tx, count) => {
    await keepTally(tx, orgId, target, { resolved: count });
    progress.tally.resolved += count;
  });
  const { resolved } = progress.tally;
  if (isSuddenSilence(seen.size, resolved)) warnings.push(suddenSilence(detector.name, seen.size, resolved));
  return { warnings, closedNothing: overtaken ? 'overtaken' : 'nothing_missing', toolVersion };
}

/** A scanner that has lost its rules also succeeds: readers of the scan are warned to check it. */
const isSuddenSilence = (seen: number, resolved: number) => resolved >= 10 && resolved > seen * 10;

const suddenSilence = (name: string, seen: number, resolved: number) =>
  `${name} reported ${resolved} fewer than before (${seen} are left), and succeeded: the missing ones are resolved now. Check that the scanner still works as it should.`;

/** Whether an error says nothing about the target, so that it is taken up again without limit: see isInterruption. */
function isTargetInterrupted(error: unknown): boolean {
  if (isOutOfRoom(error)) return true;
  return !(error instanceof TargetError) && !wasKilled(error) && isInterruption(error);
}

/** Whether the reason may pass by itself: a program was killed from outside, or the other side was not there. */
const mayPass = (error: unknown) => (error instanceof TargetError ? error.isTransient : wasKilled(error));

/** Returns the sentence that the scan shows for a failure. Unexpected errors are only in the log. */
function sentenceOf(error: unknown): string {
  if (error instanceof TargetError) return error.message;
  if (wasKilled(error)) return 'A program of the scan was killed: memory may be short on this machine.';
  return 'The scan failed because of an error in the platform. The operator finds it in the log under the id of this scan.';
}

/**
 * Scans one target that this worker holds, to its end: completed, failed with the reason, lost to a cancellation, or
 * tried again after a pause.
 * Throws only when the target must be taken up again because the scan was interrupted.
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
  await runHeldTarget(services, orgId, target, {
    kind: 'scan',
    async run(work) {
      if (!row) throw dataSourceDeleted();
      return services.caches.whileUsed(cachesOf(orgId, row.id, target.source), () =>
        detect(services, orgId, { detector, target, row, ...work }),
      );
    },
    isInterruption: isTargetInterrupted,
    sentenceOf: (error) =>
      target.retries > 0 && mayPass(error) ? triedOften(sentenceOf(error), target) : sentenceOf(error),
    postpone: async (error) => mayPass(error) && postponeTarget(services, orgId, target, sentenceOf(error)),
  });
}
