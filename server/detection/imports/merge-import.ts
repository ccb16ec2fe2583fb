import { builtInSources } from '@assay/scanner/contract/built-in-sources.ts';
import { dataSourceDeleted, TargetError } from '@assay/scanner/contract/target-error.ts';
import { EqualCounter } from '@assay/scanner/readers/equal-counter.ts';
import Type, { type Static } from 'typebox';
import { dataSourceKinds } from '../../data-sources/kind.ts';
import { listScannableDataSources, type ScannableDataSource } from '../../data-sources/queries.ts';
import { mergeDecisions } from '../../decisions/apply-decisions.ts';
import { decideByTools } from '../../decisions/tools/decide-by-tools.ts';
import { listFingerprintsAt } from '../../findings/merge-queries.ts';
import {
  finishSighting,
  recordFacts,
  type Sighting,
  type Tally,
  type Transact,
} from '../../findings/record-detections.ts';
import { isInterruption } from '../../platform/interruption.ts';
import { enqueue, enqueueOnce, type JobDefinition } from '../../platform/jobs/jobs.ts';
import { autocommit, type Database, type Db, sentTogether } from '../../platform/postgres/database.ts';
import { withoutWaiting } from '../../platform/postgres/statement.ts';
import type { DetectionServices } from '../services.ts';
import {
  advance,
  claimedTransactions,
  runClaimedTarget,
  type TargetWork,
  takeTarget,
} from '../targets/claimed-target.ts';
import { keepOpenBefore, type TargetFigures } from '../targets/target-figures.ts';
import { type ClaimedTarget, type ClosedNothing, hasScanned, keepTally } from '../targets/target-queries.ts';
import { targetKey } from '../targets/waiting-targets.ts';
import { gapsOf, sentencesOn } from './gaps.ts';
import {
  BatchesMissing,
  type BatchTally,
  deleteImport,
  findImport,
  findImportBatch,
  type ImportOrder,
  listFingerprints,
  listImportBatches,
  type StagedBatch,
  updateMergedBatch,
} from './queries.ts';
import { lanes } from './stage-batches.ts';

const payload = Type.Object({ org_id: Type.String(), scan_id: Type.String(), data_source_id: Type.String() });
type Payload = Static<typeof payload>;
/** `stopping` aborts when the process stops: another worker, or this one after a restart, continues. */
type Services = Pick<DetectionServices, 'database' | 'log' | 'targetMetrics'> &
  Partial<Pick<DetectionServices, 'stopping' | 'databaseRoom'>>;

const unexpected =
  'The import failed because of an error in the platform. The operator finds it in the log under the id of this scan.';

/**
 * Returns the sighting of a source. Where this server itself scans with the source, a file of any origin confirms and
 * adds findings of that source, but changes none.
 */
async function sightingOf(database: Database, orgId: string, target: ClaimedTarget, source: string): Promise<Sighting> {
  const sighting = { ...target, source };
  if (!(builtInSources as readonly string[]).includes(source)) return sighting;
  return { ...sighting, keepsFacts: await hasScanned(autocommit(database, orgId), orgId, sighting) };
}

async function mergeAndFinish(
  { database }: Services,
  orgId: string,
  order: ImportOrder,
  target: ClaimedTarget,
  dataSource: ScannableDataSource,
  { progress, signal, reported }: TargetWork,
): Promise<{ closedNothing: ClosedNothing; figures: TargetFigures }> {
  const betweenRounds = async () => {
    await reported();
    signal.throwIfAborted();
  };
  const seen = new Map(order.sources.map((source) => [source, new EqualCounter()]));
  let done = 0;
  const merged = (source: string, fingerprints: string[], tally: Omit<Tally, 'resolved'>) => {
    const counter = seen.get(source) ?? new EqualCounter();
    for (const fingerprint of fingerprints) counter.next(fingerprint);
    seen.set(source, counter);
    progress.tally.new += tally.new;
    progress.tally.seen += tally.seen;
    progress.tally.reopened += tally.reopened;
    done += 1;
    advance(progress, done / order.batches, 'Merging results');
  };
  const alone = claimedTransactions({ database }, orgId, target, { alone: true });
  await betweenRounds();
  // The next commit makes the figure permanent.
  await alone((tx) => sentTogether([keepOpenBefore(tx, orgId, target, order.sources), tx.query(withoutWaiting)]));
  const together = claimedTransactions({ database }, orgId, target);
  await mergeBatches(database, together, orgId, target, order.batches, merged, betweenRounds);
  const onResolved = async (tx: Db, count: number) => {
    await keepTally(tx, orgId, target, { resolved: count });
    progress.tally.resolved += count;
  };
  let isOvertaken = false;
  let isPartial = seen.size > 0;
  let allKeptClosed = 0;
  for (const [source, counter] of seen) {
    const { partial, uncovered } = gapsOf(order.gaps, source, dataSource);
    const isComplete = order.incomplete.length === 0 && partial.length === 0;
    const close = order.closeMissing && isComplete;
    const spared = close
      ? new Set(await alone((tx) => listFingerprintsAt(tx, orgId, { ...target, source }, uncovered)))
      : null;
    const wasSeen = (fingerprint: string) => counter.has(fingerprint) || spared?.has(fingerprint) === true;
    isPartial &&= partial.length > 0;
    const { overtaken, keptClosed } = await finishSighting(
      alone,
      orgId,
      { ...target, source },
      wasSeen,
      { close, isComplete },
      onResolved,
    );
    isOvertaken ||= overtaken;
    allKeptClosed += keptClosed;
  }
  const figures = { sources: [...seen.keys()], keptClosed: allKeptClosed };
  return { closedNothing: whyNothingClosed(order, isPartial, isOvertaken), figures };
}

function whyNothingClosed(
  { closeMissing, incomplete }: ImportOrder,
  isPartial: boolean,
  isOvertaken: boolean,
): ClosedNothing {
  if (incomplete.length > 0 || isPartial) return 'incomplete';
  if (!closeMissing) return 'not_requested';
  return isOvertaken ? 'overtaken' : 'nothing_missing';
}

/**
 * Merges a received import completely. Returns 0, or the milliseconds to wait before a retry, when the same source is
 * being scanned there or earlier imports are waiting.
 */
export async function runImport(services: Services, job: Payload): Promise<number> {
  const { database } = services;
  const orgId = job.org_id;
  const claimed = await takeTarget(database, orgId, job.scan_id, job.data_source_id);
  if (claimed.kind === 'busy') return claimed.waitMs;
  if (claimed.kind === 'ended') {
    await database.transaction(orgId, (tx) => deleteImport(tx, orgId, job.scan_id));
    return 0;
  }
  const { target } = claimed;
  const db = autocommit(database, orgId);
  const [dataSource] = await listScannableDataSources(db, orgId, dataSourceKinds, [target.dataSourceId]);
  const ended = await runClaimedTarget(services, orgId, target, {
    kind: 'import',
    async run(work) {
      if (!dataSource) throw dataSourceDeleted();
      await services.databaseRoom?.require();
      const order = await findImport(database, orgId, job.scan_id);
      if (!order) throw new BatchesMissing();
      return {
        warnings: [
          ...order.incomplete,
          ...order.sources.flatMap((source) => sentencesOn(source, gapsOf(order.gaps, source, dataSource))),
          ...order.cut,
        ],
        ...(await mergeAndFinish(services, orgId, order, target, dataSource, work)),
      };
    },
    isInterruption,
    sentenceOf: (error) =>
      error instanceof BatchesMissing || error instanceof TargetError ? error.message : unexpected,
  });
  // Another worker that has taken over the import still needs its batches.
  if (!ended) return 0;
  await database.transaction(orgId, (tx) =>
    sentTogether([deleteImport(tx, orgId, job.scan_id), tx.query(withoutWaiting)]),
  );
  return 0;
}

/** Merges a received result file into the findings. */
export const mergeImport: JobDefinition<Services, typeof payload> = {
  name: 'merge-import',
  schema: payload,
  async run(job, services) {
    const waitMs = await runImport(services, job);
    if (waitMs > 0) await services.database.transaction(job.org_id, (tx) => enqueueImport(tx, job, waitMs));
  },
};

const keyOf = (job: Payload) => targetKey(job.scan_id, job.data_source_id);

export async function enqueueImport(tx: Db, job: Payload, delayMs = 0): Promise<void> {
  await enqueue(tx, mergeImport, job, { key: keyOf(job), delayMs });
}

/** Enqueues the merge of an import, unless there is a job for it. */
export async function enqueueImportOnce(tx: Db, job: Payload): Promise<void> {
  await enqueueOnce(tx, mergeImport, job, keyOf(job));
}

export type ImportJob = Payload;

/**
 * Yields rounds of batches that are merged in parallel: the next batch of each lane. A batch with suppressed results
 * is merged separately, because their triage takes locks after those of the figures, which another batch may have
 * locked.
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
 * Merges the batches of an import, each in a transaction. Those of a round use separate connections, so that the
 * database works on them with as many processors. Calls `merged` once for each batch, including those that an earlier
 * run merged. Safe to repeat after an interruption: it continues after the merged batches.
 */
async function mergeBatches(
  database: Database,
  transact: Transact,
  orgId: string,
  target: ClaimedTarget,
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
  const sightings = new Map<string, Sighting>();
  for (const source of new Set(batches.map((batch) => batch.source)))
    sightings.set(source, await sightingOf(database, orgId, target, source));
  const merge = async ({ sequence, source }: StagedBatch) => {
    const sighting = sightings.get(source)!;
    const [fingerprints, tally] = await transact(async (tx) => {
      const batch = await findImportBatch(tx, orgId, scanId, sequence);
      const recorded = await recordFacts(tx, orgId, sighting, batch.facts, mergeDecisions);
      await decideByTools(tx, orgId, sighting, batch.suppressed);
      await updateMergedBatch(tx, orgId, scanId, sequence, recorded);
      return [batch.fingerprints, recorded];
    });
    merged(source, fingerprints, tally);
  };
  for (const round of rounds(batches.filter((batch) => batch.merged === null))) {
    await betweenRounds();
    const ended = await Promise.allSettled(round.map(merge));
    const failed = ended.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }
}
