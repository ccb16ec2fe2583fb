-- The scanners that each worker found, by type: APIs on other machines, or with another data directory, don't see them.
CREATE TABLE worker_tools (
  worker_id text PRIMARY KEY,
  tools json NOT NULL,
  reported_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON worker_tools TO assay_app;
