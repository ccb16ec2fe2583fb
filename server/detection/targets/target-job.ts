import Type from 'typebox';
import { enqueue, enqueueOnce } from '../../platform/jobs/jobs.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { targetKey } from './waiting-targets.ts';

/** The job that scans a target, without its `run`, so that callers can enqueue it. */
export const targetJobType = {
  name: 'scan-target',
  schema: Type.Object({ org_id: Type.String(), scan_id: Type.String(), data_source_id: Type.String() }),
};

/** Enqueues the scan of a target, unless there is a job for it. */
export async function enqueueTargetOnce(tx: Db, orgId: string, scanId: string, dataSourceId: string): Promise<void> {
  const payload = { org_id: orgId, scan_id: scanId, data_source_id: dataSourceId };
  await enqueueOnce(tx, targetJobType, payload, targetKey(scanId, dataSourceId));
}

/** Enqueues the scan of a target, to start after the transaction has committed. */
export async function enqueueTarget(
  tx: Db,
  orgId: string,
  scanId: string,
  dataSourceId: string,
  delayMs = 0,
): Promise<void> {
  const payload = { org_id: orgId, scan_id: scanId, data_source_id: dataSourceId };
  await enqueue(tx, targetJobType, payload, { key: targetKey(scanId, dataSourceId), delayMs });
}
