-- GET /findings?q=forgotten

-- Statement 1, after findings_plan_once
SELECT …the JSON of a finding… AS json, f.first_seen_at::text AS k0, f.id::text AS k1
FROM (SELECT f.*
  FROM (SELECT f.first_seen_at, f.id
    FROM (SELECT f.first_seen_at, f.id, f.updated_at, f.traits
      FROM findings f
      WHERE f.org_id = $1
      ORDER BY f.first_seen_at DESC, f.id DESC
      LIMIT 2000) f
    WHERE true) k
  CROSS JOIN LATERAL (SELECT *
    FROM findings
    WHERE org_id = $1
    AND id = k.id
    OFFSET 0) f
  WHERE f.org_id = $1
  AND f.words @@ $2::tsquery
  ORDER BY k.first_seen_at DESC, k.id DESC
  LIMIT 50) f
JOIN …its data source, coverage and assignee…
ORDER BY f.first_seen_at DESC, f.id DESC;
-- Plan
--   Sort
--     Limit
--       Nested Loop
--         Limit
--           Index Only Scan (findings_by_first_seen)
--         Subquery Scan
--           Index Scan (findings_pkey)

-- Statement 2, after findings_plan_once
SELECT f.first_seen_at, f.id, f.updated_at, f.traits
FROM findings f
WHERE f.org_id = $1
ORDER BY f.first_seen_at DESC, f.id DESC
OFFSET 2000
LIMIT 1;
-- Plan
--   Limit
--     Index Only Scan (findings_by_first_seen)

-- Statement 3, after findings_plan_once
SELECT COALESCE(array_agg(id), ARRAY[]::text[]) AS ids
FROM findings_with_words($1::tsquery, $2) AS id;
-- Plan
--   Aggregate

-- Statement 4, after findings_plan_once
SELECT …the JSON of a finding… AS json, f.first_seen_at::text AS k0, f.id::text AS k1
FROM (SELECT f.*
  FROM (SELECT f.first_seen_at AS first_seen_at, f.id AS id
    FROM (SELECT f.id, f.first_seen_at, f.updated_at, f.traits
      FROM unnest($2::text[]) AS hit(id)
      JOIN findings f ON f.id = hit.id
      WHERE f.org_id = $1
      OFFSET 0) f
    WHERE true
    ORDER BY f.first_seen_at DESC, f.id DESC) k
  CROSS JOIN LATERAL (SELECT *
    FROM findings
    WHERE org_id = $1
    AND id = k.id
    OFFSET 0) f
  WHERE f.org_id = $1
  AND f.words @@ $3::tsquery
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
--             Index Scan (findings_pkey)
--         Subquery Scan
--           Index Scan (findings_pkey)
