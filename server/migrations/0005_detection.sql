-- Scans: what a detection source did with each data source it was pointed at.

-- Workers of the job queue that are alive. No tenant: a worker works for all.
CREATE TABLE worker_heartbeats (
  worker_id text COLLATE "C" PRIMARY KEY,
  beat_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON worker_heartbeats TO assay_app;

CREATE TABLE scans (
  org_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  id text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL DEFAULT 'queued'
    CHECK (status IN ('queued', 'running', 'completed', 'partial', 'failed', 'cancelled')),
  trigger text COLLATE "C" NOT NULL CHECK (trigger IN ('api', 'schedule', 'import')),
  requested_by text COLLATE "C" REFERENCES users (id),
  -- Null: every data source of a kind that the source handles.
  data_source_ids text[],
  -- The same as one text, for the index below: the ids in order, comma-separated; empty for all.
  extent text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  started_at timestamptz,
  completed_at timestamptz,
  PRIMARY KEY (org_id, id)
);
-- One at a time of each source and extent: asking again while it runs answers the one that runs.
CREATE UNIQUE INDEX scans_active ON scans (org_id, source, extent)
  WHERE status IN ('queued', 'running') AND trigger <> 'import';
-- Ids rise with time: these are the orders of the lists.
CREATE INDEX scans_by_source ON scans (org_id, source, id);
CREATE INDEX scans_by_status ON scans (org_id, status, id);
ALTER TABLE scans ENABLE ROW LEVEL SECURITY;
ALTER TABLE scans FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON scans USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON scans TO assay_app;

CREATE TABLE scan_targets (
  org_id text COLLATE "C" NOT NULL,
  scan_id text COLLATE "C" NOT NULL,
  data_source_id text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL DEFAULT 'queued'
    CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
  -- Which run of the job may write: a worker that was taken for dead finds another number here and stops.
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
  PRIMARY KEY (org_id, scan_id, data_source_id),
  FOREIGN KEY (org_id, scan_id) REFERENCES scans (org_id, id),
  FOREIGN KEY (org_id, data_source_id) REFERENCES data_sources (org_id, id)
);
-- Two scans of one place by one source never run at the same time: each would miss what only the other saw.
CREATE UNIQUE INDEX scan_targets_running ON scan_targets (org_id, data_source_id, source) WHERE status = 'running';
CREATE INDEX scan_targets_unfinished ON scan_targets (org_id, data_source_id) WHERE status IN ('queued', 'running');
CREATE INDEX scan_targets_heartbeat ON scan_targets (heartbeat_at) WHERE status IN ('queued', 'running');
ALTER TABLE scan_targets ENABLE ROW LEVEL SECURITY;
ALTER TABLE scan_targets FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON scan_targets USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON scan_targets TO assay_app;

-- Targets that no worker has reported on since `before`, with no job left to take them up: their scans must end.
CREATE FUNCTION abandoned_scan_targets(before timestamptz)
  RETURNS TABLE (org_id text, scan_id text, data_source_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    SELECT t.org_id, t.scan_id, t.data_source_id FROM scan_targets t
    WHERE t.status IN ('queued', 'running') AND t.heartbeat_at < before
      AND NOT EXISTS (SELECT 1 FROM graphile_worker._private_jobs j
                      WHERE j.key = t.scan_id || ':' || t.data_source_id AND j.attempts < j.max_attempts)
    LIMIT 100
  $$;
REVOKE ALL ON FUNCTION abandoned_scan_targets(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION abandoned_scan_targets(timestamptz) TO assay_app;
