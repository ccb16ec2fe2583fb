-- Findings in tests and examples, for the filter `context`. That a finding is one is the lowest bit of what its urgency is computed from:
-- no new column is written. Only these findings have entries.
CREATE INDEX findings_in_tests ON findings (org_id, first_seen_at, id) INCLUDE (updated_at, traits) WHERE (urgency_bits & 1) <> 0;
