-- A random eighth of each organization's findings, in random order: figures of many findings are estimated from it. It
-- holds what most figures count and filter by, so that reading it needs no look at the table.
CREATE INDEX findings_sample ON findings (org_id, (hashtext(id)), id)
  INCLUDE (severity, status, source, data_source_id, rule_id, assignee_id, first_seen_at, updated_at, traits)
  WHERE hashtext(id) BETWEEN 0 AND 536870911;
