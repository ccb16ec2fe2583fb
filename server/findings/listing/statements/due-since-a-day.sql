-- GET /findings?from=…&sort=due_at

-- Statement 1, after SET LOCAL plan_cache_mode = 'force_generic_plan'; SET LOCAL enable_sort = 'off'
SELECT …the JSON of a finding… AS json, f.due_at::text AS k0, f.id::text AS k1
FROM (SELECT f.*
  FROM (SELECT f.due_at, f.id
    FROM (SELECT *
      FROM ((SELECT f.due_at, f.id, f.first_seen_at, f.updated_at, f.traits
          FROM findings f
          WHERE f.org_id = $1
          AND f.due_at < 'infinity'
          AND (f.due_at, f.id) > ($6::timestamptz, $7::text)
          ORDER BY f.due_at ASC, f.id ASC)
        UNION ALL (SELECT f.due_at, f.id, f.first_seen_at, f.updated_at, f.traits
          FROM findings f
          WHERE f.org_id = $1
          AND (f.due_at, f.id) > ($8::timestamptz, $9::text)
          ORDER BY f.due_at ASC, f.id ASC)) f
      ORDER BY f.due_at ASC, f.id ASC
      LIMIT 10000) f
    WHERE (f.traits >> 6) & 255 = ANY(ARRAY(SELECT (hashtext(value) & 255)::bigint
        FROM unnest($2::text[]) AS value))
    AND f.first_seen_at >= $3::timestamptz) k
  CROSS JOIN LATERAL (SELECT *
    FROM findings
    WHERE org_id = $1
    AND id = k.id
    OFFSET 0) f
  WHERE f.source = $4
  AND f.first_seen_at >= $5::timestamptz
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
--             Merge Append
--               Subquery Scan
--                 Index Only Scan (findings_by_due)
--               Subquery Scan
--                 Index Only Scan (findings_by_due)
--         Subquery Scan
--           Index Scan (findings_pkey)

-- Statement 2, after SET LOCAL plan_cache_mode = 'force_generic_plan'; SET LOCAL enable_sort = 'off'
SELECT f.due_at::text AS k0, f.id::text AS k1
FROM (SELECT *
  FROM ((SELECT f.due_at, f.id, f.first_seen_at, f.updated_at, f.traits
      FROM findings f
      WHERE f.org_id = $1
      AND f.due_at < 'infinity'
      AND (f.due_at, f.id) > ($2::timestamptz, $3::text)
      ORDER BY f.due_at ASC, f.id ASC)
    UNION ALL (SELECT f.due_at, f.id, f.first_seen_at, f.updated_at, f.traits
      FROM findings f
      WHERE f.org_id = $1
      AND (f.due_at, f.id) > ($4::timestamptz, $5::text)
      ORDER BY f.due_at ASC, f.id ASC)) f
  ORDER BY f.due_at ASC, f.id ASC
  OFFSET 9999
  LIMIT 2) f
ORDER BY f.due_at ASC, f.id ASC;
-- Plan
--   Subquery Scan
--     Limit
--       Merge Append
--         Subquery Scan
--           Index Only Scan (findings_by_due)
--         Subquery Scan
--           Index Only Scan (findings_by_due)

-- Statement 3, after SET LOCAL plan_cache_mode = 'force_generic_plan'
SELECT (SELECT count(*)
  FROM (SELECT
    FROM findings f
    WHERE f.org_id = $1
    AND f.first_seen_at >= $2::timestamptz
    LIMIT 20000) AS entries) AS c0, (SELECT COALESCE(sum(count), 0)::bigint
  FROM finding_counts c
  WHERE c.org_id = $1
  AND c.count > 0
  AND c.source = $3) AS c1;
-- Plan
--   Aggregate
--     Limit
--       Index Only Scan (findings_by_first_seen)

-- Statement 4, after SET LOCAL plan_cache_mode = 'force_generic_plan'
SELECT count(*)
FROM (SELECT f.id, f.first_seen_at, f.updated_at, f.traits
  FROM findings f
  WHERE f.org_id = $1
  AND f.data_source_id = ANY(ARRAY(SELECT DISTINCT data_source_id
      FROM finding_counts c
      WHERE c.org_id = $1
      AND c.count > 0
      AND c.source = $2))
  OFFSET 0) f
WHERE true
AND (f.traits >> 6) & 255 = ANY(ARRAY(SELECT (hashtext(value) & 255)::bigint
    FROM unnest($3::text[]) AS value))
AND f.first_seen_at >= $4::timestamptz;
-- Plan
--   Aggregate
--     Subquery Scan
--       Index Only Scan (findings_by_data_source)

-- Statement 5, after SET LOCAL plan_cache_mode = 'force_generic_plan'
SELECT …the JSON of a finding… AS json, f.due_at::text AS k0, f.id::text AS k1
FROM (SELECT f.*
  FROM (SELECT looked_up.due_at AS due_at, f.id AS id
    FROM (SELECT f.id, f.first_seen_at, f.updated_at, f.traits
      FROM findings f
      WHERE f.org_id = $1
      AND f.data_source_id = ANY(ARRAY(SELECT DISTINCT data_source_id
          FROM finding_counts c
          WHERE c.org_id = $1
          AND c.count > 0
          AND c.source = $2))
      OFFSET 0) f
    CROSS JOIN LATERAL (SELECT due_at
      FROM findings
      WHERE org_id = $1
      AND id = f.id
      OFFSET 0) looked_up
    WHERE true
    AND (f.traits >> 6) & 255 = ANY(ARRAY(SELECT (hashtext(value) & 255)::bigint
        FROM unnest($3::text[]) AS value))
    AND f.first_seen_at >= $4::timestamptz
    ORDER BY looked_up.due_at ASC, f.id ASC) k
  CROSS JOIN LATERAL (SELECT *
    FROM findings
    WHERE org_id = $1
    AND id = k.id
    OFFSET 0) f
  WHERE f.org_id = $1
  AND f.source = $5
  AND f.first_seen_at >= $6::timestamptz
  ORDER BY k.due_at ASC, k.id ASC
  LIMIT 50) f
JOIN …its data source, coverage and assignee…
ORDER BY f.due_at ASC, f.id ASC;
-- Plan
--   Sort
--     Limit
--       Nested Loop
--         Sort
--           Nested Loop
--             Subquery Scan
--               Index Only Scan (findings_by_data_source)
--             Index Scan (findings_pkey)
--         Subquery Scan
--           Index Scan (findings_pkey)
