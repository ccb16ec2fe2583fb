-- GET /findings?sort=updated_at&updated_from=…

-- Statement 1, after findings_set_change_horizon, findings_plan_once
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
