import { newId } from '../platform/id.ts';
import { enqueue } from '../platform/jobs.ts';
import type { Db } from '../platform/postgres/database.ts';
import { snapshotJobType, snapshotKey } from './job-types.ts';
import { insertReport, type NewReport } from './queries.ts';

/**
 * Creates a report on the findings that the filters select and returns its id. It is pending until a worker has taken
 * the snapshot.
 */
export async function createReport(tx: Db, orgId: string, report: Omit<NewReport, 'id'>): Promise<string> {
  const id = newId('rpt');
  await insertReport(tx, orgId, { ...report, id });
  await enqueue(tx, snapshotJobType, { org_id: orgId, report_id: id }, { key: snapshotKey(orgId, id) });
  return id;
}
