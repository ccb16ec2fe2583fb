-- GET /findings?rule=rare-rule&q=weak

-- Statement 1, after SET LOCAL plan_cache_mode = 'force_generic_plan'
SELECT findings_with_rarest_word($1::text[], $2) AS ids;
-- Plan
--   Result

-- Statement 2, after SET LOCAL plan_cache_mode = 'force_generic_plan'; SET LOCAL enable_sort = 'off'
SELECT …the JSON of a finding… AS json, f.first_seen_at::text AS k0, f.id::text AS k1
FROM (SELECT f.*
  FROM (SELECT *
    FROM ((SELECT f.*
        FROM findings f
        WHERE f.org_id = $1
        AND f.rule_id = $3
        AND f.severity = $4
        ORDER BY f.first_seen_at DESC, f.id DESC)
      UNION ALL (SELECT f.*
        FROM findings f
        WHERE f.org_id = $1
        AND f.rule_id = $5
        AND f.severity = $6
        ORDER BY f.first_seen_at DESC, f.id DESC)
      UNION ALL (SELECT f.*
        FROM findings f
        WHERE f.org_id = $1
        AND f.rule_id = $7
        AND f.severity = $8
        ORDER BY f.first_seen_at DESC, f.id DESC)
      UNION ALL (SELECT f.*
        FROM findings f
        WHERE f.org_id = $1
        AND f.rule_id = $9
        AND f.severity = $10
        ORDER BY f.first_seen_at DESC, f.id DESC)
      UNION ALL (SELECT f.*
        FROM findings f
        WHERE f.org_id = $1
        AND f.rule_id = $11
        AND f.severity = $12
        ORDER BY f.first_seen_at DESC, f.id DESC)) f
    ORDER BY f.first_seen_at DESC, f.id DESC
    LIMIT 500) f
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
--         Merge Append
--           Subquery Scan
--             Index Scan (findings_by_rule)
--           Subquery Scan
--             Index Scan (findings_by_rule)
--           Subquery Scan
--             Index Scan (findings_by_rule)
--           Subquery Scan
--             Index Scan (findings_by_rule)
--           Subquery Scan
--             Index Scan (findings_by_rule)
