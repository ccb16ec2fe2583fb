import { enqueueOnce } from '../platform/jobs.ts';
import type { Database } from '../platform/postgres/database.ts';
import { enqueueExport } from './exports/exports.ts';
import type { ReportFormatName } from './formats/index.ts';
import { deliveryJobType, deliveryKey, snapshotJobType, snapshotKey } from './job-types.ts';
import { listReportWorkWithoutJob } from './queries.ts';

/**
 * Has every snapshot, export and mail made that lost its job, however that came about. On every node; however many ask at once,
 * one job is made.
 */
export async function takeUpReports({ database }: { database: Database }): Promise<void> {
  const work = await database.transaction(null, listReportWorkWithoutJob);
  for (const { orgId, reportId, format, recipient } of work) {
    await database.transaction(orgId, async (tx) => {
      const payload = { org_id: orgId, report_id: reportId };
      if (format !== null) await enqueueExport(tx, orgId, { reportId, format: format as ReportFormatName });
      else if (recipient === null) await enqueueOnce(tx, snapshotJobType, payload, snapshotKey(orgId, reportId));
      else {
        const key = deliveryKey(orgId, reportId, recipient);
        await enqueueOnce(tx, deliveryJobType, { ...payload, recipient }, key);
      }
    });
  }
}
