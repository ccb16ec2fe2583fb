import type { Db } from '../../platform/postgres/database.ts';
import type { ExportKey } from './export-queries.ts';

/** What is known of the time that an export takes, in seconds: since it was requested, and that of earlier ones. */
export type RenderTime = { elapsed: number; usual: number | null };

const minSeconds = 2;
const maxSeconds = 120;
const usualAtFirst = 10;

/**
 * Returns the seconds after which a client should ask again: the rest of the time that this format usually takes. An export
 * that takes longer than that is expected to take as long again as a fifth of what it took.
 */
export function retryAfterSeconds({ elapsed, usual }: RenderTime): number {
  const left = (usual ?? usualAtFirst) - elapsed;
  return Math.ceil(Math.min(maxSeconds, Math.max(minSeconds, left > 0 ? left : elapsed / 5)));
}

/** Reads how long an export is being rendered, and the median of the last exports of the organization in its format. */
export async function findRenderTime(tx: Db, orgId: string, { reportId, format }: ExportKey): Promise<RenderTime> {
  const { rows } = await tx.query<RenderTime>({
    name: 'report_export_render_time',
    text: `SELECT extract(epoch FROM clock_timestamp() - e.created_at)::float8 AS elapsed,
             (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) FROM (
                SELECT extract(epoch FROM completed_at - created_at)::float8 AS seconds
                FROM (SELECT * FROM report_exports WHERE org_id = $1 ORDER BY report_id DESC LIMIT 500) recent
                WHERE format = $3 AND status = 'ready' LIMIT 9) last) AS usual
           FROM report_exports e WHERE e.org_id = $1 AND e.report_id = $2 AND e.format = $3`,
    values: [orgId, reportId, format],
  });
  return rows[0] ?? { elapsed: 0, usual: null };
}
