-- GET /findings?tag=pci

-- Statement 1, after SET LOCAL plan_cache_mode = 'force_generic_plan'
SELECT …the JSON of a finding… AS json, f.first_seen_at::text AS k0, f.id::text AS k1
FROM (SELECT f.*
  FROM (SELECT f.first_seen_at, f.id
    FROM (SELECT f.first_seen_at, f.id, f.updated_at, f.traits
      FROM findings f
      WHERE f.org_id = $1
      ORDER BY f.first_seen_at DESC, f.id DESC
      LIMIT 10000) f
    WHERE f.traits & (SELECT finding_tag_bits($2::text[])) <> 0) k
  CROSS JOIN LATERAL (SELECT *
    FROM findings
    WHERE org_id = $1
    AND id = k.id
    OFFSET 0) f
  WHERE f.tags && $3::text[]
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
--             Index Only Scan (findings_by_first_seen)
--         Subquery Scan
--           Index Scan (findings_pkey)

-- Statement 2, after SET LOCAL plan_cache_mode = 'force_generic_plan'
SELECT f.first_seen_at::text AS k0, f.id::text AS k1
FROM (SELECT f.first_seen_at, f.id, f.updated_at, f.traits
  FROM findings f
  WHERE f.org_id = $1
  ORDER BY f.first_seen_at DESC, f.id DESC
  OFFSET 9999
  LIMIT 2) f
ORDER BY f.first_seen_at DESC, f.id DESC;
-- Plan
--   Subquery Scan
--     Limit
--       Index Only Scan (findings_by_first_seen)

-- Statement 3, after SET LOCAL plan_cache_mode = 'force_generic_plan'
SELECT (SELECT count(*)
  FROM finding_tags t
  WHERE t.org_id = $1
  AND t.tag = $2) AS c0;
-- Plan
--   Aggregate
--     Seq Scan (finding_tags)

-- Statement 4, after SET LOCAL plan_cache_mode = 'force_generic_plan'
SELECT …the JSON of a finding… AS json, f.first_seen_at::text AS k0, f.id::text AS k1
FROM (SELECT f.*
  FROM (SELECT f.first_seen_at AS first_seen_at, f.id AS id
    FROM (SELECT f.id, f.first_seen_at, f.updated_at, f.traits
      FROM findings f
      WHERE f.org_id = $1
      AND f.id = ANY(ARRAY(SELECT finding_id
          FROM finding_tags t
          WHERE t.org_id = $1
          AND t.tag = $2))
      OFFSET 0) f
    WHERE true
    AND f.traits & (SELECT finding_tag_bits($3::text[])) <> 0
    ORDER BY f.first_seen_at DESC, f.id DESC) k
  CROSS JOIN LATERAL (SELECT *
    FROM findings
    WHERE org_id = $1
    AND id = k.id
    OFFSET 0) f
  WHERE f.org_id = $1
  AND f.tags && $4::text[]
  ORDER BY k.first_seen_at DESC, k.id DESC
  LIMIT 50) f
JOIN …its data source, coverage and assignee…
ORDER BY f.first_seen_at DESC, f.id DESC;
-- Plan
--   Sort
--     Limit
--       Nested Loop
--         Sort
--           Subquery Scan
--             Result
--               Seq Scan (finding_tags)
--               Index Scan (findings_pkey)
--         Subquery Scan
--           Index Scan (findings_pkey)
