import { createHash } from 'node:crypto';
import type { Severity } from '@assay/scanner/contract/severity.ts';
import type { Database, Db } from '../../platform/postgres/database.ts';
import { wakeNextTargets } from '../targets/waiting-targets.ts';

export const scanStatuses = ['queued', 'running', 'completed', 'partial', 'failed', 'cancelled'] as const;
type ScanStatus = (typeof scanStatuses)[number];
export type ScanTrigger = 'api' | 'schedule' | 'import';

type OpenBySeverity = Record<Severity, number>;

export type ScanRow = {
  id: string;
  source: string;
  status: ScanStatus;
  trigger: ScanTrigger;
  dataSourceIds: string[] | null;
  requestedById: string | null;
  requestedByName: string | null;
  createdAt: Date;
  startedAt: Date | null;
  completedAt: Date | null;
  targets: number;
  targetsDone: number;
  /** The sum of the fractions (0-1) of running targets. */
  fraction: number;
  message: string | null;
  new: number;
  seen: number;
  reopened: number;
  resolved: number;
  openBefore: OpenBySeverity | null;
  openAfter: OpenBySeverity | null;
  keptClosed: number | null;
  /** Versions by detection source, from the target that ended last. */
  toolVersions: Record<string, string> | null;
  errors: Array<{ data_source_id: string; data_source_name: string; message: string }>;
  warnings: Array<{ data_source_id: string; data_source_name: string; message: string }>;
};

/** SQL of the messages of a scan's targets, if any: for most scans, no target is read again. */
const messages = (exist: string, targets: string, message: string) =>
  `CASE WHEN ${exist} THEN (SELECT json_agg(json_build_object('data_source_id', m.data_source_id, 'data_source_name', d.name, 'message', ${message})
      ORDER BY m.data_source_id)
    FROM ${targets} JOIN data_sources d ON d.org_id = s.org_id AND d.id = m.data_source_id
    WHERE m.org_id = s.org_id AND m.scan_id = s.id AND ${message} IS NOT NULL) ELSE '[]' END`;

/** A scan with the state of its targets, which are adjacent in the index. */
export const selectScans = `
  SELECT s.id, s.source, s.status, s.trigger, s.data_source_ids AS "dataSourceIds", s.requested_by AS "requestedById",
    u.name AS "requestedByName", s.created_at AS "createdAt", s.started_at AS "startedAt", s.completed_at AS "completedAt",
    t.targets, t."targetsDone", t.fraction, t.message, t.new, t.seen, t.reopened, t.resolved, t."openBefore", t."openAfter", t."keptClosed", t."toolVersions",
    ${messages('t.failed', 'scan_targets m', 'm.error')} AS errors,
    ${messages('t.warned', 'scan_targets m CROSS JOIN unnest(m.warnings) AS warning', 'warning')} AS warnings
  FROM scans s
  LEFT JOIN users u ON u.id = s.requested_by
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS targets,
      count(*) FILTER (WHERE t.status NOT IN ('queued', 'running'))::int AS "targetsDone",
      COALESCE(sum(t.fraction) FILTER (WHERE t.status = 'running'), 0)::float8 AS fraction,
      (array_agg(t.message ORDER BY t.heartbeat_at DESC) FILTER (WHERE t.status = 'running'))[1] AS message,
      COALESCE(sum(t.found_new), 0)::int AS new, COALESCE(sum(t.found_seen), 0)::int AS seen,
      COALESCE(sum(t.found_reopened), 0)::int AS reopened, COALESCE(sum(t.found_resolved), 0)::int AS resolved,
      (array_agg(t.open_before) FILTER (WHERE t.open_after IS NOT NULL))[1] AS "openBefore",
      (array_agg(t.open_after) FILTER (WHERE t.open_after IS NOT NULL))[1] AS "openAfter", max(t.kept_closed) AS "keptClosed",
      (array_agg(t.tool_versions ORDER BY t.completed_at DESC) FILTER (WHERE t.tool_versions IS NOT NULL))[1] AS "toolVersions",
      bool_or(t.error IS NOT NULL) AS failed, bool_or(t.warnings <> '{}') AS warned
    FROM scan_targets t WHERE t.org_id = s.org_id AND t.scan_id = s.id) t`;

export async function findScan(db: Db, orgId: string, id: string): Promise<ScanRow | undefined> {
  const { rows } = await db.query<ScanRow>({
    name: 'scan_find',
    text: `${selectScans} WHERE s.org_id = $1 AND s.id = $2`,
    values: [orgId, id],
  });
  return rows[0];
}

/**
 * Finds the oldest unfinished scan of this source that includes all these targets, even finished ones: a data source
 * may have been added after the scan started. A scan of all (`ofAll`) is covered only by another one.
 */
export async function findActiveScan(
  db: Db,
  orgId: string,
  source: string,
  { targets, ofAll }: { targets: string[]; ofAll: boolean },
): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>({
    name: 'scan_find_active',
    text: `SELECT s.id FROM scans s
           WHERE s.org_id = $1 AND s.source = $2 AND s.status IN ('queued', 'running') AND s.trigger <> 'import'
             AND (s.data_source_ids IS NULL OR NOT $4::boolean)
             AND (SELECT count(*) FROM scan_targets t WHERE t.org_id = s.org_id AND t.scan_id = s.id
                    AND t.data_source_id = ANY($3::text[])) = cardinality($3::text[])
           ORDER BY s.id LIMIT 1`,
    values: [orgId, source, targets, ofAll],
  });
  return rows[0]?.id;
}

export type NewScan = {
  id: string;
  source: string;
  trigger: ScanTrigger;
  requestedBy: string | null;
  dataSourceIds: string[] | null;
};

/** The extent of a scan, short enough for an index: a scan may have thousands of targets. */
const extentOf = ({ dataSourceIds }: NewScan, targets: string[]): string =>
  `${dataSourceIds === null ? 'all ' : ''}${createHash('sha256').update(targets.join()).digest('base64url')}`;

/**
 * Inserts a scan with its targets (data sources in order). Returns false if a scan of the same source and extent is
 * unfinished.
 */
export async function insertScan(tx: Db, orgId: string, scan: NewScan, targets: string[]): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'scan_insert',
    text: `INSERT INTO scans (org_id, id, source, trigger, requested_by, data_source_ids, extent) VALUES ($1, $2, $3, $4, $5, $6, $7)
           ON CONFLICT DO NOTHING`,
    values: [orgId, scan.id, scan.source, scan.trigger, scan.requestedBy, scan.dataSourceIds, extentOf(scan, targets)],
  });
  if (rowCount === 0) return false;
  await tx.query({
    name: 'scan_targets_insert',
    text: `INSERT INTO scan_targets (org_id, scan_id, data_source_id, source, heartbeat_at, arrival)
           SELECT $1, $2, place, $3, clock_timestamp(),
             1 + COALESCE((SELECT max(t.arrival) FROM scan_targets t WHERE t.org_id = $1 AND t.data_source_id = place
                             AND t.source = $3 AND t.status IN ('queued', 'running')), 0)
           FROM unnest($4::text[]) AS place`,
    values: [orgId, scan.id, scan.source, targets],
  });
  return true;
}

/** Cancels an unfinished scan and its unfinished targets. Returns false when it had ended already. */
export async function cancelScan(tx: Db, orgId: string, id: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    text: `UPDATE scans SET status = 'cancelled', completed_at = statement_timestamp()
           WHERE org_id = $1 AND id = $2 AND status IN ('queued', 'running')`,
    values: [orgId, id],
  });
  if (rowCount === 0) return false;
  const { rows } = await tx.query<{ source: string; dataSourceId: string }>({
    text: `UPDATE scan_targets SET status = 'cancelled', completed_at = statement_timestamp()
           WHERE org_id = $1 AND scan_id = $2 AND status IN ('queued', 'running')
           RETURNING source, data_source_id AS "dataSourceId"`,
    values: [orgId, id],
  });
  const [target] = rows;
  if (target) {
    await wakeNextTargets(
      tx,
      orgId,
      target.source,
      rows.map(({ dataSourceId }) => dataSourceId),
    );
  }
  return true;
}

/** Counts the open findings of each source that has any. */
export function countOpenBySource(database: Database, orgId: string): Promise<Array<{ source: string; open: number }>> {
  return database.single(orgId, {
    name: 'detection_sources_count_open',
    text: `SELECT source, sum(count)::int AS open FROM finding_counts
           WHERE org_id = $1 AND status IN ('new', 'triaged', 'in_progress') GROUP BY source`,
    values: [orgId],
  });
}

type LastScan = { source: string; id: string; status: ScanStatus; completedAt: Date | null };

/** Returns the newest scan of each source. */
export function listLastScans(database: Database, orgId: string, sources: string[]): Promise<LastScan[]> {
  return database.single<LastScan>(orgId, {
    name: 'detection_sources_list_last_scans',
    text: `SELECT source, scan.id, scan.status, scan.completed_at AS "completedAt" FROM unnest($2::text[]) AS source
           CROSS JOIN LATERAL (SELECT s.id, s.status, s.completed_at FROM scans s
                               WHERE s.org_id = $1 AND s.source = source.source ORDER BY s.id DESC LIMIT 1) scan`,
    values: [orgId, sources],
  });
}

/** Lists the newest unfinished scans and those that ended at or after a time. */
export async function listRecentScans(db: Db, orgId: string, since: string, limit: number): Promise<ScanRow[]> {
  const { rows } = await db.query<ScanRow>({
    name: 'scans_list_recent',
    text: `${selectScans} WHERE s.org_id = $1 AND s.id IN (
             (SELECT id FROM scans WHERE org_id = $1 AND status IN ('queued', 'running') ORDER BY id DESC LIMIT $3)
             UNION ALL
             (SELECT id FROM scans WHERE org_id = $1 AND completed_at >= $2 ORDER BY completed_at DESC LIMIT $3))
           ORDER BY s.id`,
    values: [orgId, since, limit],
  });
  return rows;
}

/** Stores the tool versions that an imported file names, by detection source. */
export async function updateToolVersions(
  tx: Db,
  orgId: string,
  { scanId, dataSourceId }: { scanId: string; dataSourceId: string },
  versions: Record<string, string>,
): Promise<void> {
  await tx.query({
    name: 'scan_target_keep_versions',
    text: 'UPDATE scan_targets SET tool_versions = $4 WHERE org_id = $1 AND scan_id = $2 AND data_source_id = $3',
    values: [orgId, scanId, dataSourceId, JSON.stringify(versions)],
  });
}
