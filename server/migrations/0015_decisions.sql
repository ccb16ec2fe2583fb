-- Decisions: statements about present and future findings, with a scope and an end, by people, by the files of
-- repositories and by the results of tools.
CREATE TABLE decisions (
  org_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  -- The order in which decisions took effect, whatever the clock: one more than that of all before.
  made bigint NOT NULL,
  -- The finding of which an update made the decision; null for all others. Such a decision is read and changed with the lock of its
  -- finding alone: merges read only the others.
  finding_id text COLLATE "C",
  status text COLLATE "C" NOT NULL DEFAULT 'active'
    CHECK (status IN ('requested', 'active', 'rejected', 'expired', 'withdrawn', 'ended')),
  outcome text COLLATE "C" NOT NULL CHECK (outcome IN ('false_positive', 'accepted_risk', 'triaged', 'demoted')),
  justification text COLLATE "C",
  reason text NOT NULL,
  -- In the API's format.
  scope json NOT NULL,
  -- The specificity of the scope: of several decisions the one with the highest rank applies, then the newest.
  rank smallint NOT NULL,
  until timestamptz,
  -- The conditions that end it, in the API's format; null without any.
  ends_when json,
  origin text COLLATE "C" NOT NULL DEFAULT 'person' CHECK (origin IN ('person', 'repository', 'tool')),
  -- Null for one of a repository or a tool.
  requested_by text COLLATE "C",
  -- The repository or the place of a tool's results, to whose findings its decisions are limited.
  data_source_id text COLLATE "C",
  -- The hash of what the entry in the repository or the result says, by which the next scan recognizes it.
  entry_key text COLLATE "C",
  -- The place of the entry, its commit and its author, as the scan read them.
  entry json,
  -- Counts the changes of a request: an approval names the version that was read.
  version integer NOT NULL DEFAULT 1,
  -- When a request that nobody approves ends.
  expires_at timestamptz,
  -- Whether approvers have been told of a request.
  announced boolean NOT NULL DEFAULT false,
  approved_by text COLLATE "C",
  approved_at timestamptz,
  -- The words of the person who approved or rejected it.
  answer text,
  -- It holds for findings below this severity; null for all. One without approval does not reach those that need it.
  below_severity smallint,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  ended_at timestamptz,
  ended_by text COLLATE "C",
  -- The condition that ended it; for one of a repository also `removed` (from its files) or `policy`.
  ended_because text COLLATE "C",
  -- For event streams.
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, id),
  CHECK ((ended_at IS NULL) = (status IN ('requested', 'active'))),
  CHECK ((expires_at IS NOT NULL) = (status = 'requested')),
  CHECK ((ended_because IS NOT NULL) = (status = 'ended')),
  CHECK ((origin = 'person') = (requested_by IS NOT NULL)),
  CHECK ((origin = 'person') = (data_source_id IS NULL)),
  CHECK ((data_source_id IS NULL) = (entry_key IS NULL)),
  CHECK ((origin = 'repository') = (entry IS NOT NULL)),
  CHECK (origin <> 'tool' OR finding_id IS NOT NULL)
);
CREATE INDEX decisions_active ON decisions (org_id, id) WHERE status = 'active';
CREATE INDEX decisions_requested ON decisions (org_id, id) WHERE status = 'requested';
CREATE INDEX decisions_expiring ON decisions (expires_at) WHERE status = 'requested';
CREATE INDEX decisions_scoped ON decisions (org_id, made) WHERE status = 'active' AND finding_id IS NULL;
CREATE INDEX decisions_by_made ON decisions (org_id, made);
CREATE UNIQUE INDEX decisions_of_finding ON decisions (org_id, finding_id, origin) WHERE status = 'active' AND finding_id IS NOT NULL;
CREATE INDEX decisions_of_repository ON decisions (org_id, data_source_id, finding_id) WHERE data_source_id IS NOT NULL;
CREATE INDEX decisions_ending ON decisions (until) WHERE status = 'active' AND until IS NOT NULL;
-- Those that event streams contain: a bulk update makes thousands of others at once.
CREATE INDEX decisions_changed ON decisions (org_id, changed_at)
  WHERE finding_id IS NULL OR status IN ('requested', 'rejected') OR approved_by IS NOT NULL OR version > 1;
CREATE FUNCTION note_decision_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  NEW.changed_at := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER decisions_change BEFORE UPDATE ON decisions FOR EACH ROW EXECUTE FUNCTION note_decision_change();
CREATE TRIGGER decisions_event AFTER INSERT OR UPDATE ON decisions FOR EACH ROW EXECUTE FUNCTION notify_organization_event();
ALTER TABLE decisions ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON decisions USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON decisions TO assay_app;

-- Decisions and requests of all organizations whose end has come; the worker then acts in each.
CREATE FUNCTION decisions_to_end(at timestamptz) RETURNS TABLE (org_id text, id text, finding_id text)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$ BEGIN RETURN QUERY SELECT d.org_id, d.id, d.finding_id FROM decisions d WHERE d.status = 'active' AND d.until <= at
    AND d.org_id NOT IN (SELECT organization_id FROM absent_organizations)
    UNION ALL SELECT d.org_id, d.id, d.finding_id FROM decisions d WHERE d.status = 'requested' AND d.expires_at <= at
    AND d.org_id NOT IN (SELECT organization_id FROM absent_organizations) LIMIT 1000; END $$;
REVOKE ALL ON FUNCTION decisions_to_end(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION decisions_to_end(timestamptz) TO assay_app;
