import type { Db } from '../../platform/postgres/database.ts';
import type { CountedFinding } from '../counts.ts';
import type { FindingChanges } from '../finding-changes.ts';
import type { Status } from '../lifecycle.ts';
import { criticalityOf, daysOfOrganization, isOfRow } from '../policy-queries.ts';

/**
 * Locks the findings that these decisions hold, in id order like every writer, and returns their ids. Unless it waits,
 * findings that other transactions have locked are left out.
 */
export async function lockHeld(
  tx: Db,
  orgId: string,
  decisionIds: string[],
  { waits }: { waits: boolean },
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>({
    name: `decisions_lock_held${waits ? '' : '_free'}`,
    text: `SELECT id FROM findings WHERE org_id = $1 AND (decision_id = ANY($2::text[]) OR demoted_by = ANY($2::text[]))
           ORDER BY id FOR UPDATE${waits ? '' : ' SKIP LOCKED'}`,
    values: [orgId, decisionIds],
  });
  return rows.map(({ id }) => id);
}

const isReleased = `(h.status <> 'resolved')`;
const reopened = `CASE WHEN ${isReleased} AND h.closed_at IS NOT NULL THEN $3::timestamptz ELSE h.reopened_at END`;
const closed = `CASE WHEN NOT ${isReleased} THEN h.closed_at END`;
const jsonTime = (column: string) => `left(to_json(${column})::text, 20) || 'Z"'`;

/** The changes of a released finding, spelled as in the API. */
const changes = `concat('{',
  CASE WHEN ${isReleased} AND h.status <> 'new' THEN concat('"status":["', h.status, '","new"],') END,
  CASE WHEN h.accepted_until IS NOT NULL THEN concat('"accepted_until":[', ${jsonTime('h.accepted_until')}, ',null],') END,
  '"decision":["', h.decision_id, '",null],"decision_ended_because":[null,', to_json(h.because), ']}')::json`;

/** A number of released findings that are counted alike. */
export type Released = { before: CountedFinding; status: Status; count: number };

/**
 * Releases findings from decisions that have ended, with their history: open ones and those that the decision closed
 * are new again, resolved ones stay. The caller has locked the rows, and counts what is returned.
 */
export async function releaseFindings(
  tx: Db,
  orgId: string,
  { time, by }: FindingChanges,
  { ids, ended }: { ids: string[]; ended: ReadonlyMap<string, string> },
): Promise<Released[]> {
  if (ids.length === 0) return [];
  const { rows } = await tx.query<Omit<CountedFinding, 'status'> & { from: Status; status: Status; count: number }>({
    name: 'decisions_release_findings',
    text: `WITH held AS MATERIALIZED (
             SELECT f.id, f.data_source_id, f.source, f.severity, f.status, f.resolution, f.closed_at, f.accepted_until, f.reopened_at,
               f.decision_id, e.because
             FROM unnest($2::text[]) AS wanted(id)
             CROSS JOIN LATERAL (SELECT * FROM findings WHERE org_id = $1 AND id = wanted.id OFFSET 0) f
             JOIN unnest($4::text[], $5::text[]) AS e(id, because) ON e.id = f.decision_id),
           noted AS (
             INSERT INTO finding_history (org_id, finding_id, at, user_id, scan_id, changes, move, severity)
             SELECT $1, h.id, $3::timestamptz, $6, $7, ${changes},
               CASE WHEN ${isReleased} AND h.closed_at IS NOT NULL THEN 'reopened' END,
               CASE WHEN ${isReleased} AND h.closed_at IS NOT NULL THEN h.severity END
             FROM held h),
           released AS (
             UPDATE findings f SET decision_id = NULL, status = CASE WHEN ${isReleased} THEN 'new' ELSE h.status END,
               resolution = CASE WHEN NOT ${isReleased} THEN h.resolution END, closed_at = ${closed},
               accepted_until = NULL, accepted_again_until = NULL, reopened_at = ${reopened},
               due_at = finding_due_at(${closed}, COALESCE(${reopened}, f.first_seen_at), f.severity, f.urgency_bits,
                 ${criticalityOf('f.data_source_id')}, ${daysOfOrganization}),
               updated_at = $3, version = f.version + 1
             FROM held h WHERE ${isOfRow('h')})
           SELECT h.data_source_id AS "dataSourceId", h.source, h.severity, h.status AS from, h.resolution,
             CASE WHEN ${isReleased} THEN 'new' ELSE h.status END AS status, count(*)::integer AS count
           FROM held h GROUP BY 1, 2, 3, 4, 5, 6`,
    values: [orgId, ids, time.at, [...ended.keys()], [...ended.values()], by.userId ?? null, by.scanId ?? null],
  });
  return rows.map(({ from, status, count, ...place }) => ({ before: { ...place, status: from }, status, count }));
}
