-- GET /findings?rule=rare-rule&sort=-severity

-- Statement 1, after SET LOCAL plan_cache_mode = 'force_generic_plan'
SELECT …the JSON of a finding… AS json, f.severity::text AS k0, f.first_seen_at::text AS k1, f.id::text AS k2
FROM (SELECT f.*
  FROM (SELECT f.*
    FROM findings f
    WHERE f.org_id = $1
    AND f.rule_id = $2
    ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC
    LIMIT 50) f
  ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC
  LIMIT 50) f
JOIN …its data source, coverage and assignee…
ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC;
-- Plan
--   Limit
--     Limit
--       Index Scan (findings_by_rule)
