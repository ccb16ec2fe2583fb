import Type from 'typebox';
import { resolveFindingsOfRemovedSource } from '../../findings/close-findings.ts';
import { enqueue, type JobDefinition } from '../../platform/jobs.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { storedAdvisories } from '../advisories/queries.ts';
import { advisoryTick } from '../advisories/tick.ts';
import { findDetector } from '../registry.ts';
import type { DetectionServices } from '../services.ts';
import { removeCache } from './prepare-target.ts';
import { runTarget } from './run-target.ts';
import { type Claim, claimTarget, endTarget, listAbandonedTargets } from './target-queries.ts';

const targetPayload = Type.Object({ org_id: Type.String(), scan_id: Type.String(), data_source_id: Type.String() });

/** How often a target is taken up again whose worker died under it: a target that kills workers must not go on for ever. */
const mostAttempts = 5;
const busyDelayMs = 2_000;

const claim = async (
  services: DetectionServices,
  orgId: string,
  scanId: string,
  dataSourceId: string,
): Promise<Claim> => {
  try {
    return await services.database.transaction(orgId, (tx) => claimTarget(tx, orgId, scanId, dataSourceId));
  } catch (error) {
    // Another scan began there between the look and the write.
    if ((error as { code?: string }).code === '23505') return { kind: 'busy' };
    throw error;
  }
};

const failed = (error: string) => ({
  status: 'failed' as const,
  error,
  warnings: [],
  tally: { new: 0, seen: 0, reopened: 0, resolved: 0 },
});

/** Scans one data source of a scan. */
const scanTarget: JobDefinition<DetectionServices, typeof targetPayload> = {
  name: 'scan-target',
  schema: targetPayload,
  maxAttempts: 10,
  async run({ org_id: orgId, scan_id: scanId, data_source_id: dataSourceId }, services) {
    const claimed = await claim(services, orgId, scanId, dataSourceId);
    if (claimed.kind === 'ended') return;
    if (claimed.kind === 'busy') {
      await services.database.transaction(orgId, (tx) => enqueueTarget(tx, orgId, scanId, dataSourceId, busyDelayMs));
      return;
    }
    const { target } = claimed;
    const detector = findDetector(target.source);
    const problem =
      target.attempt > mostAttempts
        ? 'The worker was lost each time it scanned this. Nothing there was closed.'
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

/** Has a target scanned once the transaction has committed. */
export async function enqueueTarget(
  tx: Db,
  orgId: string,
  scanId: string,
  dataSourceId: string,
  delayMs = 0,
): Promise<void> {
  const payload = { org_id: orgId, scan_id: scanId, data_source_id: dataSourceId };
  await enqueue(tx, scanTarget, payload, { key: `${scanId}:${dataSourceId}`, delayMs });
}

const removedPayload = Type.Object({ org_id: Type.String(), data_source_id: Type.String() });

/** What a deletion leaves to do: the rest of the findings to resolve, and this worker's copy of the repository to remove. */
export const cleanUpDataSource: JobDefinition<DetectionServices, typeof removedPayload> = {
  name: 'clean-up-data-source',
  schema: removedPayload,
  async run({ org_id: orgId, data_source_id: id }, services) {
    for (let more = true; more; ) {
      more = await services.database.transaction(orgId, (tx) => resolveFindingsOfRemovedSource(tx, orgId, null, id));
    }
    await removeCache(services, orgId, id);
  },
};

const abandonedAfterMs = 10 * 60_000;

/** Ends targets that no job will take up any more, so that no scan stays unfinished for ever. */
async function endAbandonedTargets({ database, log }: DetectionServices): Promise<void> {
  const targets = await database.transaction(null, (tx) => listAbandonedTargets(tx, abandonedAfterMs));
  for (const { orgId, scanId, dataSourceId } of targets) {
    log.error({ scan: scanId, dataSource: dataSourceId }, 'A scan target was abandoned.');
    const claimed = await claim({ database } as DetectionServices, orgId, scanId, dataSourceId);
    if (claimed.kind !== 'held') continue;
    const outcome = failed('The worker was lost and the scan could not be taken up again. Nothing there was closed.');
    await database.transaction(orgId, (tx) => endTarget(tx, orgId, claimed.target, outcome));
  }
}

export const detectionJobs = [scanTarget, cleanUpDataSource];

export const detectionTicks = [
  { name: 'Ending abandoned scans', everyMs: 60_000, run: endAbandonedTargets },
  advisoryTick,
];
