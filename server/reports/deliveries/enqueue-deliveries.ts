import { enqueue } from '../../platform/jobs.ts';
import type { Db } from '../../platform/postgres/database.ts';
import type { ExportKey } from '../exports/export-queries.ts';
import { deliveryJobType, deliveryKey } from '../job-types.ts';
import { listPendingRecipients } from './delivery-queries.ts';

/**
 * Has the mails sent for which this export was waited for, a job each; one that waits to be tried again comes at once instead.
 * With `untriedOnly`, those alone that no attempt was made at: the others' next attempt stays where it is.
 */
export async function enqueueDeliveries(
  tx: Db,
  orgId: string,
  waitedFor: ExportKey,
  { untriedOnly = false } = {},
): Promise<void> {
  const { reportId } = waitedFor;
  for (const { recipient, attempts } of await listPendingRecipients(tx, orgId, waitedFor)) {
    if (untriedOnly && attempts > 0) continue;
    const key = deliveryKey(orgId, reportId, recipient);
    await enqueue(tx, deliveryJobType, { org_id: orgId, report_id: reportId, recipient }, { key });
  }
}
