-- Reports: what the findings were at one moment, and the documents made of it.

CREATE TABLE scheduled_reports (
  org_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  id text COLLATE "C" NOT NULL,
  title text NOT NULL,
  -- As given; read anew, in the name of the creator, at each due time.
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
  -- Why the last due time made no report; what went wrong with a report that was made stands there.
  last_error text,
  created_by text COLLATE "C" NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, id),
  CHECK (enabled OR next_run_at IS NULL)
);
CREATE INDEX scheduled_reports_due ON scheduled_reports (next_run_at) WHERE next_run_at IS NOT NULL;
ALTER TABLE scheduled_reports ENABLE ROW LEVEL SECURITY;
ALTER TABLE scheduled_reports FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON scheduled_reports USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON scheduled_reports TO assay_app;

-- Scheduled reports whose time has come, of all organizations; the worker then acts in each of them.
CREATE FUNCTION due_scheduled_reports(most integer) RETURNS TABLE (org_id text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    SELECT s.org_id, s.id FROM scheduled_reports s
    WHERE s.next_run_at <= clock_timestamp() ORDER BY s.next_run_at LIMIT most
  $$;
REVOKE ALL ON FUNCTION due_scheduled_reports(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION due_scheduled_reports(integer) TO assay_app;

CREATE TABLE reports (
  org_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  id text COLLATE "C" NOT NULL,
  title text NOT NULL,
  filters json NOT NULL,
  status text COLLATE "C" NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'ready', 'failed')),
  error text,
  -- How often a worker began to take the snapshot: one that brings workers down is given up.
  attempts integer NOT NULL DEFAULT 0,
  -- All that the formats show besides the findings themselves (reports/report-model.ts); null until it is ready.
  head json,
  created_by text COLLATE "C",
  -- No foreign key: reports outlive the scheduled report that made them.
  scheduled_report_id text COLLATE "C",
  -- What is mailed when it is ready; null for nothing.
  mail_format text COLLATE "C",
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  completed_at timestamptz,
  PRIMARY KEY (org_id, id),
  CHECK ((status = 'ready') = (head IS NOT NULL))
);
ALTER TABLE reports ENABLE ROW LEVEL SECURITY;
ALTER TABLE reports FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON reports USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON reports TO assay_app;

-- The findings of a snapshot in the order of the report, some hundreds in a row: a JSON array, compressed with zstd.
-- No foreign key: it would hold the report's row for as long as the snapshot takes, and with it whoever deletes the report.
CREATE TABLE report_batches (
  org_id text COLLATE "C" NOT NULL,
  report_id text COLLATE "C" NOT NULL,
  sequence integer NOT NULL,
  findings bytea NOT NULL,
  PRIMARY KEY (org_id, report_id, sequence)
);
ALTER TABLE report_batches ALTER COLUMN findings SET STORAGE EXTERNAL;
ALTER TABLE report_batches ENABLE ROW LEVEL SECURITY;
ALTER TABLE report_batches FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON report_batches USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON report_batches TO assay_app;

-- The documents that were asked for: rendered once, kept as long as the report.
CREATE TABLE report_exports (
  org_id text COLLATE "C" NOT NULL,
  report_id text COLLATE "C" NOT NULL,
  format text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'ready', 'failed')),
  -- Each attempt writes pieces of its own: a reader never mixes two.
  attempt integer NOT NULL DEFAULT 0,
  -- Bytes of the file; null until it is ready.
  size bigint,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  completed_at timestamptz,
  PRIMARY KEY (org_id, report_id, format),
  FOREIGN KEY (org_id, report_id) REFERENCES reports (org_id, id) ON DELETE CASCADE,
  CHECK ((status = 'ready') = (size IS NOT NULL))
);
ALTER TABLE report_exports ENABLE ROW LEVEL SECURITY;
ALTER TABLE report_exports FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON report_exports USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON report_exports TO assay_app;

-- The bytes of an export, in order, each piece compressed with zstd.
CREATE TABLE report_export_pieces (
  org_id text COLLATE "C" NOT NULL,
  report_id text COLLATE "C" NOT NULL,
  format text COLLATE "C" NOT NULL,
  attempt integer NOT NULL,
  sequence integer NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (org_id, report_id, format, attempt, sequence),
  FOREIGN KEY (org_id, report_id, format) REFERENCES report_exports (org_id, report_id, format) ON DELETE CASCADE
);
ALTER TABLE report_export_pieces ALTER COLUMN content SET STORAGE EXTERNAL;
ALTER TABLE report_export_pieces ENABLE ROW LEVEL SECURITY;
ALTER TABLE report_export_pieces FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON report_export_pieces USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON report_export_pieces TO assay_app;

-- To whom a report is mailed, a mail each: one address that fails holds up nobody else.
CREATE TABLE report_deliveries (
  org_id text COLLATE "C" NOT NULL,
  report_id text COLLATE "C" NOT NULL,
  recipient text NOT NULL,
  status text COLLATE "C" NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'sent', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  -- What the last attempt failed of.
  error text,
  sent_at timestamptz,
  PRIMARY KEY (org_id, report_id, recipient),
  FOREIGN KEY (org_id, report_id) REFERENCES reports (org_id, id) ON DELETE CASCADE
);
ALTER TABLE report_deliveries ENABLE ROW LEVEL SECURITY;
ALTER TABLE report_deliveries FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON report_deliveries USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON report_deliveries TO assay_app;
