-- Scans that start by themselves.

CREATE TABLE scan_schedules (
  org_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  source text COLLATE "C" NOT NULL,
  -- Null: every data source of a kind that the source handles.
  data_source_ids text[],
  cron text NOT NULL,
  timezone text NOT NULL,
  enabled boolean NOT NULL,
  -- Null while disabled.
  next_run_at timestamptz,
  last_run_at timestamptz,
  last_scan_id text COLLATE "C",
  -- Why the last due time started no scan.
  last_error text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, id),
  CHECK (enabled OR next_run_at IS NULL)
);
CREATE INDEX scan_schedules_due ON scan_schedules (next_run_at) WHERE next_run_at IS NOT NULL;
ALTER TABLE scan_schedules ENABLE ROW LEVEL SECURITY;
ALTER TABLE scan_schedules FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON scan_schedules USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON scan_schedules TO assay_app;

-- Schedules whose time has come, of all organizations; the worker then acts in each of them.
CREATE FUNCTION due_scan_schedules(most integer) RETURNS TABLE (org_id text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    SELECT s.org_id, s.id FROM scan_schedules s
    WHERE s.next_run_at <= clock_timestamp() ORDER BY s.next_run_at LIMIT most
  $$;
REVOKE ALL ON FUNCTION due_scan_schedules(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION due_scan_schedules(integer) TO assay_app;
