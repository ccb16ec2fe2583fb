-- GET /findings?rule=rare-rule&severity=critical&sort=due_at

-- Statement 1, after SET LOCAL plan_cache_mode = 'force_generic_plan'
SELECT …the JSON of a finding… AS json, f.due_at::text AS k0, f.id::text AS k1
FROM (SELECT f.*
  FROM (SELECT f.due_at, f.id
    FROM (SELECT f.due_at, f.id, f.first_seen_at, f.updated_at, f.traits
      FROM findings f
      WHERE f.org_id = $1
      ORDER BY f.due_at ASC, f.id ASC
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
  ORDER BY k.due_at ASC, k.id ASC
  LIMIT 50) f
JOIN …its data source, coverage and assignee…
ORDER BY f.due_at ASC, f.id ASC;
-- Plan
--   Sort
--     Limit
--       Nested Loop
--         Subquery Scan
--           Limit
--             Index Only Scan (findings_by_due)
--         Subquery Scan
--           Index Scan (findings_pkey)

-- Statement 2, after SET LOCAL plan_cache_mode = 'force_generic_plan'
SELECT f.due_at::text AS k0, f.id::text AS k1
FROM (SELECT f.due_at, f.id, f.first_seen_at, f.updated_at, f.traits
  FROM findings f
  WHERE f.org_id = $1
  ORDER BY f.due_at ASC, f.id ASC
  OFFSET 9999
  LIMIT 2) f
ORDER BY f.due_at ASC, f.id ASC;
-- Plan
--   Subquery Scan
--     Limit
--       Index Only Scan (findings_by_due)

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
SELECT count(*)
FROM (SELECT f.id, f.first_seen_at, f.updated_at, f.traits
  FROM findings f
  WHERE f.org_id = $1
  AND f.status = ANY($2::text[])
  AND f.severity = ANY($3::smallint[])
  OFFSET 0) f
WHERE true
AND (f.traits & 7) = $4
AND (f.traits >> 28) & 16383 = ANY(ARRAY(SELECT (hashtext(value) & 16383)::bigint
    FROM unnest($5::text[]) AS value));
-- Plan
--   Aggregate
--     Subquery Scan
--       Index Only Scan (findings_by_status_severity)

-- Statement 5, after SET LOCAL plan_cache_mode = 'force_generic_plan'
SELECT …the JSON of a finding… AS json, f.due_at::text AS k0, f.id::text AS k1
FROM (SELECT f.*
  FROM (SELECT looked_up.due_at AS due_at, f.id AS id
    FROM (SELECT f.id, f.first_seen_at, f.updated_at, f.traits
      FROM findings f
      WHERE f.org_id = $1
      AND f.status = ANY($2::text[])
      AND f.severity = ANY($3::smallint[])
      OFFSET 0) f
    CROSS JOIN LATERAL (SELECT due_at
      FROM findings
      WHERE org_id = $1
      AND id = f.id
      OFFSET 0) looked_up
    WHERE true
    AND (f.traits & 7) = $4
    AND (f.traits >> 28) & 16383 = ANY(ARRAY(SELECT (hashtext(value) & 16383)::bigint
        FROM unnest($5::text[]) AS value))
    ORDER BY looked_up.due_at ASC, f.id ASC) k
  CROSS JOIN LATERAL (SELECT *
    FROM findings
    WHERE org_id = $1
    AND id = k.id
    OFFSET 0) f
  WHERE f.org_id = $1
  AND f.severity = $6
  AND f.rule_id = $7
  ORDER BY k.due_at ASC, k.id ASC
  LIMIT 50) f
JOIN …its data source, coverage and assignee…
ORDER BY f.due_at ASC, f.id ASC;
-- Plan
--   Sort
--     Merge Join
--       Sort
--         Subquery Scan
--           Limit
--             Nested Loop
--               Sort
--                 Nested Loop
--                   Subquery Scan
--                     Index Only Scan (findings_by_status_severity)
--                   Index Scan (findings_pkey)
--               Subquery Scan
--                 Index Scan (findings_pkey)
