import type { Db } from '../../platform/postgres/database.ts';

type TargetWithoutJob = { orgId: string; scanId: string; dataSourceId: string; trigger: string };

/** Lists the unfinished targets without a job, of all organizations. */
export async function listTargetsWithoutJob(db: Db): Promise<TargetWithoutJob[]> {
  const { rows } = await db.query<TargetWithoutJob>({
    text: `SELECT org_id AS "orgId", scan_id AS "scanId", data_source_id AS "dataSourceId", trigger
           FROM scan_targets_without_job()`,
  });
  return rows;
}

/** Lists unfinished scans whose targets have all ended, of all organizations. */
export async function listScansWithoutEnd(db: Db): Promise<Array<{ orgId: string; scanId: string }>> {
  const { rows } = await db.query<{ orgId: string; scanId: string }>({
    text: 'SELECT org_id AS "orgId", scan_id AS "scanId" FROM scans_without_end()',
  });
  return rows;
}

/** Lists deleted data sources with open findings and no job to resolve them, of all organizations. */
export async function listDeletionsWithoutJob(db: Db): Promise<Array<{ orgId: string; id: string }>> {
  const { rows } = await db.query<{ orgId: string; id: string }>({
    text: 'SELECT org_id AS "orgId", id FROM removed_data_sources_without_job()',
  });
  return rows;
}
