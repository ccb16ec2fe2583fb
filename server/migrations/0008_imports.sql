-- Results that other tools found, on their way into the findings.

-- Detection sources that only came in by import: made by the first one.
CREATE TABLE push_sources (
  org_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  type text COLLATE "C" NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, type)
);
ALTER TABLE push_sources ENABLE ROW LEVEL SECURITY;
ALTER TABLE push_sources FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON push_sources USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON push_sources TO assay_app;

-- A result file as it was read, in batches, until a worker has merged them: any worker, on any machine. A file that turns
-- out wrong, or whose sender goes away, leaves batches without a scan; they are removed.
CREATE TABLE import_batches (
  org_id text COLLATE "C" NOT NULL,
  scan_id text COLLATE "C" NOT NULL,
  sequence integer NOT NULL,
  detections text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, scan_id, sequence)
);
-- They live for seconds: compressing them costs more than it saves.
ALTER TABLE import_batches ALTER COLUMN detections SET STORAGE EXTERNAL;
CREATE INDEX import_batches_age ON import_batches (created_at);
ALTER TABLE import_batches ENABLE ROW LEVEL SECURITY;
ALTER TABLE import_batches FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON import_batches USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON import_batches TO assay_app;

-- Removes the batches of imports that never became a scan, of all organizations; answers how many.
CREATE FUNCTION purge_import_batches(before timestamptz) RETURNS bigint
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    WITH removed AS (
      DELETE FROM import_batches b WHERE b.created_at < before
        AND NOT EXISTS (SELECT 1 FROM scans s WHERE s.org_id = b.org_id AND s.id = b.scan_id AND s.status IN ('queued', 'running'))
      RETURNING 1
    )
    SELECT count(*) FROM removed
  $$;
REVOKE ALL ON FUNCTION purge_import_batches(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION purge_import_batches(timestamptz) TO assay_app;

-- For the command line, which names a data source and no organization.
CREATE FUNCTION organization_of_data_source(data_source_id text) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$ SELECT org_id FROM data_sources WHERE id = data_source_id AND deleted_at IS NULL $$;
REVOKE ALL ON FUNCTION organization_of_data_source(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION organization_of_data_source(text) TO assay_app;
