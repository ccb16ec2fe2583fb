import type { Criticality, Exposure } from '../../data-sources/importance.ts';
import type { DataSourceKind } from '../../data-sources/kind.ts';
import { type DataSourceStatus, joinScanStatus, type ScannerStatus } from '../../data-sources/scan-status.ts';
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
  status: DataSourceStatus;
  scanners: ScannerStatus[];
};

/** Returns the data sources that match the filters, whether or not they have findings, by name. */
export async function listCovered(tx: Db, orgId: string, { filters, at }: Scope): Promise<CoveredRow[]> {
  const { data_source, excluded } = narrowed(filters);
  const { rows } = await tx.query<CoveredRow>({
    name: 'report_covered_list',
    text: `SELECT d.id, d.name, d.kind, d.criticality, d.exposure, d.owner_id AS "ownerId", u.name AS "ownerName",
             s.status, s.scanners
           FROM data_sources d ${joinScanStatus('$4::timestamptz')} LEFT JOIN users u ON u.id = d.owner_id
           WHERE d.org_id = $1 AND d.deleted_at IS NULL AND ($2::text[] IS NULL OR d.id = ANY($2))
             AND NOT d.id = ANY($3::text[])
           ORDER BY lower(d.name) COLLATE "C", d.id`,
    values: [orgId, data_source ?? null, excluded?.data_source ?? [], at],
  });
  return rows;
}

/** The time of a tool's last completed scan of a data source (null: never), and its version then. */
export type ToolRow = { dataSourceId: string; source: string; completedAt: Date | null; version: string | null };

/** Returns the tools that completed a scan of each data source. */
export async function listTools(tx: Db, orgId: string): Promise<ToolRow[]> {
  const { rows } = await tx.query<ToolRow>({
    name: 'report_tools_list',
    // LIMIT 1 makes each version a key lookup. A join read all targets of all scans.
    text: `SELECT v.data_source_id AS "dataSourceId", v.source, v.complete_at AS "completedAt",
             c.tool_versions ->> v.source AS version
           FROM finding_coverage v
           LEFT JOIN LATERAL (SELECT tool_versions FROM scan_targets
             WHERE org_id = $1 AND scan_id = v.scan_id AND data_source_id = v.data_source_id LIMIT 1) c ON true
           WHERE v.org_id = $1`,
    values: [orgId],
  });
  return rows;
}
