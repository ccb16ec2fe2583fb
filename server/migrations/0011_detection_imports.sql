-- Results of other tools, stored until they are merged into the findings.

-- Detection sources whose results are only imported. The first import creates them.
CREATE TABLE push_sources (
  org_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  type text COLLATE "C" NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, type)
);
ALTER TABLE push_sources ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON push_sources USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON push_sources TO assay_app;

-- Received result files until they are merged: the orders, and their batches (import_batches).
CREATE TABLE imports (
  org_id text COLLATE "C" NOT NULL,
  scan_id text COLLATE "C" NOT NULL,
  data_source_id text COLLATE "C" NOT NULL,
  batches integer NOT NULL,
  -- The detection sources that the file covers.
  sources text[] NOT NULL,
  close_missing boolean NOT NULL,
  -- The reasons why the file closes nothing; empty when it may.
  incomplete text[] NOT NULL,
  -- By detection source: the reasons why the file closes nothing of it, and the files whose findings stay unchanged.
  gaps json NOT NULL DEFAULT '{}',
  -- Sentences about truncated texts of the file, which the import shows as warnings.
  cut text[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (org_id, scan_id),
  FOREIGN KEY (org_id, scan_id) REFERENCES scans (org_id, id)
);
ALTER TABLE imports ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON imports USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON imports TO assay_app;

-- A result file as candidate rows, in batches, until a worker on any machine has merged them. A file that turns out
-- to be invalid, or whose sender disconnects, leaves batches without a scan; they are removed.
CREATE TABLE import_batches (
  org_id text COLLATE "C" NOT NULL,
  scan_id text COLLATE "C" NOT NULL,
  sequence integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  source text NOT NULL,
  suppressed text NOT NULL,
  -- One array per column of facts (findings/fact-columns.ts), which the merge reads without leaving the database. Null
  -- for a column without values.
  fingerprint text[] COLLATE "C" NOT NULL,
  facts_hash bigint[] NOT NULL,
  severity smallint[] NOT NULL,
  title text[] NOT NULL,
  rule_id text[] NOT NULL,
  path text[],
  start_line integer[],
  end_line integer[],
  start_column integer[],
  end_column integer[],
  commit text[],
  url text[],
  ecosystem text[],
  package_name text[],
  package_version text[],
  fixed_version text[],
  purl text[],
  identifiers json[] NOT NULL,
  evidence text[],
  places json[],
  excerpts json[],
  occurrences integer[] NOT NULL,
  words text[] NOT NULL,
  urgency_points smallint[] NOT NULL,
  urgency_bits smallint[] NOT NULL,
  in_package boolean[] NOT NULL,
  weaknesses text[],
  cvss double precision[],
  text bigint[] NOT NULL,
  cves text[],
  advisories text[],
  aliases text[],
  problem bigint[],
  -- The distinct texts of the batch: numbers, rules, members and words.
  shared_text bigint[],
  shared_rule json[],
  shared_members text[],
  shared_words text[],
  -- The result of the batch; null until it is merged.
  merged_new integer,
  merged_seen integer,
  merged_reopened integer,
  PRIMARY KEY (org_id, scan_id, sequence)
);
-- Rows exist for seconds: compressing them costs more than it saves.
ALTER TABLE import_batches
  ALTER COLUMN fingerprint SET STORAGE EXTERNAL,
  ALTER COLUMN facts_hash SET STORAGE EXTERNAL,
  ALTER COLUMN severity SET STORAGE EXTERNAL,
  ALTER COLUMN title SET STORAGE EXTERNAL,
  ALTER COLUMN rule_id SET STORAGE EXTERNAL,
  ALTER COLUMN path SET STORAGE EXTERNAL,
  ALTER COLUMN start_line SET STORAGE EXTERNAL,
  ALTER COLUMN end_line SET STORAGE EXTERNAL,
  ALTER COLUMN start_column SET STORAGE EXTERNAL,
  ALTER COLUMN end_column SET STORAGE EXTERNAL,
  ALTER COLUMN commit SET STORAGE EXTERNAL,
  ALTER COLUMN url SET STORAGE EXTERNAL,
  ALTER COLUMN ecosystem SET STORAGE EXTERNAL,
  ALTER COLUMN package_name SET STORAGE EXTERNAL,
  ALTER COLUMN package_version SET STORAGE EXTERNAL,
  ALTER COLUMN fixed_version SET STORAGE EXTERNAL,
  ALTER COLUMN purl SET STORAGE EXTERNAL,
  ALTER COLUMN identifiers SET STORAGE EXTERNAL,
  ALTER COLUMN evidence SET STORAGE EXTERNAL,
  ALTER COLUMN places SET STORAGE EXTERNAL,
  ALTER COLUMN excerpts SET STORAGE EXTERNAL,
  ALTER COLUMN occurrences SET STORAGE EXTERNAL,
  ALTER COLUMN words SET STORAGE EXTERNAL,
  ALTER COLUMN urgency_points SET STORAGE EXTERNAL,
  ALTER COLUMN urgency_bits SET STORAGE EXTERNAL,
  ALTER COLUMN in_package SET STORAGE EXTERNAL,
  ALTER COLUMN weaknesses SET STORAGE EXTERNAL,
  ALTER COLUMN text SET STORAGE EXTERNAL,
  ALTER COLUMN cves SET STORAGE EXTERNAL,
  ALTER COLUMN advisories SET STORAGE EXTERNAL,
  ALTER COLUMN aliases SET STORAGE EXTERNAL,
  ALTER COLUMN problem SET STORAGE EXTERNAL,
  ALTER COLUMN cvss SET STORAGE EXTERNAL,
  ALTER COLUMN shared_text SET STORAGE EXTERNAL,
  ALTER COLUMN shared_rule SET STORAGE EXTERNAL,
  ALTER COLUMN shared_members SET STORAGE EXTERNAL,
  ALTER COLUMN shared_words SET STORAGE EXTERNAL;
CREATE INDEX import_batches_age ON import_batches (created_at);
ALTER TABLE import_batches ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON import_batches USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON import_batches TO assay_app;

-- Removes received batches that are not, or no longer, to be merged, of all organizations; returns the number.
CREATE FUNCTION purge_import_batches(before timestamptz) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    DECLARE
      removed bigint;
    BEGIN
      DELETE FROM imports i USING scans s WHERE s.org_id = i.org_id AND s.id = i.scan_id AND s.completed_at < before
        AND i.org_id NOT IN (SELECT organization_id FROM absent_organizations);
      DELETE FROM import_batches b WHERE b.created_at < before
        AND b.org_id NOT IN (SELECT organization_id FROM absent_organizations)
        AND NOT EXISTS (SELECT 1 FROM scans s WHERE s.org_id = b.org_id AND s.id = b.scan_id AND s.status IN ('queued', 'running'));
      GET DIAGNOSTICS removed = ROW_COUNT;
      RETURN removed;
    END
  $$;
REVOKE ALL ON FUNCTION purge_import_batches(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION purge_import_batches(timestamptz) TO assay_app;
