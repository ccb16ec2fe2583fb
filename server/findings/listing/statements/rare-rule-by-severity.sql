-- GET /findings?rule=rare-rule&sort=-severity

-- Statement 1, after SET LOCAL plan_cache_mode = 'force_generic_plan'; SET LOCAL enable_sort = 'off'
SELECT …the JSON of a finding… AS json, f.severity::text AS k0, f.first_seen_at::text AS k1, f.id::text AS k2
FROM (SELECT f.*
  FROM (SELECT f.severity, f.first_seen_at, f.id
    FROM (SELECT *
      FROM ((SELECT f.severity, f.first_seen_at, f.id, f.updated_at, f.traits
          FROM findings f
          WHERE f.org_id = $1
          AND f.status = $4
          ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC)
        UNION ALL (SELECT f.severity, f.first_seen_at, f.id, f.updated_at, f.traits
          FROM findings f
          WHERE f.org_id = $1
          AND f.status = $5
          ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC)
        UNION ALL (SELECT f.severity, f.first_seen_at, f.id, f.updated_at, f.traits
          FROM findings f
          WHERE f.org_id = $1
          AND f.status = $6
          ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC)
        UNION ALL (SELECT f.severity, f.first_seen_at, f.id, f.updated_at, f.traits
          FROM findings f
          WHERE f.org_id = $1
          AND f.status = $7
          ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC)
        UNION ALL (SELECT f.severity, f.first_seen_at, f.id, f.updated_at, f.traits
          FROM findings f
          WHERE f.org_id = $1
          AND f.status = $8
          ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC)
        UNION ALL (SELECT f.severity, f.first_seen_at, f.id, f.updated_at, f.traits
          FROM findings f
          WHERE f.org_id = $1
          AND f.status = $9
          ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC)) f
      ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC
      LIMIT 10000) f
    WHERE (f.traits >> 28) & 16383 = ANY(ARRAY(SELECT (hashtext(value) & 16383)::bigint
        FROM unnest($2::text[]) AS value))) k
  CROSS JOIN LATERAL (SELECT *
    FROM findings
    WHERE org_id = $1
    AND id = k.id
    OFFSET 0) f
  WHERE f.rule_id = $3
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
--                 Index Only Scan (findings_by_status_severity)
--               Subquery Scan
--                 Index Only Scan (findings_by_status_severity)
--               Subquery Scan
--                 Index Only Scan (findings_by_status_severity)
--               Subquery Scan
--                 Index Only Scan (findings_by_status_severity)
--               Subquery Scan
--                 Index Only Scan (findings_by_status_severity)
--               Subquery Scan
--                 Index Only Scan (findings_by_status_severity)
--         Subquery Scan
--           Index Scan (findings_pkey)

-- Statement 2, after SET LOCAL plan_cache_mode = 'force_generic_plan'; SET LOCAL enable_sort = 'off'
SELECT f.severity::text AS k0, f.first_seen_at::text AS k1, f.id::text AS k2
FROM (SELECT *
  FROM ((SELECT f.severity, f.first_seen_at, f.id, f.updated_at, f.traits
      FROM findings f
      WHERE f.org_id = $1
      AND f.status = $2
      ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC)
    UNION ALL (SELECT f.severity, f.first_seen_at, f.id, f.updated_at, f.traits
      FROM findings f
      WHERE f.org_id = $1
      AND f.status = $3
      ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC)
    UNION ALL (SELECT f.severity, f.first_seen_at, f.id, f.updated_at, f.traits
      FROM findings f
      WHERE f.org_id = $1
      AND f.status = $4
      ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC)
    UNION ALL (SELECT f.severity, f.first_seen_at, f.id, f.updated_at, f.traits
      FROM findings f
      WHERE f.org_id = $1
      AND f.status = $5
      ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC)
    UNION ALL (SELECT f.severity, f.first_seen_at, f.id, f.updated_at, f.traits
      FROM findings f
      WHERE f.org_id = $1
      AND f.status = $6
      ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC)
    UNION ALL (SELECT f.severity, f.first_seen_at, f.id, f.updated_at, f.traits
      FROM findings f
      WHERE f.org_id = $1
      AND f.status = $7
      ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC)) f
  ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC
  OFFSET 9999
  LIMIT 2) f
ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC;
-- Plan
--   Subquery Scan
--     Limit
--       Merge Append
--         Subquery Scan
--           Index Only Scan (findings_by_status_severity)
--         Subquery Scan
--           Index Only Scan (findings_by_status_severity)
--         Subquery Scan
--           Index Only Scan (findings_by_status_severity)
--         Subquery Scan
--           Index Only Scan (findings_by_status_severity)
--         Subquery Scan
--           Index Only Scan (findings_by_status_severity)
--         Subquery Scan
--           Index Only Scan (findings_by_status_severity)

-- Statement 3, after SET LOCAL plan_cache_mode = 'force_generic_plan'; SET LOCAL enable_sort = 'off'
SELECT …the JSON of a finding… AS json, f.severity::text AS k0, f.first_seen_at::text AS k1, f.id::text AS k2
FROM (SELECT f.*
  FROM (SELECT f.severity, f.first_seen_at, f.id
    FROM (SELECT *
      FROM ((SELECT f.severity, f.first_seen_at, f.id, f.updated_at, f.traits
          FROM findings f
          WHERE f.org_id = $1
          AND f.status = $7
          AND (f.severity, f.first_seen_at, f.id) < ($4::smallint, $5::timestamptz, $6::text)
          ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC)
        UNION ALL (SELECT f.severity, f.first_seen_at, f.id, f.updated_at, f.traits
          FROM findings f
          WHERE f.org_id = $1
          AND f.status = $8
          AND (f.severity, f.first_seen_at, f.id) < ($4::smallint, $5::timestamptz, $6::text)
          ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC)
        UNION ALL (SELECT f.severity, f.first_seen_at, f.id, f.updated_at, f.traits
          FROM findings f
          WHERE f.org_id = $1
          AND f.status = $9
          AND (f.severity, f.first_seen_at, f.id) < ($4::smallint, $5::timestamptz, $6::text)
          ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC)
        UNION ALL (SELECT f.severity, f.first_seen_at, f.id, f.updated_at, f.traits
          FROM findings f
          WHERE f.org_id = $1
          AND f.status = $10
          AND (f.severity, f.first_seen_at, f.id) < ($4::smallint, $5::timestamptz, $6::text)
          ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC)
        UNION ALL (SELECT f.severity, f.first_seen_at, f.id, f.updated_at, f.traits
          FROM findings f
          WHERE f.org_id = $1
          AND f.status = $11
          AND (f.severity, f.first_seen_at, f.id) < ($4::smallint, $5::timestamptz, $6::text)
          ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC)
        UNION ALL (SELECT f.severity, f.first_seen_at, f.id, f.updated_at, f.traits
          FROM findings f
          WHERE f.org_id = $1
          AND f.status = $12
          AND (f.severity, f.first_seen_at, f.id) < ($4::smallint, $5::timestamptz, $6::text)
          ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC)) f
      ORDER BY f.severity DESC, f.first_seen_at DESC, f.id DESC
      LIMIT 100000) f
    WHERE (f.traits >> 28) & 16383 = ANY(ARRAY(SELECT (hashtext(value) & 16383)::bigint
        FROM unnest($2::text[]) AS value))) k
  CROSS JOIN LATERAL (SELECT *
    FROM findings
    WHERE org_id = $1
    AND id = k.id
    OFFSET 0) f
  WHERE f.rule_id = $3
  ORDER BY k.severity DESC, k.first_seen_at DESC, k.id DESC
  LIMIT 27) f
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
--                 Index Only Scan (findings_by_status_severity)
--               Subquery Scan
--                 Index Only Scan (findings_by_status_severity)
--               Subquery Scan
--                 Index Only Scan (findings_by_status_severity)
--               Subquery Scan
--                 Index Only Scan (findings_by_status_severity)
--               Subquery Scan
--                 Index Only Scan (findings_by_status_severity)
--               Subquery Scan
--                 Index Only Scan (findings_by_status_severity)
--         Subquery Scan
--           Index Scan (findings_pkey)
