import { enqueue } from '../../platform/jobs/jobs.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { deliveryJobType, deliveryKey } from '../job-types.ts';
import { listPendingRecipients } from './delivery-queries.ts';
import type { ExportKey } from './export-queries.ts';

/**
 * Enqueues a job for each mail that waits for this export; a mail that waits for its next attempt is sent at once.
 * `untriedOnly` restricts it to mails without an attempt, and leaves the next attempt of the others as it is.
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
