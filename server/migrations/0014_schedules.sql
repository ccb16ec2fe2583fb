-- Scans and reports that start by themselves.
--
-- Setting the clock back must not postpone what is due. Each due time is stored with next_run_from, the time from which its cron
-- expression was evaluated, and is valid as long as that time is not in the future.

CREATE TABLE scan_schedules (
  org_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  -- Null for every source that the platform can run when the schedule is due.
  sources text[] CHECK (cardinality(sources) > 0),
  -- Null for every data source of a kind that a source handles, unless there are tags.
  data_source_ids text[],
  -- Data sources with any of these tags when the schedule is due, besides those in data_source_ids.
  data_source_tags text[] CHECK (cardinality(data_source_tags) > 0),
  cron text NOT NULL,
  timezone text NOT NULL,
  enabled boolean NOT NULL,
  -- Null while disabled.
  next_run_at timestamptz,
  last_run_at timestamptz,
  -- The scans of the last due time that started any.
  last_scan_ids text[] NOT NULL DEFAULT '{}',
  -- The reason why the last due time started no scan, or not all of them.
  last_error text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  next_run_from timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, id),
  CHECK (enabled OR next_run_at IS NULL)
);
CREATE INDEX scan_schedules_due ON scan_schedules (next_run_at) WHERE next_run_at IS NOT NULL;
CREATE INDEX scan_schedules_computed ON scan_schedules (next_run_from) WHERE next_run_at IS NOT NULL;
ALTER TABLE scan_schedules ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON scan_schedules USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON scan_schedules TO assay_app;

CREATE TABLE scheduled_reports (
  org_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  id text COLLATE "C" NOT NULL,
  title text NOT NULL,
  -- The filters as entered; evaluated again, on behalf of the creator, at each due time.
  filters json NOT NULL,
  cron text NOT NULL,
  timezone text NOT NULL,
  format text COLLATE "C" NOT NULL,
  recipients text[] NOT NULL CHECK (cardinality(recipients) > 0),
  enabled boolean NOT NULL,
  -- Null while disabled.
  next_run_at timestamptz,
  last_run_at timestamptz,
  last_report_id text COLLATE "C",
  -- The reason why the last due time created no report; errors of a created report are stored with that report.
  last_error text,
  created_by text COLLATE "C" NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  next_run_from timestamptz NOT NULL DEFAULT clock_timestamp(),
  template text COLLATE "C" NOT NULL DEFAULT 'executive',
  document json NOT NULL DEFAULT '{}',
  PRIMARY KEY (org_id, id),
  CHECK (enabled OR next_run_at IS NULL)
);
CREATE INDEX scheduled_reports_due ON scheduled_reports (next_run_at) WHERE next_run_at IS NOT NULL;
CREATE INDEX scheduled_reports_computed ON scheduled_reports (next_run_from) WHERE next_run_at IS NOT NULL;
ALTER TABLE scheduled_reports ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON scheduled_reports USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON scheduled_reports TO assay_app;

-- Schedules of all organizations, at most `most` of each kind, that are due or whose due time was computed at a time
-- now in the future; the worker then acts in each organization.
CREATE FUNCTION due_schedules(most integer) RETURNS TABLE (kind text, org_id text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    SELECT d.kind, d.org_id, d.id FROM (
      (SELECT 'scan' AS kind, s.org_id, s.id, s.next_run_at FROM scan_schedules s
       WHERE s.next_run_at IS NOT NULL AND (s.next_run_at <= clock_timestamp() OR s.next_run_from > clock_timestamp())
         AND s.org_id NOT IN (SELECT organization_id FROM absent_organizations)
       ORDER BY s.next_run_at LIMIT most)
      UNION ALL
      (SELECT 'report', s.org_id, s.id, s.next_run_at FROM scheduled_reports s
       WHERE s.next_run_at IS NOT NULL AND (s.next_run_at <= clock_timestamp() OR s.next_run_from > clock_timestamp())
         AND s.org_id NOT IN (SELECT organization_id FROM absent_organizations)
       ORDER BY s.next_run_at LIMIT most)
    ) d ORDER BY d.next_run_at
  $$;
REVOKE ALL ON FUNCTION due_schedules(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION due_schedules(integer) TO assay_app;

-- Counts the schedules of all organizations that should have run, for operators.
CREATE FUNCTION overdue_schedules() RETURNS TABLE (overdue bigint, oldest_seconds double precision)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT count(*), extract(epoch FROM clock_timestamp() - min(due.at))::double precision
  FROM (SELECT org_id, next_run_at AS at FROM public.scan_schedules
        UNION ALL SELECT org_id, next_run_at FROM public.scheduled_reports) AS due
  WHERE due.at < clock_timestamp() - interval '10 minutes' AND due.org_id NOT IN (SELECT organization_id FROM public.absent_organizations)
$$;
REVOKE ALL ON FUNCTION overdue_schedules() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION overdue_schedules() TO assay_app;
