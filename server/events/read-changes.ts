import { listRecentScans } from '../detection/scans/queries.ts';
import { scanView } from '../detection/scans/scan-schema.ts';
import { operationView } from '../findings/bulk/bulk-schema.ts';
import { listRecentOperations } from '../findings/bulk/queries.ts';
import { countChanged } from '../findings/figures/count-changed.ts';
import type { Database } from '../platform/postgres/database.ts';
import { formatTime, formatTimeOrNull } from '../platform/times.ts';
import { listRecentReports, type ReportRow } from '../reports/queries.ts';

/** An event, with the scope that its readers need. `id` names the thing whose state it carries; null for figures alone. */
export type Change = { type: string; scope: string; id: string | null; data: string };

/** The changes up to a position in time, in microseconds since the epoch. */
export type Changes = {
  position: string;
  changes: Change[];
  /** Whether some changes after the position given are not among these, because times were brought back. */
  isTorn: boolean;
};

/** Of each kind, the newest ones. */
const maxOfKind = 200;
/** A transaction that ends late has older times than what was read meanwhile. */
const overlapMs = 60_000;

/** A scan without its lists, which may be long. */
function scanData(row: Parameters<typeof scanView>[0]): string {
  const { data_sources: _sources, errors, warnings, ...scan } = scanView(row);
  return JSON.stringify({ ...scan, error_count: errors.length, warning_count: warnings.length });
}

const reportData = (row: ReportRow) =>
  JSON.stringify({
    id: row.id,
    title: row.title,
    status: row.status,
    error: row.error,
    scheduled_report_id: row.scheduledReportId,
    created_at: formatTime(row.createdAt),
    completed_at: formatTimeOrNull(row.completedAt),
  });

/**
 * Reads the scans, reports and bulk operations of an organization that are under way or have ended since a position, and
 * counts the findings that changed since. A position of null is the present.
 */
export const readChanges = (database: Database, orgId: string, since: string | null): Promise<Changes> =>
  database.transaction(orgId, async (tx) => {
    const { horizon: position, created, changed, isCapped, isTorn } = await countChanged(tx, orgId, since);
    const from = new Date(Number(since ?? position) / 1_000 - overlapMs).toISOString();
    const at = since === null ? new Date(Number(position) / 1_000).toISOString() : from;
    const changes: Change[] = [];
    for (const row of await listRecentScans(tx, orgId, at, maxOfKind))
      changes.push({ type: 'scan', scope: 'scans:read', id: row.id, data: scanData(row) });
    for (const row of await listRecentReports(tx, orgId, at, maxOfKind))
      changes.push({ type: 'report', scope: 'reports:read', id: row.id, data: reportData(row) });
    for (const row of await listRecentOperations(tx, orgId, at, maxOfKind)) {
      const data = JSON.stringify(operationView(row));
      changes.push({ type: 'bulk_operation', scope: 'findings:read', id: row.id, data });
    }
    if (created + changed > 0) {
      const data = JSON.stringify({ created, changed, at_least: isCapped });
      changes.push({ type: 'findings', scope: 'findings:read', id: null, data });
    }
    return { position, changes, isTorn };
  });
