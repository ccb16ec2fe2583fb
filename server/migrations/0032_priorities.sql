-- What to fix first: 0 to 100, from facts and the data source (findings/urgency.ts). 2 bytes for each finding, and an index of 75
-- bytes for each. Existing findings get theirs from a job.
ALTER TABLE findings ADD COLUMN priority smallint NOT NULL DEFAULT 0;
CREATE INDEX findings_by_priority ON findings (org_id, priority, first_seen_at, id) INCLUDE (updated_at, traits);
