import { newId } from '../platform/id.ts';
import { enqueue } from '../platform/jobs/jobs.ts';
import type { Db } from '../platform/postgres/database.ts';
import { snapshotJobType, snapshotKey } from './job-types.ts';
import { insertReport, type NewReport } from './queries.ts';
import { defaultDocument } from './report-document.ts';

type Look = 'template' | 'document' | 'compareTo';
type RequestedReport = Omit<NewReport, 'id' | Look> & Partial<Pick<NewReport, Look>>;

/**
 * Creates a report on the matching findings and returns its id. It is pending until a worker has taken the snapshot.
 */
export async function createReport(tx: Db, orgId: string, report: RequestedReport): Promise<string> {
  const id = newId('rpt');
  await insertReport(tx, orgId, { template: 'audit', document: defaultDocument, compareTo: null, ...report, id });
  await enqueue(tx, snapshotJobType, { org_id: orgId, report_id: id }, { key: snapshotKey(orgId, id) });
  return id;
}
