-- Why a completed target closed nothing: null for those that ended before, and for those that closed something.
ALTER TABLE scan_targets ADD COLUMN closed_nothing text COLLATE "C"
  CONSTRAINT scan_targets_closed_nothing_check CHECK (closed_nothing IN ('incomplete', 'not_requested', 'overtaken', 'nothing_missing'));
