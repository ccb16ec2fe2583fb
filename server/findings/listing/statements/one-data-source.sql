-- GET /findings?data_source=…&severity=high

-- Statement 1, after SET LOCAL plan_cache_mode = 'force_generic_plan'
SELECT …the JSON of a finding… AS json, f.first_seen_at::text AS k0, f.id::text AS k1
FROM (SELECT f.*
  FROM (SELECT f.*
    FROM findings f
    WHERE f.org_id = $1
    AND f.data_source_id = $2
    AND f.severity = $3
    ORDER BY f.first_seen_at DESC, f.id DESC
    LIMIT 50) f
  ORDER BY f.first_seen_at DESC, f.id DESC
  LIMIT 50) f
JOIN …its data source, coverage and assignee…
ORDER BY f.first_seen_at DESC, f.id DESC;
-- Plan
--   Limit
--     Limit
--       Index Scan (findings_by_data_source)
