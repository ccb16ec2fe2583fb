import Type, { type Static } from 'typebox';
import { finishSighting, type Tally, type Transact } from '../../findings/record-detections.ts';
import { ApiError } from '../../platform/errors.ts';
import { enqueue, type JobDefinition } from '../../platform/jobs.ts';
import type { Log } from '../../platform/log.ts';
import { type Database, type Db, isDatabaseAway } from '../../platform/postgres/database.ts';
import { EqualCounter } from '../formats/equal-counter.ts';
import { endHeldTarget, heldTransactions, keepBeating, type Progress, TargetLost } from '../scans/held-target.ts';
import { claimTarget, type HeldTarget } from '../scans/target-queries.ts';
import { BatchesMissing, mergeBatches } from './merge-batches.ts';
import { deleteImportBatches } from './queries.ts';

const payload = Type.Object({
  org_id: Type.String(),
  scan_id: Type.String(),
  data_source_id: Type.String(),
  batches: Type.Integer(),
  sources: Type.Array(Type.String()),
  close_missing: Type.Boolean(),
  incomplete: Type.Array(Type.String()),
});
type Payload = Static<typeof payload>;
type Services = { database: Database; log: Log };

const busyDelayMs = 1_000;

async function mergeAndFinish(
  { database }: Services,
  transact: Transact,
  job: Payload,
  target: HeldTarget,
  progress: Progress,
  betweenRounds: () => Promise<void>,
): Promise<void> {
  const seen = new Map(job.sources.map((source) => [source, new EqualCounter()]));
  let done = 0;
  const merged = (source: string, fingerprints: string[], tally: Tally) => {
    const counter = seen.get(source) ?? new EqualCounter();
    for (const fingerprint of fingerprints) counter.next(fingerprint);
    seen.set(source, counter);
    progress.tally.new += tally.new;
    progress.tally.seen += tally.seen;
    progress.tally.reopened += tally.reopened;
    done += 1;
    Object.assign(progress, { fraction: done / job.batches, message: 'Merging results' });
  };
  await mergeBatches(database, transact, job.org_id, target, job.batches, merged, betweenRounds);
  const close = job.close_missing && job.incomplete.length === 0;
  for (const [source, counter] of seen) {
    const wasSeen = (fingerprint: string) => counter.has(fingerprint);
    progress.tally.resolved += await finishSighting(transact, job.org_id, { ...target, source }, wasSeen, close);
  }
}

async function claim(database: Database, job: Payload) {
  try {
    return await database.transaction(job.org_id, (tx) => claimTarget(tx, job.org_id, job.scan_id, job.data_source_id));
  } catch (error) {
    if ((error as { code?: string }).code === '23505') return { kind: 'busy' as const };
    throw error;
  }
}

/** Merges a received import, to its end. Answers false when a scan of the same source runs there: try again later. */
export async function runImport(services: Services, job: Payload): Promise<boolean> {
  const { database } = services;
  const claimed = await claim(database, job);
  if (claimed.kind !== 'held') return claimed.kind !== 'busy';
  const { target } = claimed;
  const progress: Progress = { fraction: 0, message: null, tally: { new: 0, seen: 0, reopened: 0, resolved: 0 } };
  const abort = new AbortController();
  const heartbeat = keepBeating(services, job.org_id, target, progress, abort);
  const betweenRounds = async () => {
    await heartbeat.settled();
    abort.signal.throwIfAborted();
  };
  try {
    await mergeAndFinish(
      services,
      heldTransactions(services, job.org_id, target),
      job,
      target,
      progress,
      betweenRounds,
    );
    const outcome = { status: 'completed' as const, error: null, warnings: job.incomplete, tally: progress.tally };
    await endHeldTarget(services, job.org_id, target, outcome);
    await database.transaction(job.org_id, (tx) => deleteImportBatches(tx, job.org_id, job.scan_id));
  } catch (error) {
    if (abort.signal.aborted || error instanceof TargetLost) return true;
    if (isDatabaseAway(error) || (error instanceof ApiError && error.code === 'unavailable')) throw error;
    services.log.error({ err: error, scan: job.scan_id }, 'An import failed.');
    const sentence =
      error instanceof BatchesMissing
        ? error.message
        : 'The import failed for a reason that lies with the platform. The operator finds it in the log under this scan.';
    await endHeldTarget(services, job.org_id, target, {
      status: 'failed',
      error: sentence,
      warnings: [],
      tally: progress.tally,
    });
  } finally {
    await heartbeat.stop();
  }
  return true;
}

/** Merges a received result file into the findings. */
export const mergeImport: JobDefinition<Services, typeof payload> = {
  name: 'merge-import',
  schema: payload,
  maxAttempts: 10,
  async run(job, services) {
    if (await runImport(services, job)) return;
    await services.database.transaction(job.org_id, (tx) => enqueueImport(tx, job, busyDelayMs));
  },
};

export async function enqueueImport(tx: Db, job: Payload, delayMs = 0): Promise<void> {
  await enqueue(tx, mergeImport, job, { key: `${job.scan_id}:${job.data_source_id}`, delayMs });
}
export type ImportJob = Payload;
