-- GET /findings?rule=common-rule&sort=-priority

-- Statement 1, after SET LOCAL plan_cache_mode = 'force_generic_plan'
SELECT severity
FROM unnest($2::smallint[]) AS ranks(severity)
CROSS JOIN LATERAL (SELECT
  FROM findings f
  WHERE f.org_id = $1
  AND f.rule_id = $3
  AND f.severity = ranks.severity
  LIMIT 1) one;
-- Plan
--   Limit
--     Index Only Scan (findings_by_rule)

-- Statement 2, after SET LOCAL plan_cache_mode = 'force_generic_plan'; SET LOCAL enable_sort = 'off'
SELECT …the JSON of a finding… AS json, f.priority::text AS k0, f.first_seen_at::text AS k1, f.id::text AS k2
FROM (SELECT f.*
  FROM (SELECT f.priority, f.first_seen_at, f.id
    FROM (SELECT *
      FROM ((SELECT f.priority, f.first_seen_at, f.id, f.updated_at, f.traits
          FROM findings f
          WHERE f.org_id = $1
          AND f.severity = $4
          ORDER BY f.priority DESC, f.first_seen_at DESC, f.id DESC)
        UNION ALL (SELECT f.priority, f.first_seen_at, f.id, f.updated_at, f.traits
          FROM findings f
          WHERE f.org_id = $1
          AND f.severity = $5
          ORDER BY f.priority DESC, f.first_seen_at DESC, f.id DESC)
        UNION ALL (SELECT f.priority, f.first_seen_at, f.id, f.updated_at, f.traits
          FROM findings f
          WHERE f.org_id = $1
          AND f.severity = $6
          ORDER BY f.priority DESC, f.first_seen_at DESC, f.id DESC)) f
      ORDER BY f.priority DESC, f.first_seen_at DESC, f.id DESC
      LIMIT 10000) f
    WHERE (f.traits >> 28) & 16383 = ANY(ARRAY(SELECT (hashtext(value) & 16383)::bigint
        FROM unnest($2::text[]) AS value))) k
  CROSS JOIN LATERAL (SELECT *
    FROM findings
    WHERE org_id = $1
    AND id = k.id
    OFFSET 0) f
  WHERE f.rule_id = $3
  ORDER BY k.priority DESC, k.first_seen_at DESC, k.id DESC
  LIMIT 50) f
JOIN …its data source, coverage and assignee…
ORDER BY f.priority DESC, f.first_seen_at DESC, f.id DESC;
-- Plan
--   Sort
--     Limit
--       Nested Loop
--         Subquery Scan
--           Limit
--             Merge Append
--               Subquery Scan
--                 Index Only Scan (findings_by_priority)
--               Subquery Scan
--                 Index Only Scan (findings_by_priority)
--               Subquery Scan
--                 Index Only Scan (findings_by_priority)
--         Subquery Scan
--           Index Scan (findings_pkey)
