-- A target whose scan failed for a reason that may pass is tried again after a pause: retries counts how often, retry_at is when,
-- and retry_reason says why. Nodes of the previous release leave these columns as they are.

ALTER TABLE scan_targets
  ADD COLUMN retries integer NOT NULL DEFAULT 0,
  ADD COLUMN first_failed_at timestamptz,
  ADD COLUMN retry_at timestamptz,
  ADD COLUMN retry_reason text;
