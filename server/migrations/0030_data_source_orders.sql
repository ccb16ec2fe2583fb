-- The orders of the list of data sources.
CREATE INDEX data_sources_by_name ON data_sources (org_id, (lower(name) COLLATE "C"), id) WHERE deleted_at IS NULL;
CREATE INDEX data_sources_by_scan ON data_sources (org_id, COALESCE(last_scanned_at, '-infinity'), id) WHERE deleted_at IS NULL;
