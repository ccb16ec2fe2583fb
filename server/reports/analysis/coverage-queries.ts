import type { Criticality, Exposure } from '../../data-sources/importance.ts';
import type { DataSourceKind } from '../../data-sources/kind.ts';
import { narrowed } from '../../findings/listing/filter-shape.ts';
import type { Db } from '../../platform/postgres/database.ts';
import type { Scope } from './head-queries.ts';

export type CoveredRow = {
  id: string;
  name: string;
  kind: DataSourceKind;
  criticality: Criticality;
  exposure: Exposure;
  ownerId: string | null;
  ownerName: string | null;
};

/** Returns the data sources that the filters let through, whether or not they have findings, in the order of their names. */
export async function listCovered(tx: Db, orgId: string, { filters }: Scope): Promise<CoveredRow[]> {
  const { data_source, excluded } = narrowed(filters);
  const { rows } = await tx.query<CoveredRow>({
    name: 'report_covered_list',
    text: `SELECT d.id, d.name, d.kind, d.criticality, d.exposure, d.owner_id AS "ownerId", u.name AS "ownerName"
           FROM data_sources d LEFT JOIN users u ON u.id = d.owner_id
           WHERE d.org_id = $1 AND d.deleted_at IS NULL AND ($2::text[] IS NULL OR d.id = ANY($2))
             AND NOT d.id = ANY($3::text[])
           ORDER BY lower(d.name) COLLATE "C", d.id`,
    values: [orgId, data_source ?? null, excluded?.data_source ?? []],
  });
  return rows;
}

/**
 * When a tool last completed a scan of a data source (null: never), its version then, and the error of its last scan, if
 * that failed.
 */
export type ToolRow = {
  dataSourceId: string;
  source: string;
  completedAt: Date | null;
  version: string | null;
  error: string | null;
};

/** The number of a data source's latest scans among which the last one of each tool is looked for. */
const latestScans = 50;

/** Returns the tools that scanned each data source. */
export async function listTools(tx: Db, orgId: string): Promise<ToolRow[]> {
  const { rows } = await tx.query<ToolRow>({
    name: 'report_tools_list',
    // LIMIT 1: the versions are looked up by their key. As a join, all targets of all scans were read.
    text: `WITH latest AS (
             SELECT DISTINCT ON (d.id, t.source) d.id AS data_source_id, t.source, t.status, t.error, t.completed_at
             FROM data_sources d CROSS JOIN LATERAL (
               SELECT source, status, error, completed_at, scan_id FROM scan_targets
               WHERE org_id = $1 AND data_source_id = d.id AND status IN ('completed', 'failed')
               ORDER BY scan_id DESC LIMIT ${latestScans}) t
             WHERE d.org_id = $1 AND d.deleted_at IS NULL ORDER BY d.id, t.source, t.scan_id DESC)
           SELECT COALESCE(v.data_source_id, l.data_source_id) AS "dataSourceId", COALESCE(v.source, l.source) AS source,
             COALESCE(v.last_seen_at, CASE WHEN l.status = 'completed' THEN l.completed_at END) AS "completedAt",
             c.tool_versions ->> v.source AS version,
             CASE WHEN l.status = 'failed' THEN COALESCE(l.error, '') END AS error
           FROM (SELECT * FROM finding_coverage WHERE org_id = $1) v
           FULL JOIN latest l ON l.data_source_id = v.data_source_id AND l.source = v.source
           LEFT JOIN LATERAL (SELECT tool_versions FROM scan_targets
             WHERE org_id = $1 AND scan_id = v.scan_id AND data_source_id = v.data_source_id LIMIT 1) c ON true`,
    values: [orgId],
  });
  return rows;
}

/** A schedule of scans; null ids are all data sources. */
export type IntervalRow = { dataSourceIds: string[] | null; days: number };

/** Returns the days between the last and the next due time of the enabled schedules of scans. */
export async function listScanIntervals(tx: Db, orgId: string): Promise<IntervalRow[]> {
  const { rows } = await tx.query<IntervalRow>({
    name: 'report_scan_intervals_list',
    text: `SELECT data_source_ids AS "dataSourceIds",
             (extract(epoch FROM next_run_at - COALESCE(last_run_at, next_run_from)) / 86400)::float8 AS days
           FROM scan_schedules WHERE org_id = $1 AND enabled AND next_run_at IS NOT NULL LIMIT 10000`,
    values: [orgId],
  });
  return rows;
}
