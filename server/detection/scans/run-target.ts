import type { DetectionResult, DetectionTarget, Detector, ScannedDetection } from '@assay/scanner/contract/detector.ts';
import { dataSourceDeleted, TargetError } from '@assay/scanner/contract/target-error.ts';
import { wasKilled } from '@assay/scanner/platform/child-process.ts';
import { readDecisionsOf } from '@assay/scanner/repository/ignore-in-target.ts';
import { listScannableDataSources, type ScannableDataSource } from '../../data-sources/queries.ts';
import { followFile, type ReadRepository } from '../../decisions/repository/follow-file.ts';
import { isInterruption } from '../../platform/interruption.ts';
import { isOutOfRoom } from '../../platform/postgres/database.ts';
import type { DetectionServices } from '../services.ts';
import { advance, type Finished, runClaimedTarget, type TargetWork } from '../targets/claimed-target.ts';
import { postponeTarget, triedOften } from '../targets/postpone-target.ts';
import type { ClaimedTarget } from '../targets/target-queries.ts';
import { createBatches } from './batches.ts';
import { whileCheckedOut } from './checkout.ts';
import { runDetector } from './detect.ts';

type Scan = TargetWork & { detector: Detector; target: ClaimedTarget; row: ScannableDataSource };

async function scan(
  services: DetectionServices,
  orgId: string,
  { detector, target, row, progress: reported, signal }: Scan,
): Promise<Finished> {
  const progress = (fraction: number | null, message: string) => advance(reported, fraction, message);
  const batches = createBatches(services, orgId, target, reported.tally);
  let revision: string | null = null;
  const result = await whileCheckedOut(
    services,
    { orgId, source: target.source, row, signal, progress },
    async (checkedOut) => {
      revision = checkedOut.repository?.head ?? null;
      const repository = repositoryOf(checkedOut, target, signal);
      const emit = (batch: ScannedDetection[]) => batches.add(batch, repository);
      const detect = () => runDetector(services, orgId, detector, checkedOut, { signal, progress, emit });
      return repository === null ? detect() : whileFollowed(services, orgId, repository, detect);
    },
  );
  const read = { toolVersion: detector.version, revision };
  if (result.coverage === 'partial') return { ...read, ...endOfPart(result, target) };
  const { overtaken, seen } = await batches.close(result.uncoveredPaths ?? []);
  const { resolved } = reported.tally;
  const warnings = [...result.warnings, ...batches.warnings];
  if (isSuddenSilence(seen, resolved)) warnings.push(suddenSilence(detector.name, seen, resolved));
  return { warnings, closedNothing: overtaken ? 'overtaken' : 'nothing_missing', ...read };
}

const repositoryOf = (
  { repository, directory }: DetectionTarget,
  { dataSourceId, startedAt }: ClaimedTarget,
  signal: AbortSignal,
): ReadRepository | null =>
  repository && {
    ...{ dataSourceId, startedAt, commit: repository.head, isShallow: repository.isShallow ?? false },
    access: { home: directory, gitDirectory: repository.gitDirectory, signal },
  };

/**
 * Runs a detector while the decisions of the repository are those of its file. The findings decide whether a second
 * person has to approve, and the first scan has just found them: afterwards the file is followed once more.
 */
async function whileFollowed(
  { database }: DetectionServices,
  orgId: string,
  repository: ReadRepository,
  detect: () => Promise<DetectionResult>,
): Promise<DetectionResult> {
  const file = await readDecisionsOf(repository.access, repository.commit);
  const before = await followFile(database, orgId, repository, file);
  const result = await detect();
  const after = file === null ? [] : await followFile(database, orgId, repository, file);
  return { ...result, warnings: [...new Set([...before, ...after, ...result.warnings])] };
}

/**
 * Returns the outcome of a partly covered target: it closes nothing, and is tried again if the reason may be
 * temporary.
 */
function endOfPart({ warnings, interruption: reason }: DetectionResult, target: ClaimedTarget): Finished {
  if (!reason) return { warnings, closedNothing: 'incomplete' };
  const counted = warnings.map((text) => (text === reason && target.retries > 0 ? triedOften(text, target) : text));
  return { warnings: counted, closedNothing: 'incomplete', interruption: new TargetError(reason, undefined, true) };
}

/** A scanner that has lost its rules also succeeds: readers of the scan are warned to check it. */
const isSuddenSilence = (seen: number, resolved: number) => resolved >= 10 && resolved > seen * 10;

const suddenSilence = (name: string, seen: number, resolved: number) =>
  `${name} reported ${resolved} fewer than before (${seen} are left), and succeeded: the missing ones are resolved now. Check that the scanner still works as it should.`;

/**
 * Returns whether an error is unrelated to the target, so that its scan is resumed without a limit: see
 * isInterruption.
 */
function isTargetInterrupted(error: unknown): boolean {
  if (isOutOfRoom(error)) return true;
  return !(error instanceof TargetError) && !wasKilled(error) && isInterruption(error);
}

/**
 * Returns whether the reason may be temporary: a program was killed from outside, or the other side was unavailable.
 */
const mayPass = (error: unknown) => (error instanceof TargetError ? error.isTransient : wasKilled(error));

/** Returns the sentence that the scan shows for a failure. Unexpected errors are only logged. */
function sentenceOf(error: unknown): string {
  if (error instanceof TargetError) return error.message;
  if (wasKilled(error)) return 'A program of the scan was killed: memory may be short on this machine.';
  return 'The scan failed because of an error in the platform. The operator finds it in the log under the id of this scan.';
}

/**
 * Scans one target that this worker has claimed, until it is completed, failed with the reason, lost to a
 * cancellation, or postponed. Throws only when the scan was interrupted and the target must be resumed.
 */
export async function runTarget(
  services: DetectionServices,
  orgId: string,
  detector: Detector,
  target: ClaimedTarget,
): Promise<void> {
  const [row] = await services.database.transaction(orgId, (tx) =>
    listScannableDataSources(tx, orgId, detector.dataSourceKinds, [target.dataSourceId]),
  );
  await runClaimedTarget(services, orgId, target, {
    kind: 'scan',
    async run(work) {
      if (!row) throw dataSourceDeleted();
      return scan(services, orgId, { detector, target, row, ...work });
    },
    isInterruption: isTargetInterrupted,
    sentenceOf: (error) =>
      target.retries > 0 && mayPass(error) ? triedOften(sentenceOf(error), target) : sentenceOf(error),
    postpone: async (error) => mayPass(error) && postponeTarget(services, orgId, target, sentenceOf(error)),
  });
}
