import { updateScanOutcome } from '../../data-sources/queries.ts';
import type { Tally, Transact } from '../../findings/record-detections.ts';
import { errorCode } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { Database } from '../../platform/postgres/database.ts';
import {
  beatTarget,
  type Claim,
  claimTarget,
  endTarget,
  type HeldTarget,
  isHeld,
  type TargetOutcome,
} from './target-queries.ts';

type Services = { database: Database; log: Log };

/** The target was cancelled, or another worker has it: there is nothing to report. */
export class TargetLost extends Error {}

const beatEveryMs = 1_000;

/** Takes a target for this worker: see claimTarget. */
export async function takeTarget(
  database: Database,
  orgId: string,
  scanId: string,
  dataSourceId: string,
): Promise<Claim> {
  try {
    return await database.transaction(orgId, (tx) => claimTarget(tx, orgId, scanId, dataSourceId));
  } catch (error) {
    // Another scan began there between the look and the write.
    if (errorCode(error) === '23505') return { kind: 'busy' };
    throw error;
  }
}

/** What is known of a target under way. */
export type Progress = { fraction: number | null; message: string | null; tally: Tally };

/** The progress of a target that was just taken: with what earlier, interrupted runs of it did. */
export const beginProgress = ({ kept }: HeldTarget): Progress => ({
  fraction: null,
  message: null,
  tally: { ...kept, seen: 0 },
});

/**
 * Transactions that only happen while the target is this worker's: what a lost worker still writes is refused. With `alone`, one
 * at a time, which may note what it did (`keepTally`).
 */
export function heldTransactions(
  services: Pick<Services, 'database'>,
  orgId: string,
  target: HeldTarget,
  options: { alone?: boolean } = {},
): Transact {
  return (run) =>
    services.database.transaction(orgId, async (tx) => {
      if (!(await isHeld(tx, orgId, target, options))) throw new TargetLost();
      return run(tx);
    });
}

/** Reports every second that the target is being worked on, and aborts the work when it is no longer ours. */
export function keepBeating(
  services: Services,
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
  return {
    /** Waits for a report that is under way. It needs the row that every transaction of the work holds on to: let it have it. */
    async settled() {
      await running;
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

/** Ends a target that this worker holds, and notes at its data source how it went. */
export async function endHeldTarget(
  services: Pick<Services, 'database'>,
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
