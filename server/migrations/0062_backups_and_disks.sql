-- Every backup that was made, or failed: its age is reported, and whether it could be restored.
CREATE TABLE backups (
  id uuid PRIMARY KEY,
  -- The planned time of a scheduled backup; null for one that a person made.
  due_at timestamptz,
  directory text NOT NULL,
  -- When the state was taken that it holds; null when it failed.
  taken_at timestamptz,
  ended_at timestamptz NOT NULL,
  error text,
  bytes bigint,
  organizations bigint,
  findings bigint,
  -- The last drill that restored it, and why that failed.
  drilled_at timestamptz,
  drill_error text
);
CREATE INDEX backups_due ON backups (due_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON backups TO assay_app;

-- The room on the disk of each worker, as it reported it last.
CREATE TABLE worker_disks (
  node text NOT NULL,
  directory text NOT NULL,
  free_bytes bigint NOT NULL,
  total_bytes bigint NOT NULL,
  cache_bytes bigint NOT NULL,
  has_database boolean NOT NULL,
  reported_at timestamptz NOT NULL,
  PRIMARY KEY (node, directory)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON worker_disks TO assay_app;
