-- The targets of an organization's scans: repositories, websites, hosts, images, and places for uploaded results.

-- A removed data source keeps its row, since findings and scans still refer to it; lists and new scans omit it.
CREATE TABLE data_sources (
  org_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('git_repository', 'website', 'host', 'container_image', 'upload')),
  name text NOT NULL,
  -- The normalised location, which identifies a data source among those of its kind; null without a location
  -- (upload).
  address text COLLATE "C",
  config jsonb NOT NULL,
  -- Sealed to (organization, id, 'credential'); deleted on removal.
  sealed_credential text COLLATE "C",
  last_scanned_at timestamptz,
  -- Counts changes by people; scans don't change it.
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  -- Statements of people about a data source, which determine how urgent its findings are.
  tags text[] NOT NULL DEFAULT '{}',
  -- No foreign key: the value stays when the person leaves, like the assignee of a finding.
  owner_id text COLLATE "C",
  criticality text COLLATE "C" NOT NULL DEFAULT 'medium' CHECK (criticality IN ('low', 'medium', 'high', 'critical')),
  exposure text COLLATE "C" NOT NULL DEFAULT 'internal' CHECK (exposure IN ('internal', 'public')),
  -- Counts the changes of values that the urgency of its findings depends on.
  importance_version integer NOT NULL DEFAULT 1,
  -- The start of the newest scan that has read the repository's decisions: an older one doesn't bring back what it saw.
  decisions_read_at timestamptz,
  PRIMARY KEY (org_id, id)
);
CREATE UNIQUE INDEX data_sources_address ON data_sources (org_id, kind, address) WHERE deleted_at IS NULL;
-- The orders of the list. Ids ascend with time.
CREATE INDEX data_sources_present ON data_sources (org_id, id) WHERE deleted_at IS NULL;
CREATE INDEX data_sources_by_name ON data_sources (org_id, (lower(name) COLLATE "C"), id) WHERE deleted_at IS NULL;
CREATE INDEX data_sources_by_scan ON data_sources (org_id, COALESCE(last_scanned_at, '-infinity'), id) WHERE deleted_at IS NULL;
CREATE INDEX data_sources_removed ON data_sources (org_id, id) WHERE deleted_at IS NOT NULL;
ALTER TABLE data_sources ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON data_sources USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON data_sources TO assay_app;

-- For the command line, where a data source is given without its organization.
CREATE FUNCTION organization_of_data_source(data_source_id text) RETURNS text
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$ BEGIN RETURN (SELECT d.org_id FROM data_sources d WHERE d.id = data_source_id AND d.deleted_at IS NULL
    AND d.org_id NOT IN (SELECT organization_id FROM absent_organizations)); END $$;
REVOKE ALL ON FUNCTION organization_of_data_source(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION organization_of_data_source(text) TO assay_app;

CREATE FUNCTION organizations_with_credentials() RETURNS SETOF text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$ SELECT o.id FROM organizations o WHERE EXISTS (
    SELECT FROM data_sources d WHERE d.org_id = o.id AND d.sealed_credential IS NOT NULL
  ) AND o.id NOT IN (SELECT organization_id FROM absent_organizations) $$;
REVOKE ALL ON FUNCTION organizations_with_credentials() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION organizations_with_credentials() TO assay_app;
