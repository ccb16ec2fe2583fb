-- GET /findings?rule=rare-rule&severity=high&sort=-updated_at

-- Statement 1, after SET LOCAL plan_cache_mode = 'force_generic_plan'
SELECT …the JSON of a finding… AS json, f.updated_at::text AS k0, f.id::text AS k1
FROM (SELECT f.*
  FROM (SELECT f.updated_at, f.id
    FROM (SELECT f.updated_at, f.id, f.first_seen_at, f.traits
      FROM findings f
      WHERE f.org_id = $1
      ORDER BY f.updated_at DESC, f.id DESC
      LIMIT 10000) f
    WHERE (f.traits & 7) = $2
    AND (f.traits >> 28) & 16383 = ANY(ARRAY(SELECT (hashtext(value) & 16383)::bigint
        FROM unnest($3::text[]) AS value))) k
  CROSS JOIN LATERAL (SELECT *
    FROM findings
    WHERE org_id = $1
    AND id = k.id
    OFFSET 0) f
  WHERE f.severity = $4
  AND f.rule_id = $5
  ORDER BY k.updated_at DESC, k.id DESC
  LIMIT 50) f
JOIN …its data source, coverage and assignee…
ORDER BY f.updated_at DESC, f.id DESC;
-- Plan
--   Sort
--     Limit
--       Nested Loop
--         Subquery Scan
--           Limit
--             Index Only Scan (findings_by_updated)
--         Subquery Scan
--           Index Scan (findings_pkey)

-- Statement 2, after SET LOCAL plan_cache_mode = 'force_generic_plan'
SELECT f.updated_at::text AS k0, f.id::text AS k1
FROM (SELECT f.updated_at, f.id, f.first_seen_at, f.traits
  FROM findings f
  WHERE f.org_id = $1
  ORDER BY f.updated_at DESC, f.id DESC
  OFFSET 9999
  LIMIT 2) f
ORDER BY f.updated_at DESC, f.id DESC;
-- Plan
--   Subquery Scan
--     Limit
--       Index Only Scan (findings_by_updated)

-- Statement 3, after SET LOCAL plan_cache_mode = 'force_generic_plan'
SELECT (SELECT count(*)
  FROM (SELECT
    FROM findings f
    WHERE f.org_id = $1
    AND f.rule_id = $2
    LIMIT 20000) AS entries) AS c0, (SELECT count(*)
  FROM (SELECT
    FROM findings f
    WHERE f.org_id = $1
    AND f.status = ANY($3::text[])
    AND f.severity = ANY($4::smallint[])
    LIMIT 20000) AS entries) AS c1;
-- Plan
--   Result
--     Aggregate
--       Limit
--         Index Only Scan (findings_by_rule)
--     Aggregate
--       Limit
--         Index Only Scan (findings_by_status_severity)

-- Statement 4, after SET LOCAL plan_cache_mode = 'force_generic_plan'
SELECT …the JSON of a finding… AS json, f.updated_at::text AS k0, f.id::text AS k1
FROM (SELECT f.*
  FROM (SELECT f.updated_at AS updated_at, f.id AS id
    FROM (SELECT f.id, f.updated_at, f.first_seen_at, f.traits
      FROM findings f
      WHERE f.org_id = $1
      AND f.rule_id = $2
      OFFSET 0) f
    WHERE true
    AND (f.traits & 7) = $3
    AND (f.traits >> 28) & 16383 = ANY(ARRAY(SELECT (hashtext(value) & 16383)::bigint
        FROM unnest($4::text[]) AS value))
    ORDER BY f.updated_at DESC, f.id DESC) k
  CROSS JOIN LATERAL (SELECT *
    FROM findings
    WHERE org_id = $1
    AND id = k.id
    OFFSET 0) f
  WHERE f.org_id = $1
  AND f.severity = $5
  AND f.rule_id = $6
  ORDER BY k.updated_at DESC, k.id DESC
  LIMIT 50) f
JOIN …its data source, coverage and assignee…
ORDER BY f.updated_at DESC, f.id DESC;
-- Plan
--   Sort
--     Merge Join
--       Sort
--         Subquery Scan
--           Limit
--             Nested Loop
--               Sort
--                 Subquery Scan
--                   Index Only Scan (findings_by_rule)
--               Subquery Scan
--                 Index Scan (findings_pkey)
