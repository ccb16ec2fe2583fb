-- GET /findings?data_source=…&severity=high

-- Statement 1, after SET LOCAL plan_cache_mode = 'force_generic_plan'
SELECT …the JSON of a finding… AS json, f.first_seen_at::text AS k0, f.id::text AS k1
FROM (SELECT f.*
  FROM (SELECT f.first_seen_at, f.id
    FROM (SELECT f.first_seen_at, f.id, f.updated_at, f.traits
      FROM findings f
      WHERE f.org_id = $1
      AND f.data_source_id = $4
      ORDER BY f.first_seen_at DESC, f.id DESC
      LIMIT 10000) f
    WHERE (f.traits & 7) = $2) k
  CROSS JOIN LATERAL (SELECT *
    FROM findings
    WHERE org_id = $1
    AND id = k.id
    OFFSET 0) f
  WHERE f.severity = $3
  ORDER BY k.first_seen_at DESC, k.id DESC
  LIMIT 50) f
JOIN …its data source, coverage and assignee…
ORDER BY f.first_seen_at DESC, f.id DESC;
-- Plan
--   Sort
--     Limit
--       Nested Loop
--         Subquery Scan
--           Limit
--             Index Only Scan (findings_by_data_source)
--         Subquery Scan
--           Index Scan (findings_pkey)
