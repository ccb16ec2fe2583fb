-- The scans of a data source, newest first.
CREATE INDEX scan_targets_by_data_source ON scan_targets (org_id, data_source_id, scan_id);
