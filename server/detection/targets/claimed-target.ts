import { keepDataSource, noteScanEnd } from '../../data-sources/queries.ts';
import type { Tally, Transact } from '../../findings/record-detections.ts';
import { errorCode } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { MeasuredOutcome, TargetMetrics } from '../target-metrics.ts';
import { keepFigures, type TargetFigures } from './target-figures.ts';
import {
  type Claim,
  type ClaimedTarget,
  type ClosedNothing,
  claimTarget,
  endTarget,
  isClaimed,
  recordHeartbeat,
  type TargetOutcome,
} from './target-queries.ts';
import { waitOf } from './waiting-targets.ts';

type Services = {
  database: Database;
  log: Log;
  /** Absent in tests that don't check them. */
  targetMetrics?: TargetMetrics;
};

/** Thrown when the target was cancelled or another worker has taken it over: there is nothing to report. */
class TargetLost extends Error {}

const heartbeatEveryMs = 1_000;

/** Claims a target for this worker: see claimTarget. */
export async function takeTarget(
  database: Database,
  orgId: string,
  scanId: string,
  dataSourceId: string,
): Promise<Claim> {
  try {
    return await database.transaction(orgId, (tx) => claimTarget(tx, orgId, scanId, dataSourceId));
  } catch (error) {
    // Another scan started there between the check and the write.
    if (errorCode(error) === '23505') return { kind: 'busy', waitMs: waitOf(0) };
    throw error;
  }
}

/** The progress of a target. */
type Progress = { fraction: number | null; message: string | null; tally: Tally };

/**
 * Reports the progress of the work. A step without a figure keeps the previous fraction, and no step decreases it.
 */
export function advance(progress: Omit<Progress, 'tally'>, fraction: number | null, message: string): void {
  progress.message = message;
  if (fraction !== null) progress.fraction = Math.max(fraction, progress.fraction ?? 0);
}

/** Returns the progress of a newly claimed target, including the work of earlier, interrupted runs. */
const beginProgress = ({ kept }: ClaimedTarget): Progress => ({
  fraction: null,
  message: null,
  tally: { ...kept, seen: 0 },
});

/**
 * Opens transactions that fail unless the target is still claimed by this worker, so that a lost worker can't write.
 * With `alone`, they run one at a time, and may then update its tally (`keepTally`).
 */
export function claimedTransactions(
  services: Pick<Services, 'database'>,
  orgId: string,
  target: ClaimedTarget,
  options: { alone?: boolean } = {},
): Transact {
  return (run) =>
    services.database.transaction(orgId, async (tx) => {
      if (!(await isClaimed(tx, orgId, target, options))) throw new TargetLost();
      return run(tx);
    });
}

/** Reports the progress of the target every second, and aborts the work when this worker has lost its claim. */
function startHeartbeat(
  services: Services,
  orgId: string,
  target: ClaimedTarget,
  progress: Progress,
  abort: AbortController,
) {
  const report = async () => {
    const { fraction, message, tally } = progress;
    const isOurs = await services.database.transaction(orgId, (tx) =>
      recordHeartbeat(tx, orgId, target, fraction, message, tally),
    );
    if (!isOurs) abort.abort(new TargetLost());
  };
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    // A temporary outage of the database does not end the work: the next write decides.
    running ??= report()
      .catch((error) => services.log.warn({ err: error, scan: target.scanId }, 'A scan could not report its progress.'))
      .finally(() => {
        running = null;
      });
  }, heartbeatEveryMs);
  return {
    /** Waits for a report in progress, which locks the same row as every transaction of the work. */
    async reported() {
      await running;
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

/** Ends a target, and records the outcome with its data source. Returns false when this worker has lost its claim. */
async function endClaimedTarget(
  services: Pick<Services, 'database'>,
  orgId: string,
  target: ClaimedTarget,
  { figures, ...outcome }: TargetOutcome & { figures?: TargetFigures },
): Promise<boolean> {
  return services.database.transaction(orgId, async (tx) => {
    // A deletion also locks the data source before its scans.
    await keepDataSource(tx, orgId, target.dataSourceId);
    if (!(await endTarget(tx, orgId, target, outcome))) return false;
    if (figures) await keepFigures(tx, orgId, target, figures);
    await noteScanEnd(tx, orgId, target.dataSourceId);
    return true;
  });
}

export type TargetWork = {
  progress: Progress;
  /** Aborts when this worker has lost its claim, or stops. */
  signal: AbortSignal;
  /** Waits for a progress report, which locks the same row as the work's transactions. */
  reported(): Promise<void>;
};

/** The result of completed work. */
export type Finished = {
  /** The places that the scan lists as left out. */
  warnings: string[];
  /** The reason why nothing was closed, if so. */
  closedNothing: ClosedNothing;
  toolVersion?: string | null;
  revision?: string | null;
  figures?: TargetFigures;
  /** The reason why it is incomplete, if another attempt may complete it. */
  interruption?: Error;
};

/** The kind of work in the log. */
const names = { scan: 'A scan target', import: 'An import' };

type WorkOptions = {
  kind: 'scan' | 'import';
  run(work: TargetWork): Promise<Finished>;
  /** Returns whether an error is unrelated to the target, so that the work is resumed later. */
  isInterruption(error: unknown): boolean;
  /** The sentence that the scan shows for a failure. */
  sentenceOf(error: unknown): string;
  /** Postpones the target if the error may be temporary; returns false when it is final. */
  postpone?(error: unknown): Promise<boolean>;
};

/**
 * Does the work on a target that this worker has claimed. Returns true when the target has completed or failed, false
 * when it was postponed, or lost to a cancellation or to another worker, which continues it. Throws only when the
 * work was interrupted and must be resumed.
 */
export async function runClaimedTarget(
  services: Services & { stopping?: AbortSignal },
  orgId: string,
  target: ClaimedTarget,
  { kind, run, isInterruption, sentenceOf, postpone }: WorkOptions,
): Promise<boolean> {
  const progress = beginProgress(target);
  const abort = new AbortController();
  const signal = services.stopping ? AbortSignal.any([abort.signal, services.stopping]) : abort.signal;
  const heartbeat = startHeartbeat(services, orgId, target, progress, abort);
  const begunAt = performance.now();
  let measured: MeasuredOutcome = 'interrupted';
  const end = async (outcome: TargetOutcome & { figures?: TargetFigures }) => {
    const isEnded = await endClaimedTarget(services, orgId, target, outcome);
    measured = isEnded ? outcome.status : 'cancelled';
    return isEnded;
  };
  const context = { scan: target.scanId, dataSource: target.dataSourceId };
  const putOff = async (error: unknown) => {
    // A progress report would overwrite the reason for the pause.
    await heartbeat.stop();
    if (!(await postpone?.(error))) return false;
    services.log.warn({ err: error, ...context }, `${names[kind]} was interrupted and is tried again after a pause.`);
    return true;
  };
  try {
    const { interruption, ...ended } = await run({ progress, signal, reported: heartbeat.reported });
    if (interruption && (await putOff(interruption))) return false;
    return await end({ status: 'completed', error: null, tally: progress.tally, ...ended });
  } catch (error) {
    if (abort.signal.aborted || error instanceof TargetLost) {
      measured = 'cancelled';
      return false;
    }
    if (services.stopping?.aborted || isInterruption(error)) throw error;
    if (await putOff(error)) return false;
    services.log.error({ err: error, ...context }, `${names[kind]} failed.`);
    return await end({ status: 'failed', error: sentenceOf(error), warnings: [], tally: progress.tally });
  } finally {
    services.targetMetrics?.observe(kind, target.source, measured, (performance.now() - begunAt) / 1_000);
    await heartbeat.stop();
  }
}
