import type { Database } from '../../platform/postgres/database.ts';
import { listScansWithoutEnd, listTargetsWithoutJob } from '../targets/lost-targets.ts';
import { enqueueTargetOnce } from '../targets/target-job.ts';
import { endScan, lockScan } from '../targets/target-queries.ts';
import { enqueueImportOnce } from './merge-import.ts';

/**
 * Adds a job for every unfinished target that has lost its job, for any reason, so that no target stays `running`
 * without one. It runs on every node, and creates only one job per target. Ends the scans that have no unfinished
 * target left.
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
