-- What was acknowledged is taken up again after every interruption: what a job needs lies in tables of its own, and what it has
-- done is noted as it is done.

-- What a received result file is to become, until it has: batches (import_batches) and these orders for them.
CREATE TABLE imports (
  org_id text COLLATE "C" NOT NULL,
  scan_id text COLLATE "C" NOT NULL,
  data_source_id text COLLATE "C" NOT NULL,
  batches integer NOT NULL,
  -- The detection sources that the file speaks for.
  sources text[] NOT NULL,
  close_missing boolean NOT NULL,
  -- Why the file may close nothing; empty when it may.
  incomplete text[] NOT NULL,
  PRIMARY KEY (org_id, scan_id),
  FOREIGN KEY (org_id, scan_id) REFERENCES scans (org_id, id)
);
ALTER TABLE imports ENABLE ROW LEVEL SECURITY;
ALTER TABLE imports FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON imports USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON imports TO assay_app;

-- Until now the orders were in the job.
INSERT INTO imports (org_id, scan_id, data_source_id, batches, sources, close_missing, incomplete)
  SELECT s.org_id, s.id, j.payload->>'data_source_id', (j.payload->>'batches')::integer,
    ARRAY(SELECT json_array_elements_text(j.payload->'sources')), (j.payload->>'close_missing')::boolean,
    ARRAY(SELECT json_array_elements_text(j.payload->'incomplete'))
  FROM graphile_worker._private_jobs j
  JOIN graphile_worker._private_tasks k ON k.id = j.task_id AND k.identifier = 'merge-import'
  JOIN scans s ON s.org_id = j.payload->>'org_id' AND s.id = j.payload->>'scan_id'
  ON CONFLICT DO NOTHING;

-- Removes what was received and is not to be merged (any more), of all organizations; returns how many batches that were.
CREATE OR REPLACE FUNCTION purge_import_batches(before timestamptz) RETURNS bigint
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    WITH orders AS (
      DELETE FROM imports i USING scans s
      WHERE s.org_id = i.org_id AND s.id = i.scan_id AND s.completed_at < before
    ), removed AS (
      DELETE FROM import_batches b WHERE b.created_at < before
        AND NOT EXISTS (SELECT 1 FROM scans s WHERE s.org_id = b.org_id AND s.id = b.scan_id AND s.status IN ('queued', 'running'))
      RETURNING 1
    )
    SELECT count(*) FROM removed
  $$;

-- What became of a batch; null until it is merged.
ALTER TABLE import_batches
  ADD COLUMN merged_new integer,
  ADD COLUMN merged_seen integer,
  ADD COLUMN merged_reopened integer;

-- What earlier runs of an interrupted target did, which the last one finds done.
ALTER TABLE scan_targets
  ADD COLUMN kept_new integer NOT NULL DEFAULT 0,
  ADD COLUMN kept_reopened integer NOT NULL DEFAULT 0,
  ADD COLUMN kept_resolved integer NOT NULL DEFAULT 0;

-- Attempts that failed; interrupted ones (reports.attempts counted them, too) are no failures.
ALTER TABLE report_exports ADD COLUMN failures integer NOT NULL DEFAULT 0;
UPDATE reports SET attempts = 0 WHERE status = 'pending';

-- Whether a job of this key runs, waits or rests after a failure.
CREATE FUNCTION has_job(job_key text) RETURNS boolean
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    SELECT EXISTS (SELECT 1 FROM graphile_worker._private_jobs j
                   WHERE j.key = job_key AND (j.locked_at IS NOT NULL OR j.attempts < j.max_attempts))
  $$;
REVOKE ALL ON FUNCTION has_job(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION has_job(text) TO assay_app;

-- Unfinished targets, of all organizations, that no job will take up.
CREATE FUNCTION scan_targets_without_job() RETURNS TABLE (org_id text, scan_id text, data_source_id text, trigger text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    SELECT t.org_id, t.scan_id, t.data_source_id, s.trigger
    FROM scan_targets t JOIN scans s ON s.org_id = t.org_id AND s.id = t.scan_id
    WHERE t.status IN ('queued', 'running') AND NOT has_job(t.scan_id || ':' || t.data_source_id)
    LIMIT 1000
  $$;
REVOKE ALL ON FUNCTION scan_targets_without_job() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION scan_targets_without_job() TO assay_app;
DROP FUNCTION abandoned_scan_targets(timestamptz);
DROP INDEX scan_targets_heartbeat;

CREATE INDEX reports_pending ON reports (org_id) WHERE status = 'pending';
CREATE INDEX report_exports_pending ON report_exports (org_id) WHERE status = 'pending';
CREATE INDEX report_deliveries_pending ON report_deliveries (org_id) WHERE status = 'pending';

-- Snapshots, exports (with a format) and mails (with a recipient), of all organizations, that no job will make. A mail waits
-- for its export, which has it sent.
CREATE FUNCTION report_work_without_job() RETURNS TABLE (org_id text, report_id text, format text, recipient text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    (SELECT r.org_id, r.id, NULL, NULL FROM reports r
     WHERE r.status = 'pending' AND NOT has_job('take-report-snapshot:' || r.org_id || ':' || r.id) LIMIT 1000)
    UNION ALL
    (SELECT e.org_id, e.report_id, e.format, NULL FROM report_exports e
     WHERE e.status = 'pending'
       AND NOT has_job('render-report-export:' || e.org_id || ':' || e.report_id || ':' || e.format) LIMIT 1000)
    UNION ALL
    (SELECT d.org_id, d.report_id, NULL, d.recipient
     FROM report_deliveries d JOIN reports r ON r.org_id = d.org_id AND r.id = d.report_id
     WHERE d.status = 'pending' AND r.status = 'ready' AND r.mail_format IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM report_exports e WHERE e.org_id = r.org_id AND e.report_id = r.id
                         AND e.format = r.mail_format AND e.status = 'pending')
       AND NOT has_job('deliver-report:' || d.org_id || ':' || d.report_id || ':' || d.recipient) LIMIT 1000)
  $$;
REVOKE ALL ON FUNCTION report_work_without_job() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION report_work_without_job() TO assay_app;
