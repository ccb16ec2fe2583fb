-- GET /findings?rule=common-rule&q=cipher%20query

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
      AND (f.words || t.words) @@ $2::tsquery
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

-- Statement 3, after SET LOCAL plan_cache_mode = 'force_generic_plan'; SET LOCAL enable_sort = 'off'
SELECT f.first_seen_at::text AS k0, f.id::text AS k1
FROM (SELECT *
  FROM ((SELECT f.first_seen_at, f.id, f.updated_at, f.traits
      FROM findings f
      WHERE f.org_id = $1
      AND f.rule_id = $2
      AND f.severity = $3
      ORDER BY f.first_seen_at DESC, f.id DESC)
    UNION ALL (SELECT f.first_seen_at, f.id, f.updated_at, f.traits
      FROM findings f
      WHERE f.org_id = $1
      AND f.rule_id = $4
      AND f.severity = $5
      ORDER BY f.first_seen_at DESC, f.id DESC)
    UNION ALL (SELECT f.first_seen_at, f.id, f.updated_at, f.traits
      FROM findings f
      WHERE f.org_id = $1
      AND f.rule_id = $6
      AND f.severity = $7
      ORDER BY f.first_seen_at DESC, f.id DESC)
    UNION ALL (SELECT f.first_seen_at, f.id, f.updated_at, f.traits
      FROM findings f
      WHERE f.org_id = $1
      AND f.rule_id = $8
      AND f.severity = $9
      ORDER BY f.first_seen_at DESC, f.id DESC)
    UNION ALL (SELECT f.first_seen_at, f.id, f.updated_at, f.traits
      FROM findings f
      WHERE f.org_id = $1
      AND f.rule_id = $10
      AND f.severity = $11
      ORDER BY f.first_seen_at DESC, f.id DESC)) f
  ORDER BY f.first_seen_at DESC, f.id DESC
  OFFSET 499
  LIMIT 2) f
ORDER BY f.first_seen_at DESC, f.id DESC;
-- Plan
--   Subquery Scan
--     Limit
--       Merge Append
--         Subquery Scan
--           Index Only Scan (findings_by_rule)
--         Subquery Scan
--           Index Only Scan (findings_by_rule)
--         Subquery Scan
--           Index Only Scan (findings_by_rule)
--         Subquery Scan
--           Index Only Scan (findings_by_rule)
--         Subquery Scan
--           Index Only Scan (findings_by_rule)

-- Statement 4, after SET LOCAL plan_cache_mode = 'force_generic_plan'
SELECT findings_with_all_words($1::text[], $2, $3, $4) AS ids;
-- Plan
--   Result

-- Statement 5, after SET LOCAL plan_cache_mode = 'force_generic_plan'
SELECT …the JSON of a finding… AS json, f.first_seen_at::text AS k0, f.id::text AS k1
FROM (SELECT f.*
  FROM (SELECT f.first_seen_at AS first_seen_at, f.id AS id
    FROM (SELECT f.id, f.first_seen_at, f.updated_at, f.traits
      FROM unnest($2::text[]) AS hit(id)
      JOIN findings f ON f.id = hit.id
      WHERE f.org_id = $1
      OFFSET 0) f
    WHERE true
    AND (f.traits >> 28) & 16383 = ANY(ARRAY(SELECT (hashtext(value) & 16383)::bigint
        FROM unnest($3::text[]) AS value))
    ORDER BY f.first_seen_at DESC, f.id DESC) k
  CROSS JOIN LATERAL (SELECT *
    FROM findings
    WHERE org_id = $1
    AND id = k.id
    OFFSET 0) f
  WHERE (f.words @@ $4::tsquery OR EXISTS (SELECT
      FROM finding_texts t
      WHERE t.org_id = $1
      AND t.id = f.text_id
      AND (f.words || t.words) @@ $4::tsquery
      OFFSET 0))
  AND f.org_id = $1
  AND f.rule_id = $5
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
