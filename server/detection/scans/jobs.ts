import Type from 'typebox';
import { resolveFindingsOfRemovedSource } from '../../findings/close-findings.ts';
import { enqueue, enqueueOnce, type JobDefinition } from '../../platform/jobs/jobs.ts';
import type { Database, Db } from '../../platform/postgres/database.ts';
import { storedAdvisories } from '../advisories/queries.ts';
import { findDetector } from '../registry.ts';
import type { DetectionServices } from '../services.ts';
import { takeTarget } from '../targets/claimed-target.ts';
import { listDeletionsWithoutJob } from '../targets/lost-targets.ts';
import { enqueueTarget, targetJobType } from '../targets/target-job.ts';
import { type ClaimedTarget, endTarget } from '../targets/target-queries.ts';
import { removeCache } from './checkout.ts';
import { runTarget } from './run-target.ts';

/** A target whose worker is lost repeatedly is abandoned after a day: it may be the cause. */
const maxAttempts = 20;
const maxMs = 24 * 3_600_000;

const endsWorkers = ({ attempt, claimedAt, scanStartedAt }: ClaimedTarget) =>
  attempt > maxAttempts && claimedAt.getTime() - scanStartedAt.getTime() > maxMs;

const failed = (error: string) => ({
  status: 'failed' as const,
  error,
  warnings: [],
  tally: { new: 0, seen: 0, reopened: 0, resolved: 0 },
});

/** Scans one data source of a scan. */
const scanTarget: JobDefinition<DetectionServices, typeof targetJobType.schema> = {
  ...targetJobType,
  async run({ org_id: orgId, scan_id: scanId, data_source_id: dataSourceId }, services) {
    const claimed = await takeTarget(services.database, orgId, scanId, dataSourceId);
    if (claimed.kind === 'ended') return;
    if (claimed.kind === 'busy') {
      await services.database.transaction(orgId, (tx) =>
        enqueueTarget(tx, orgId, scanId, dataSourceId, claimed.waitMs),
      );
      return;
    }
    const { target } = claimed;
    const detector = findDetector(target.source);
    const problem = endsWorkers(target)
      ? 'For a day, each scan of this was interrupted: the worker was lost, or a disk was full. Nothing there was closed.'
      : detector
        ? await detector.unavailableReason(storedAdvisories(services.database))
        : `This release has no detection source ${target.source}.`;
    if (problem !== null || !detector) {
      await services.database.transaction(orgId, (tx) => endTarget(tx, orgId, target, failed(problem!)));
      return;
    }
    await runTarget(services, orgId, detector, target);
  },
};

const removedPayload = Type.Object({ org_id: Type.String(), data_source_id: Type.String() });

/** Finishes a deletion: resolves the rest of the findings, and removes this worker's copy of the repository. */
const cleanUpDataSource: JobDefinition<DetectionServices, typeof removedPayload> = {
  name: 'clean-up-data-source',
  schema: removedPayload,
  async run({ org_id: orgId, data_source_id: id }, services) {
    type Place = Awaited<ReturnType<typeof resolveFindingsOfRemovedSource>>;
    const resolveNext = (after?: Place) =>
      services.database.transaction(orgId, (tx) =>
        resolveFindingsOfRemovedSource(tx, orgId, null, id, after ?? undefined),
      );
    for (let place = await resolveNext(); place !== null; ) place = await resolveNext(place);
    await removeCache(services, orgId, id);
  },
};

export const detectionJobs = [scanTarget, cleanUpDataSource];

/** The migrations contain this key too. */
const cleanUpKey = (orgId: string, id: string) => `clean-up-data-source:${orgId}:${id}`;

/** Finishes a deletion once the transaction has committed. */
export const enqueueCleanUp = (tx: Db, orgId: string, id: string): Promise<void> =>
  enqueue(tx, cleanUpDataSource, { org_id: orgId, data_source_id: id }, { key: cleanUpKey(orgId, id) });

/** Enqueues every deletion that has lost its job. Runs on every node; each data source gets one job. */
async function takeUpDeletions({ database }: { database: Database }): Promise<void> {
  for (const { orgId, id } of await database.transaction(null, listDeletionsWithoutJob)) {
    const payload = { org_id: orgId, data_source_id: id };
    await database.transaction(orgId, (tx) => enqueueOnce(tx, cleanUpDataSource, payload, cleanUpKey(orgId, id)));
  }
}

export const detectionTicks = [{ name: 'Resuming deletions without a job', everyMs: 60_000, run: takeUpDeletions }];
