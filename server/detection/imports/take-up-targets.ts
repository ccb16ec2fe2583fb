import type { Database } from '../../platform/postgres/database.ts';
import { listScansWithoutEnd, listTargetsWithoutJob } from '../targets/lost-targets.ts';
import { enqueueTargetOnce } from '../targets/target-job.ts';
import { endScan, lockScan } from '../targets/target-queries.ts';
import { enqueueImportOnce } from './merge-import.ts';

/**
 * Adds a job for every unfinished target that lost its own, for whatever reason: nothing is `running` without one. On
 * every node; however many ask at once, one job is made. Ends the scans that have no target left to wait for.
 */
export async function takeUpTargets({ database }: { database: Database }): Promise<void> {
  const targets = await database.transaction(null, listTargetsWithoutJob);
  for (const { orgId, scanId, dataSourceId, trigger } of targets) {
    await database.transaction(orgId, (tx) =>
      trigger === 'import'
        ? enqueueImportOnce(tx, { org_id: orgId, scan_id: scanId, data_source_id: dataSourceId })
        : enqueueTargetOnce(tx, orgId, scanId, dataSourceId),
    );
  }
  for (const { orgId, scanId } of await database.transaction(null, listScansWithoutEnd)) {
    await database.transaction(orgId, async (tx) => {
      await lockScan(tx, orgId, scanId);
      await endScan(tx, orgId, scanId);
    });
  }
}
