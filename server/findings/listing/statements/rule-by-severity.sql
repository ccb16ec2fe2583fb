-- GET /findings?rule=common-rule&from=…&status=new&sort=-severity

-- Statement 1, after SET LOCAL plan_cache_mode = 'force_generic_plan'; SET LOCAL enable_sort = 'off'
SELECT …the JSON of a finding… AS json, f.severity::text AS k0, f.first_seen_at::text AS k1, f.id::text AS k2
FROM (SELECT f.*
  FROM (SELECT f.severity, f.first_seen_at, f.id
    FROM (SELECT *
      FROM ((SELECT f.severity, f.first_seen_at, f.id, f.updated_at, f.traits
          FROM findings f
          WHERE f.org_id = $1
          AND f.rule_id = $6
          AND f.severity BETWEEN $5
          AND $5
          AND f.first_seen_at >= $4::timestamptz
          ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC)
        UNION ALL (SELECT f.severity, f.first_seen_at, f.id, f.updated_at, f.traits
          FROM findings f
          WHERE f.org_id = $1
          AND f.rule_id = $9
          AND f.severity BETWEEN $8
          AND $8
          AND f.first_seen_at >= $7::timestamptz
          ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC)
        UNION ALL (SELECT f.severity, f.first_seen_at, f.id, f.updated_at, f.traits
          FROM findings f
          WHERE f.org_id = $1
          AND f.rule_id = $12
          AND f.severity BETWEEN $11
          AND $11
          AND f.first_seen_at >= $10::timestamptz
          ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC)
        UNION ALL (SELECT f.severity, f.first_seen_at, f.id, f.updated_at, f.traits
          FROM findings f
          WHERE f.org_id = $1
          AND f.rule_id = $15
          AND f.severity BETWEEN $14
          AND $14
          AND f.first_seen_at >= $13::timestamptz
          ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC)
        UNION ALL (SELECT f.severity, f.first_seen_at, f.id, f.updated_at, f.traits
          FROM findings f
          WHERE f.org_id = $1
          AND f.rule_id = $18
          AND f.severity BETWEEN $17
          AND $17
          AND f.first_seen_at >= $16::timestamptz
          ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC)) f
      ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC
      LIMIT 10000) f
    WHERE ((f.traits >> 3) & 7) = $2) k
  CROSS JOIN LATERAL (SELECT *
    FROM findings
    WHERE org_id = $1
    AND id = k.id
    OFFSET 0) f
  WHERE f.status = $3
  ORDER BY k.severity DESC, k.first_seen_at DESC, k.id DESC
  LIMIT 50) f
JOIN …its data source, coverage and assignee…
ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC;
-- Plan
--   Sort
--     Limit
--       Nested Loop
--         Subquery Scan
--           Limit
--             Merge Append
--               Subquery Scan
--                 Index Only Scan (findings_by_rule)
--               Subquery Scan
--                 Index Only Scan (findings_by_rule)
--               Subquery Scan
--                 Index Only Scan (findings_by_rule)
--               Subquery Scan
--                 Index Only Scan (findings_by_rule)
--               Subquery Scan
--                 Index Only Scan (findings_by_rule)
--         Subquery Scan
--           Index Scan (findings_pkey)
