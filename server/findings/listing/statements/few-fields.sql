-- GET /findings?fields=title,severity

-- Statement 1, after SET LOCAL plan_cache_mode = 'force_generic_plan'
SELECT …the JSON of the chosen fields of a finding… AS json, f.first_seen_at::text AS k0, f.id::text AS k1
FROM (SELECT f.*
  FROM (SELECT f.*
    FROM findings f
    WHERE f.org_id = $1
    ORDER BY f.first_seen_at DESC, f.id DESC
    LIMIT 50) f
  ORDER BY f.first_seen_at DESC, f.id DESC
  LIMIT 50) f
JOIN …its data source, coverage and assignee…
LEFT JOIN LATERAL json_to_record(CASE WHEN ($2::boolean[])[1] OR ($2::boolean[])[2] OR ($2::boolean[])[3] OR ($2::boolean[])[4] OR ($2::boolean[])[5] THEN f.facts END) AS fact("rule" json, "location" json, "identifiers" json, "cvss_score" json, "evidence" json) ON true
LEFT JOIN LATERAL json_to_record(CASE WHEN ($2::boolean[])[6] OR ($2::boolean[])[7] OR ($2::boolean[])[8] THEN f.excerpts END) AS excerpt("code" json, "flow" json, "fix" json) ON true
LEFT JOIN LATERAL json_to_record(CASE WHEN ($2::boolean[])[10] OR ($2::boolean[])[11] OR ($2::boolean[])[12] THEN ('{' || text.members || '}')::json END) AS shared("description" json, "remediation" json, "references" json) ON true
ORDER BY f.first_seen_at DESC, f.id DESC;
-- Plan
--   Limit
--     Limit
--       Index Scan (findings_by_first_seen)
