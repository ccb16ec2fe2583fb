-- GET /findings?q=weak

-- Statement 1, after SET LOCAL plan_cache_mode = 'force_generic_plan'
SELECT findings_with_rarest_word($1::text[], $2) AS ids;
-- Plan
--   Result

-- Statement 2, after SET LOCAL plan_cache_mode = 'force_generic_plan'
SELECT …the JSON of a finding… AS json, f.first_seen_at::text AS k0, f.id::text AS k1
FROM (SELECT f.*
  FROM (SELECT f.*
    FROM findings f
    WHERE f.org_id = $1
    ORDER BY f.first_seen_at DESC, f.id DESC
    LIMIT 2000) f
  WHERE (f.words @@ $2::tsquery OR EXISTS (SELECT
      FROM finding_texts t
      WHERE t.org_id = $1
      AND t.id = f.text_id
      AND t.words @@ $2::tsquery
      OFFSET 0))
  ORDER BY f.first_seen_at DESC, f.id DESC
  LIMIT 50) f
JOIN …its data source, coverage and assignee…
ORDER BY f.first_seen_at DESC, f.id DESC;
-- Plan
--   Limit
--     Subquery Scan
--       Limit
--         Index Scan (findings_by_first_seen)
