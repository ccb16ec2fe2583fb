import type { Db } from '../../platform/postgres/database.ts';
import type { ClaimedTarget } from './target-queries.ts';

/** Further figures of a completed import. */
export type TargetFigures = { sources: string[]; keptClosed: number };

/** SQL for the JSON of the open findings by severity of the sources `$4` in the data source `$3`. */
const openBySeverity = `(SELECT json_build_object(
    'critical', COALESCE(sum(count) FILTER (WHERE severity = 4), 0), 'high', COALESCE(sum(count) FILTER (WHERE severity = 3), 0),
    'medium', COALESCE(sum(count) FILTER (WHERE severity = 2), 0), 'low', COALESCE(sum(count) FILTER (WHERE severity = 1), 0),
    'info', COALESCE(sum(count) FILTER (WHERE severity = 0), 0))
  FROM finding_counts WHERE org_id = $1 AND data_source_id = $3 AND source = ANY($4) AND status IN ('new', 'triaged', 'in_progress'))`;

/** Stores the figures before the first change; later runs of the same import don't overwrite them. */
export async function keepOpenBefore(
  tx: Db,
  orgId: string,
  { scanId, dataSourceId }: ClaimedTarget,
  sources: string[],
): Promise<void> {
  await tx.query({
    name: 'scan_target_keep_open_before',
    text: `UPDATE scan_targets SET open_before = ${openBySeverity}
           WHERE org_id = $1 AND scan_id = $2 AND data_source_id = $3 AND open_before IS NULL`,
    values: [orgId, scanId, dataSourceId, sources],
  });
}

export async function keepFigures(
  tx: Db,
  orgId: string,
  { scanId, dataSourceId }: ClaimedTarget,
  { sources, keptClosed }: TargetFigures,
): Promise<void> {
  await tx.query({
    name: 'scan_target_keep_figures',
    text: `UPDATE scan_targets SET open_after = ${openBySeverity}, kept_closed = $5
           WHERE org_id = $1 AND scan_id = $2 AND data_source_id = $3`,
    values: [orgId, scanId, dataSourceId, sources, keptClosed],
  });
}
