-- GET /findings?sort=updated_at&updated_from=…

-- Statement 1, after 
SELECT pg_advisory_xact_lock_shared((3464::bigint << 48) | (hashtextextended($1, 0) & 281474976710655));
-- Plan
--   Result

-- Statement 2, after 
SELECT LEAST(GREATEST(clock_timestamp(), (SELECT GREATEST(max(updated_at) + interval '1 microsecond', (SELECT (through + 1)::timestamp AT TIME ZONE 'UTC'
          FROM finding_seals
          WHERE org_id = $1)) AS at
      FROM findings
      WHERE org_id = $1)), (SELECT to_timestamp(min(((classid::bigint & 65535) << 32) | objid::bigint) / 10000.0)
    FROM pg_locks
    WHERE locktype = 'advisory'
    AND objsubid = 1
    AND classid::bigint >> 16 = 3463
    AND database = (SELECT oid
      FROM pg_database
      WHERE datname = current_database())))::text AS horizon;
-- Plan
--   Limit
--     Index Only Scan (findings_by_updated)

-- Statement 3, after SET LOCAL app.changes_before = '…'
SELECT COALESCE(below.is_at, above.is_at - interval '1 microsecond')::text AS at, COALESCE(below.was_at = $2::timestamptz, false) AS "isExact"
FROM (SELECT) AS one
LEFT JOIN LATERAL (SELECT was_at, is_at
  FROM repaired_times
  WHERE org_id = $1
  AND was_at < $2::timestamptz
  ORDER BY was_at DESC
  LIMIT 1) AS below ON true
LEFT JOIN LATERAL (SELECT is_at
  FROM repaired_times
  WHERE org_id = $1
  AND was_at >= $2::timestamptz
  ORDER BY was_at
  LIMIT 1) AS above ON true
WHERE $2::timestamptz > clock_timestamp()
AND (above.is_at IS NOT NULL OR (SELECT max(updated_at)
    FROM findings
    WHERE org_id = $1) < $2::timestamptz);
-- Plan
--   Limit
--     Index Only Scan (findings_by_updated)

-- Statement 4, after SET LOCAL app.changes_before = '…', SET LOCAL plan_cache_mode = 'force_generic_plan'
SELECT …the JSON of a finding… AS json, f.updated_at::text AS k0, f.id::text AS k1
FROM (SELECT f.*
  FROM (SELECT f.*
    FROM findings f
    WHERE f.org_id = $1
    AND f.updated_at >= $2::timestamptz
    AND f.updated_at < current_setting('app.changes_before')::timestamptz
    ORDER BY f.updated_at ASC, f.id ASC
    LIMIT 50) f
  ORDER BY f.updated_at ASC, f.id ASC
  LIMIT 50) f
JOIN …its data source, coverage and assignee…
ORDER BY f.updated_at ASC, f.id ASC;
-- Plan
--   Limit
--     Limit
--       Index Scan (findings_by_updated)
