-- Scans: the runs of a detection source on data sources.

CREATE TABLE scans (
  org_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  id text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL DEFAULT 'queued'
    CHECK (status IN ('queued', 'running', 'completed', 'partial', 'failed', 'cancelled')),
  trigger text COLLATE "C" NOT NULL CHECK (trigger IN ('api', 'schedule', 'import')),
  requested_by text COLLATE "C" REFERENCES users (id),
  -- Null for every data source of a kind that the source handles.
  data_source_ids text[],
  -- The same as text, for the index below: the ids in order, comma-separated; empty for all.
  extent text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  started_at timestamptz,
  completed_at timestamptz,
  PRIMARY KEY (org_id, id)
);
-- One unfinished scan per source and extent: another request while it runs returns the same scan.
CREATE UNIQUE INDEX scans_active ON scans (org_id, source, extent)
  WHERE status IN ('queued', 'running') AND trigger <> 'import';
-- Ids ascend with time: these are the orders of the lists.
CREATE INDEX scans_by_source ON scans (org_id, source, id);
CREATE INDEX scans_by_status ON scans (org_id, status, id);
CREATE INDEX scans_by_completion ON scans (org_id, completed_at);
CREATE INDEX scans_unfinished ON scans (org_id) WHERE status IN ('queued', 'running');
ALTER TABLE scans ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON scans USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON scans TO assay_app;

CREATE TABLE scan_targets (
  org_id text COLLATE "C" NOT NULL,
  scan_id text COLLATE "C" NOT NULL,
  data_source_id text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL DEFAULT 'queued'
    CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
  -- The attempt that may write: a worker that was considered dead finds another number here and stops.
  attempt integer NOT NULL DEFAULT 0,
  heartbeat_at timestamptz,
  started_at timestamptz,
  completed_at timestamptz,
  fraction real,
  message text,
  error text,
  warnings text[] NOT NULL DEFAULT '{}',
  found_new integer NOT NULL DEFAULT 0,
  found_seen integer NOT NULL DEFAULT 0,
  found_reopened integer NOT NULL DEFAULT 0,
  found_resolved integer NOT NULL DEFAULT 0,
  -- The results of earlier runs of an interrupted target, which the last run doesn't repeat.
  kept_new integer NOT NULL DEFAULT 0,
  kept_reopened integer NOT NULL DEFAULT 0,
  kept_resolved integer NOT NULL DEFAULT 0,
  -- The reason why a completed target closed nothing; null for those that closed findings.
  closed_nothing text COLLATE "C" CHECK (closed_nothing IN ('incomplete', 'not_requested', 'overtaken', 'nothing_missing')),
  -- The effect of an import: open findings of its sources in its data source by severity, before and after, and the
  -- number of unreported findings that stay closed because of a decision. Null for scans of other kinds.
  open_before json,
  open_after json,
  kept_closed integer,
  -- The order in which unfinished targets of one source in one data source were requested, whatever clock created
  -- their ids. They are processed in this order: a result file that arrived earlier but is merged later would close
  -- findings that the later one reported.
  arrival integer NOT NULL DEFAULT 1,
  -- The versions of tools that a scan used, by detection source: from the imported file, or from the program that
  -- ran.
  tool_versions json,
  -- The commit of a git repository that the scan read.
  revision text COLLATE "C",
  -- A target whose scan failed for a temporary reason is tried again after a pause: retries is the number of retries,
  -- retry_at the time of the next, and retry_reason the reason.
  retries integer NOT NULL DEFAULT 0,
  first_failed_at timestamptz,
  retry_at timestamptz,
  retry_reason text,
  PRIMARY KEY (org_id, scan_id, data_source_id),
  FOREIGN KEY (org_id, scan_id) REFERENCES scans (org_id, id),
  FOREIGN KEY (org_id, data_source_id) REFERENCES data_sources (org_id, id)
);
-- Two scans of one data source by one source never run concurrently: each would miss what only the other saw.
CREATE UNIQUE INDEX scan_targets_running ON scan_targets (org_id, data_source_id, source) WHERE status = 'running';
CREATE INDEX scan_targets_unfinished ON scan_targets (org_id, data_source_id) WHERE status IN ('queued', 'running');
-- The scans of a data source, newest first.
CREATE INDEX scan_targets_by_data_source ON scan_targets (org_id, data_source_id, scan_id);
-- The last scan of each scanner, which determines the status of a data source.
CREATE INDEX scan_targets_by_source ON scan_targets (org_id, data_source_id, source, scan_id) WHERE status IN ('completed', 'failed');
ALTER TABLE scan_targets ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON scan_targets USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON scan_targets TO assay_app;

-- Notifies nodes of a change of a scan at commit, since clients may be following it. The payload is its id.
CREATE FUNCTION notify_scan_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_TABLE_NAME = 'scans' THEN
    PERFORM pg_notify('assay_scans', NEW.id);
  ELSE
    PERFORM pg_notify('assay_scans', NEW.scan_id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER scans_notify AFTER UPDATE ON scans FOR EACH ROW
  WHEN ((OLD.status, OLD.started_at, OLD.completed_at) IS DISTINCT FROM (NEW.status, NEW.started_at, NEW.completed_at))
  EXECUTE FUNCTION notify_scan_change();
CREATE TRIGGER scans_event AFTER INSERT OR UPDATE OF status, started_at, completed_at ON scans FOR EACH ROW
  EXECUTE FUNCTION notify_organization_event();
-- A heartbeat changes nothing visible.
CREATE TRIGGER scan_targets_notify AFTER UPDATE ON scan_targets FOR EACH ROW
  WHEN ((OLD.status, OLD.fraction, OLD.message, OLD.error, OLD.warnings, OLD.found_new, OLD.found_seen, OLD.found_reopened, OLD.found_resolved)
    IS DISTINCT FROM
    (NEW.status, NEW.fraction, NEW.message, NEW.error, NEW.warnings, NEW.found_new, NEW.found_seen, NEW.found_reopened, NEW.found_resolved))
  EXECUTE FUNCTION notify_scan_change();
CREATE TRIGGER scan_targets_event AFTER UPDATE ON scan_targets FOR EACH ROW
  WHEN ((OLD.status, OLD.fraction, OLD.message, OLD.found_new, OLD.found_seen, OLD.found_reopened, OLD.found_resolved)
    IS DISTINCT FROM
    (NEW.status, NEW.fraction, NEW.message, NEW.found_new, NEW.found_seen, NEW.found_reopened, NEW.found_resolved))
  EXECUTE FUNCTION notify_organization_event();

-- Unfinished targets of all organizations without a job.
CREATE FUNCTION scan_targets_without_job() RETURNS TABLE (org_id text, scan_id text, data_source_id text, trigger text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    SELECT t.org_id, t.scan_id, t.data_source_id, s.trigger
    FROM scan_targets t JOIN scans s ON s.org_id = t.org_id AND s.id = t.scan_id
    WHERE t.status IN ('queued', 'running') AND t.org_id NOT IN (SELECT organization_id FROM absent_organizations)
      AND NOT has_job(t.scan_id || ':' || t.data_source_id)
    LIMIT 1000
  $$;
REVOKE ALL ON FUNCTION scan_targets_without_job() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION scan_targets_without_job() TO assay_app;

-- Unfinished scans of all organizations whose targets have all ended. It returns nothing as long as everything that
-- ends a target also ends its scan.
CREATE FUNCTION scans_without_end() RETURNS TABLE (org_id text, scan_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    SELECT s.org_id, s.id FROM scans s
    WHERE s.status IN ('queued', 'running') AND s.org_id NOT IN (SELECT organization_id FROM absent_organizations)
      AND NOT EXISTS (SELECT 1 FROM scan_targets t
                      WHERE t.org_id = s.org_id AND t.scan_id = s.id AND t.status IN ('queued', 'running'))
    LIMIT 1000
  $$;
REVOKE ALL ON FUNCTION scans_without_end() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION scans_without_end() TO assay_app;

-- The scanners that each worker found, by type: APIs on other machines, or with another data directory, can't find
-- them.
CREATE TABLE worker_tools (
  worker_id text PRIMARY KEY,
  tools json NOT NULL,
  reported_at timestamptz NOT NULL,
  -- The sandbox in which the worker starts programs.
  sandbox json NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON worker_tools TO assay_app;
