-- What an organization has scanned: repositories, websites, hosts, images, and places for uploaded results.

-- A removed data source keeps its row, since findings and scans go on naming it; lists and new scans leave it out.
CREATE TABLE data_sources (
  org_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('git_repository', 'website', 'host', 'container_image', 'upload')),
  name text NOT NULL,
  -- The one spelling of where it is, by which two of a kind are the same; null where there is no place (upload).
  address text COLLATE "C",
  config jsonb NOT NULL,
  -- Sealed to (organization, id, 'credential'); destroyed with the removal.
  sealed_credential text COLLATE "C",
  status text COLLATE "C" NOT NULL DEFAULT 'never_scanned' CHECK (status IN ('never_scanned', 'ok', 'error')),
  status_message text,
  last_scanned_at timestamptz,
  -- Counts what people change; a scan's outcome leaves it.
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  PRIMARY KEY (org_id, id)
);
CREATE UNIQUE INDEX data_sources_address ON data_sources (org_id, kind, address) WHERE deleted_at IS NULL;
-- Ids rise with time, so this is the order of the list too.
CREATE INDEX data_sources_present ON data_sources (org_id, id) WHERE deleted_at IS NULL;
ALTER TABLE data_sources ENABLE ROW LEVEL SECURITY;
ALTER TABLE data_sources FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON data_sources USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON data_sources TO assay_app;
