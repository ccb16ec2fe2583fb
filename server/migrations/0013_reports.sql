-- Reports: snapshots of findings, and the documents created from them.

CREATE TABLE reports (
  org_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  id text COLLATE "C" NOT NULL,
  title text NOT NULL,
  filters json NOT NULL,
  status text COLLATE "C" NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'ready', 'failed')),
  error text,
  -- The number of failed snapshots; interruptions don't count.
  attempts integer NOT NULL DEFAULT 0,
  -- Everything in the formats besides the findings themselves (reports/report-model.ts); null until it is ready.
  head json,
  created_by text COLLATE "C",
  -- No foreign key: reports outlive the scheduled report that created them.
  scheduled_report_id text COLLATE "C",
  -- The format that is mailed when the report is ready; null for none.
  mail_format text COLLATE "C",
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  completed_at timestamptz,
  template text COLLATE "C" NOT NULL DEFAULT 'audit',
  -- Author, state, appearance and other properties of the document. Missing members have their defaults:
  -- reports/report-document.ts.
  document json NOT NULL DEFAULT '{}',
  -- The earlier report for the comparison.
  compare_to text COLLATE "C",
  -- A draft is reviewed and then made final, each by a person. The revision increases with each change: documents
  -- contain the state.
  state text COLLATE "C" NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'reviewed', 'final')),
  revision integer NOT NULL DEFAULT 0,
  reviewed_by text COLLATE "C",
  reviewed_at timestamptz,
  finalized_by text COLLATE "C",
  finalized_at timestamptz,
  -- The SHA-256 of the snapshot: its head as stored, then the text of each batch, each followed by a newline.
  snapshot_sha256 bytea,
  PRIMARY KEY (org_id, id),
  CHECK ((status = 'ready') = (head IS NOT NULL)),
  CHECK ((head IS NULL) = (snapshot_sha256 IS NULL)),
  CHECK ((state <> 'draft') = (reviewed_at IS NOT NULL)),
  CHECK ((state = 'final') = (finalized_at IS NOT NULL))
);
CREATE INDEX reports_pending ON reports (org_id) WHERE status = 'pending';
CREATE INDEX reports_by_completion ON reports (org_id, completed_at);
-- The reports of a scheduled report, including the last one.
CREATE INDEX reports_by_schedule ON reports (org_id, scheduled_report_id, id) WHERE scheduled_report_id IS NOT NULL;
CREATE TRIGGER reports_event AFTER INSERT OR UPDATE OF status, state ON reports FOR EACH ROW
  EXECUTE FUNCTION notify_organization_event();
ALTER TABLE reports ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON reports USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON reports TO assay_app;

-- The organization of a report, for the command that checks a document: a document only contains its report's id.
CREATE FUNCTION organization_of_report(report_id text) RETURNS text
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$ BEGIN RETURN (SELECT r.org_id FROM reports r WHERE r.id = report_id
    AND r.org_id NOT IN (SELECT organization_id FROM absent_organizations)); END $$;
REVOKE ALL ON FUNCTION organization_of_report(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION organization_of_report(text) TO assay_app;

-- The findings of a snapshot in report order, some hundreds in a row: a JSON array, compressed with zstd. No foreign
-- key: it would lock the report's row for the duration of the snapshot, and block a deletion of the report.
CREATE TABLE report_batches (
  org_id text COLLATE "C" NOT NULL,
  report_id text COLLATE "C" NOT NULL,
  sequence integer NOT NULL,
  findings bytea NOT NULL,
  PRIMARY KEY (org_id, report_id, sequence)
);
ALTER TABLE report_batches ALTER COLUMN findings SET STORAGE EXTERNAL;
ALTER TABLE report_batches ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON report_batches USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON report_batches TO assay_app;

-- The requested documents, rendered once and stored as long as the report.
CREATE TABLE report_exports (
  org_id text COLLATE "C" NOT NULL,
  report_id text COLLATE "C" NOT NULL,
  format text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'ready', 'failed')),
  -- Each attempt writes separate pieces, so that a reader never mixes two attempts.
  attempt integer NOT NULL DEFAULT 0,
  -- Bytes of the file; null until it is ready.
  size bigint,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  completed_at timestamptz,
  -- The number of failed attempts; interruptions don't count.
  failures integer NOT NULL DEFAULT 0,
  -- The SHA-256 of the file, and of its stored form, which is sent to clients that accept zstd.
  sha256 bytea,
  packed_sha256 bytea,
  -- Advice for callers on a failed export; null when the reason is only in the log.
  error text,
  PRIMARY KEY (org_id, report_id, format),
  FOREIGN KEY (org_id, report_id) REFERENCES reports (org_id, id) ON DELETE CASCADE,
  CHECK ((status = 'ready') = (size IS NOT NULL))
);
CREATE INDEX report_exports_pending ON report_exports (org_id) WHERE status = 'pending';
ALTER TABLE report_exports ENABLE ROW LEVEL SECURITY;
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
CREATE POLICY tenant ON report_export_pieces USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON report_export_pieces TO assay_app;

-- The recipients of a report, one mail each: an address that fails delays no other.
CREATE TABLE report_deliveries (
  org_id text COLLATE "C" NOT NULL,
  report_id text COLLATE "C" NOT NULL,
  recipient text NOT NULL,
  status text COLLATE "C" NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'sent', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  -- The error of the last attempt.
  error text,
  sent_at timestamptz,
  PRIMARY KEY (org_id, report_id, recipient),
  FOREIGN KEY (org_id, report_id) REFERENCES reports (org_id, id) ON DELETE CASCADE
);
CREATE INDEX report_deliveries_pending ON report_deliveries (org_id) WHERE status = 'pending';
ALTER TABLE report_deliveries ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON report_deliveries USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON report_deliveries TO assay_app;

-- Snapshots, exports (with a format) and mails (with a recipient) without a job, of all organizations. A mail waits
-- for its export, which then sends it.
CREATE FUNCTION report_work_without_job() RETURNS TABLE (org_id text, report_id text, format text, recipient text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    (SELECT r.org_id, r.id, NULL, NULL FROM reports r
     WHERE r.status = 'pending' AND r.org_id NOT IN (SELECT organization_id FROM absent_organizations)
       AND NOT has_job('take-report-snapshot:' || r.org_id || ':' || r.id) LIMIT 1000)
    UNION ALL
    (SELECT e.org_id, e.report_id, e.format, NULL FROM report_exports e
     WHERE e.status = 'pending' AND e.org_id NOT IN (SELECT organization_id FROM absent_organizations)
       AND NOT has_job('render-report-export:' || e.org_id || ':' || e.report_id || ':' || e.format) LIMIT 1000)
    UNION ALL
    (SELECT d.org_id, d.report_id, NULL, d.recipient
     FROM report_deliveries d JOIN reports r ON r.org_id = d.org_id AND r.id = d.report_id
     WHERE d.status = 'pending' AND r.status = 'ready' AND r.mail_format IS NOT NULL
       AND d.org_id NOT IN (SELECT organization_id FROM absent_organizations)
       AND NOT EXISTS (SELECT FROM report_exports e WHERE e.org_id = r.org_id AND e.report_id = r.id
                         AND e.format = r.mail_format AND e.status = 'pending')
       AND NOT has_job('deliver-report:' || d.org_id || ':' || d.report_id || ':' || d.recipient) LIMIT 1000)
  $$;
REVOKE ALL ON FUNCTION report_work_without_job() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION report_work_without_job() TO assay_app;
