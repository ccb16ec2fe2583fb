import type { Db } from '../../platform/postgres/database.ts';
import { addFlows, flowKind, flows } from '../counts.ts';
import { criticalityOf, daysOfOrganization } from '../policy-queries.ts';

/** The bounds of a repair: times after `bound` are moved to just after `base`. Both are in microseconds, as text. */
export type RepairBounds = { base: string; bound: string };

/**
 * Returns the current time as the base, and one minute later as the bound; the clock catches up with earlier times by
 * itself.
 */
export async function findRepairBounds(db: Db): Promise<RepairBounds> {
  const { rows } = await db.query<RepairBounds>({
    name: 'clock_repair_bounds',
    text: `SELECT now.at::text AS base, (now.at + interval '1 minute')::text AS bound FROM (SELECT clock_timestamp() AS at) AS now`,
  });
  return rows[0]!;
}

/**
 * Deletes repaired times that no position can refer to any more: those that the clock has passed, and those of an
 * earlier repair that were assigned again when the clock was ahead once more.
 */
export async function deleteSpentTimes(tx: Db, orgId: string, { base, bound }: RepairBounds): Promise<void> {
  await tx.query({
    name: 'repaired_times_delete_spent',
    text: `DELETE FROM repaired_times WHERE org_id = $1 AND (was_at <= $2::timestamptz
             OR was_at > (SELECT min(updated_at) FROM findings WHERE org_id = $1 AND updated_at > $3::timestamptz))`,
    values: [orgId, base, bound],
  });
}

/**
 * Locks the findings with the earliest changes after the bound, in id order as every writer does: `limit` findings, and
 * those that changed at the same time as the last one, since a position may be between them.
 */
export async function lockAhead(tx: Db, orgId: string, { bound }: RepairBounds, limit: number): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>({
    name: 'findings_lock_ahead',
    text: `SELECT id FROM findings WHERE org_id = $1 AND id = ANY(ARRAY(
             SELECT id FROM findings WHERE org_id = $1 AND updated_at > $2::timestamptz ORDER BY updated_at FETCH FIRST ($3::integer) ROWS WITH TIES))
           ORDER BY id FOR UPDATE`,
    values: [orgId, bound, limit],
  });
  return rows.map(({ id }) => id);
}

/**
 * Assigns new times to the changes of these findings: one microsecond apart, after all changes up to the bound and all
 * times repaired before.
 */
export async function insertRepairedTimes(
  tx: Db,
  orgId: string,
  { base, bound }: RepairBounds,
  ids: string[],
): Promise<void> {
  await tx.query({
    name: 'repaired_times_insert',
    text: `INSERT INTO repaired_times (org_id, was_at, is_at, repaired_at)
           SELECT $1, given.was_at, GREATEST($2::timestamptz,
               (SELECT max(updated_at) FROM findings WHERE org_id = $1 AND updated_at <= $3::timestamptz),
               (SELECT is_at FROM repaired_times WHERE org_id = $1 ORDER BY was_at DESC LIMIT 1)
             ) + row_number() OVER (ORDER BY given.was_at) * interval '1 microsecond', clock_timestamp()
           FROM (SELECT DISTINCT updated_at AS was_at FROM findings WHERE org_id = $1 AND id = ANY($4::text[])) AS given
           ON CONFLICT (org_id, was_at) DO NOTHING`,
    values: [orgId, base, bound, ids],
  });
}

/** SQL that replaces a row's time with `at` if it is after the bound. */
const broughtBack = (column: string, at: string) =>
  `CASE WHEN ${column} > $2::timestamptz THEN ${at} ELSE ${column} END`;

/**
 * Repairs the times of findings, their history and their comments. The last change of a finding gets the repaired time.
 * Earlier ones keep their order, one microsecond apart, and simultaneous ones stay simultaneous.
 */
export async function moveTimes(tx: Db, orgId: string, { bound }: RepairBounds, ids: string[]): Promise<void> {
  await tx.query({
    name: 'findings_move_times',
    text: `WITH own AS (
             SELECT f.id, f.updated_at, f.first_seen_at, t.is_at FROM findings f
             JOIN repaired_times t ON t.org_id = $1 AND t.was_at = f.updated_at
             WHERE f.org_id = $1 AND f.id = ANY($3::text[])),
           moments AS (
             SELECT id, updated_at AS at FROM own
             UNION SELECT id, first_seen_at FROM own WHERE first_seen_at > $2::timestamptz
             UNION SELECT finding_id, at FROM finding_history
               WHERE org_id = $1 AND finding_id = ANY($3::text[]) AND at > $2::timestamptz
             UNION SELECT finding_id, created_at FROM finding_comments
               WHERE org_id = $1 AND finding_id = ANY($3::text[]) AND created_at > $2::timestamptz),
           moved AS (
             SELECT id, m.at AS was_at,
               o.is_at - (dense_rank() OVER (PARTITION BY id ORDER BY m.at DESC) - 1) * interval '1 microsecond' AS is_at
             FROM moments m JOIN own o USING (id)),
           history AS (
             UPDATE finding_history h SET at = m.is_at, opened_at = LEAST(h.opened_at, m.is_at) FROM moved m
             WHERE h.org_id = $1 AND h.finding_id = m.id AND h.at = m.was_at),
           comments AS (
             UPDATE finding_comments c
             SET created_at = m.is_at, edited_at = ${broughtBack('c.edited_at', 'o.is_at')},
               deleted_at = ${broughtBack('c.deleted_at', 'o.is_at')}
             FROM moved m JOIN own o USING (id)
             WHERE c.org_id = $1 AND c.finding_id = m.id AND c.created_at = m.was_at),
           repaired AS (
             SELECT o.id, o.is_at, COALESCE(m.is_at, o.first_seen_at) AS first_seen_at
             FROM own o LEFT JOIN moved m ON m.id = o.id AND m.was_at = o.first_seen_at)
           UPDATE findings f SET updated_at = r.is_at, first_seen_at = r.first_seen_at,
             last_seen_at = ${broughtBack('f.last_seen_at', 'r.is_at')}, closed_at = ${broughtBack('f.closed_at', 'r.is_at')},
             reopened_at = ${broughtBack('f.reopened_at', 'r.is_at')},
             due_at = finding_due_at(f.closed_at, COALESCE(${broughtBack('f.reopened_at', 'r.is_at')}, r.first_seen_at), f.severity,
               f.urgency_bits, ${criticalityOf('f.data_source_id')}, ${daysOfOrganization})
           FROM repaired r WHERE f.org_id = $1 AND f.id = r.id`,
    values: [orgId, bound, ids],
  });
}

/** Repairs the last-seen times of findings without other changes since. Returns the last id examined. */
export async function moveLastSeen(
  tx: Db,
  orgId: string,
  { base, bound }: RepairBounds,
  afterId: string,
  limit: number,
): Promise<string | null> {
  const { rows } = await tx.query<{ last: string | null }>({
    name: 'findings_move_last_seen',
    text: `WITH page AS (SELECT id, last_seen_at FROM findings WHERE org_id = $1 AND id > $4 ORDER BY id LIMIT $5),
           ahead AS (SELECT id FROM page WHERE last_seen_at > $3::timestamptz),
           moved AS (UPDATE findings f SET last_seen_at = GREATEST($2::timestamptz, f.first_seen_at)
             FROM ahead WHERE f.org_id = $1 AND f.id = ahead.id)
           SELECT max(id) AS last FROM page HAVING count(*) = $5`,
    values: [orgId, base, bound, afterId, limit],
  });
  return rows[0]?.last ?? null;
}

/** Adds the flows of future days to the present day, and unseals the present day. */
export async function moveDays(tx: Db, orgId: string, { base }: RepairBounds): Promise<void> {
  const today = "($2::timestamptz AT TIME ZONE 'UTC')::date";
  await tx.query({
    name: 'finding_flows_move',
    text: `WITH ahead AS (DELETE FROM finding_flows WHERE org_id = $1 AND day > ${today} RETURNING *)
           INSERT INTO finding_flows AS f (org_id, day, data_source_id, source, severity, ${flows.join(', ')}, kind)
           SELECT $1, ${today}, data_source_id, source, severity, ${flows.map((flow) => `sum(${flow})`).join(', ')}, ${flowKind} FROM ahead GROUP BY 3, 4, 5
           ON CONFLICT (org_id, day, kind) DO UPDATE SET ${addFlows}`,
    values: [orgId, base],
  });
  await tx.query({
    name: 'finding_seals_move_back',
    text: `UPDATE finding_seals SET through = ${today} - 1 WHERE org_id = $1 AND through >= ${today}`,
    values: [orgId, base],
  });
}
