import { enqueueOnce } from '../platform/jobs/jobs.ts';
import type { Database } from '../platform/postgres/database.ts';
import { enqueueExport } from './exports/exports.ts';
import { deliveryJobType, deliveryKey, snapshotJobType, snapshotKey } from './job-types.ts';
import { listReportWorkWithoutJob } from './queries.ts';
import type { ReportFormatName } from './writers/index.ts';

/**
 * Enqueues every unfinished snapshot, export and mail that has no job. It runs on every node; even with concurrent
 * runs, each item gets one job.
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
