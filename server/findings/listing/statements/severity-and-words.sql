-- GET /findings?severity=critical&q=weak&sort=-updated_at

-- Statement 1, after SET LOCAL plan_cache_mode = 'force_generic_plan'
SELECT findings_with_rarest_word($1::text[], $2) AS ids;
-- Plan
--   Result

-- Statement 2, after SET LOCAL plan_cache_mode = 'force_generic_plan'
SELECT …the JSON of a finding… AS json, f.updated_at::text AS k0, f.id::text AS k1
FROM (SELECT f.*
  FROM (SELECT f.updated_at, f.id
    FROM (SELECT f.updated_at, f.id, f.first_seen_at, f.traits
      FROM findings f
      WHERE f.org_id = $1
      ORDER BY f.updated_at DESC, f.id DESC
      LIMIT 2000) f
    WHERE (f.traits & 7) = $2) k
  CROSS JOIN LATERAL (SELECT *
    FROM findings
    WHERE org_id = $1
    AND id = k.id
    OFFSET 0) f
  WHERE (f.words @@ $3::tsquery OR EXISTS (SELECT
      FROM finding_texts t
      WHERE t.org_id = $1
      AND t.id = f.text_id
      AND t.words @@ $3::tsquery
      OFFSET 0))
  AND f.severity = $4
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

-- Statement 3, after SET LOCAL plan_cache_mode = 'force_generic_plan'
SELECT f.updated_at::text AS k0, f.id::text AS k1
FROM (SELECT f.updated_at, f.id, f.first_seen_at, f.traits
  FROM findings f
  WHERE f.org_id = $1
  ORDER BY f.updated_at DESC, f.id DESC
  OFFSET 1999
  LIMIT 2) f
ORDER BY f.updated_at DESC, f.id DESC;
-- Plan
--   Subquery Scan
--     Limit
--       Index Only Scan (findings_by_updated)

-- Statement 4, after SET LOCAL plan_cache_mode = 'force_generic_plan'
SELECT (SELECT count(*)
  FROM (SELECT
    FROM findings f
    WHERE f.org_id = $1
    AND f.status = ANY($2::text[])
    AND f.severity = ANY($3::smallint[])
    LIMIT 10000) AS entries) AS c0;
-- Plan
--   Aggregate
--     Limit
--       Index Only Scan (findings_by_status_severity)

-- Statement 5, after SET LOCAL plan_cache_mode = 'force_generic_plan'
SELECT …the JSON of a finding… AS json, f.updated_at::text AS k0, f.id::text AS k1
FROM (SELECT f.*
  FROM (SELECT f.updated_at AS updated_at, f.id AS id
    FROM (SELECT f.id, f.updated_at, f.first_seen_at, f.traits
      FROM findings f
      WHERE f.org_id = $1
      AND f.status = ANY($2::text[])
      AND f.severity = ANY($3::smallint[])
      OFFSET 0) f
    WHERE true
    AND (f.traits & 7) = $4
    ORDER BY f.updated_at DESC, f.id DESC) k
  CROSS JOIN LATERAL (SELECT *
    FROM findings
    WHERE org_id = $1
    AND id = k.id
    OFFSET 0) f
  WHERE (f.words @@ $5::tsquery OR f.text_id IN (SELECT texts_with_word($6::text)))
  AND f.org_id = $1
  AND f.severity = $7
  ORDER BY k.updated_at DESC, k.id DESC
  LIMIT 50) f
JOIN …its data source, coverage and assignee…
ORDER BY f.updated_at DESC, f.id DESC;
-- Plan
--   Sort
--     Limit
--       Nested Loop
--         Sort
--           Subquery Scan
--             Index Only Scan (findings_by_status_severity)
--         Subquery Scan
--           Index Scan (findings_pkey)
