import type { DataSourceKind } from '../../data-sources/kind.ts';
import type { Db } from '../../platform/postgres/database.ts';
import type { ClosedNothing } from '../targets/target-queries.ts';

export const targetStatuses = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;

export type TargetRow = {
  dataSourceId: string;
  dataSourceName: string;
  dataSourceKind: DataSourceKind;
  status: (typeof targetStatuses)[number];
  /** 0 to 1; null when unknown. */
  fraction: number | null;
  message: string | null;
  new: number;
  seen: number;
  reopened: number;
  resolved: number;
  error: string | null;
  warnings: string[];
  closedNothing: ClosedNothing | null;
  retries: number;
  retryReason: string | null;
  retryAt: Date | null;
  revision: string | null;
  startedAt: Date | null;
  completedAt: Date | null;
};

/** Lists a page of the targets of a scan after `afterId`, in the order of data source ids. */
export async function listTargets(
  db: Db,
  orgId: string,
  scanId: string,
  { statuses, afterId, limit }: { statuses: string[] | null; afterId: string | null; limit: number },
): Promise<TargetRow[]> {
  const { rows } = await db.query<TargetRow>({
    name: 'scan_targets_list',
    text: `SELECT t.data_source_id AS "dataSourceId", d.name AS "dataSourceName", d.kind AS "dataSourceKind", t.status,
             t.fraction, t.message, t.found_new AS new, t.found_seen AS seen, t.found_reopened AS reopened,
             t.found_resolved AS resolved, t.error, t.warnings, t.closed_nothing AS "closedNothing",
             t.retries, t.retry_reason AS "retryReason", t.retry_at AS "retryAt", t.revision, t.started_at AS "startedAt", t.completed_at AS "completedAt"
           FROM scan_targets t JOIN data_sources d ON d.org_id = t.org_id AND d.id = t.data_source_id
           WHERE t.org_id = $1 AND t.scan_id = $2 AND t.data_source_id > coalesce($3, '')
             AND ($4::text[] IS NULL OR t.status = ANY($4))
           ORDER BY t.data_source_id LIMIT $5`,
    values: [orgId, scanId, afterId, statuses, limit],
  });
  return rows;
}
