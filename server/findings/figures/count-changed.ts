import type { Db } from '../../platform/postgres/database.ts';
import { setChangeHorizon } from '../change-clock.ts';

const maxCounted = 10_000;
/** The maximum number of ids of changed findings listed. */
export const maxListed = 200;

export type ChangedCount = {
  created: number;
  changed: number;
  /** Findings that changed after they were first seen, at most `maxListed`. */
  ids: string[];
  isCapped: boolean;
  /** Whether a repair moved times across `since`, so that some changes after it are now before it. */
  isTorn: boolean;
};

/**
 * True if a repair moved changes from after the position to before it: the position is in the future, or its time was
 * assigned during the repair. Also true if all later changes will be before it.
 */
const wasTorn = `COALESCE((SELECT is_at < bounds.since AND (bounds.since > clock_timestamp() OR bounds.since <= repaired_at)
               FROM repaired_times WHERE org_id = $1 AND was_at >= bounds.since ORDER BY was_at LIMIT 1),
             bounds.since > GREATEST(clock_timestamp(), (SELECT max(updated_at) FROM findings WHERE org_id = $1) + interval '1 microsecond')
               AND EXISTS (SELECT FROM repaired_times WHERE org_id = $1), false)`;

/**
 * Counts created findings, and findings changed otherwise, from `since` (microseconds since the epoch; null for the
 * start) to the horizon before which no change can appear any more. Returns the horizon, which is the `since` of the
 * next call so that each change is counted once, and the database's time.
 */
export async function countChanged(
  tx: Db,
  orgId: string,
  since: string | null,
): Promise<ChangedCount & { horizon: string; now: Date }> {
  await setChangeHorizon(tx, orgId);
  const { rows } = await tx.query<{
    created: number;
    total: number;
    ids: string[];
    horizon: string;
    now: Date;
    isTorn: boolean;
  }>({
    name: 'findings_count_changed',
    text: `SELECT count(*) FILTER (WHERE f.first_seen_at >= bounds.since)::integer AS created,
             count(f.first_seen_at)::integer AS total,
             COALESCE((array_agg(f.id) FILTER (WHERE f.first_seen_at < f.updated_at))[1:${maxListed}], '{}') AS ids, bounds.horizon, clock_timestamp() AS now, ${wasTorn} AS "isTorn"
           FROM (SELECT timestamptz 'epoch' + $2::bigint * interval '1 microsecond' AS since,
                   (extract(epoch FROM current_setting('app.changes_before')::timestamptz) * 1000000)::bigint::text AS horizon
                ) AS bounds
           LEFT JOIN LATERAL (
             SELECT id, first_seen_at, updated_at FROM findings
             WHERE org_id = $1 AND updated_at >= bounds.since
               AND updated_at < current_setting('app.changes_before')::timestamptz ORDER BY updated_at LIMIT $3) AS f ON true
           GROUP BY bounds.horizon, bounds.since`,
    values: [orgId, since, maxCounted],
  });
  const { created, total, ids, horizon, now, isTorn } = rows[0]!;
  return { created, changed: total - created, ids, isCapped: total === maxCounted, isTorn, horizon, now };
}
