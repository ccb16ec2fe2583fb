-- GET /findings?severity=critical,high&sort=-priority

-- Statement 1, after SET LOCAL plan_cache_mode = 'force_generic_plan'; SET LOCAL enable_sort = 'off'
SELECT …the JSON of a finding… AS json, f.priority::text AS k0, f.first_seen_at::text AS k1, f.id::text AS k2
FROM (SELECT f.*
  FROM (SELECT *
    FROM ((SELECT f.*
        FROM findings f
        WHERE f.org_id = $1
        AND f.severity = $2
        ORDER BY f.priority DESC, f.first_seen_at DESC, f.id DESC)
      UNION ALL (SELECT f.*
        FROM findings f
        WHERE f.org_id = $1
        AND f.severity = $3
        ORDER BY f.priority DESC, f.first_seen_at DESC, f.id DESC)) f
    ORDER BY f.priority DESC, f.first_seen_at DESC, f.id DESC
    LIMIT 50) f
  ORDER BY f.priority DESC, f.first_seen_at DESC, f.id DESC
  LIMIT 50) f
JOIN …its data source, coverage and assignee…
ORDER BY f.priority DESC, f.first_seen_at DESC, f.id DESC;
-- Plan
--   Limit
--     Limit
--       Merge Append
--         Subquery Scan
--           Index Scan (findings_by_priority)
--         Subquery Scan
--           Index Scan (findings_by_priority)
