-- When findings are due, and how far their urgency is up to date with its inputs.

-- The policy of an organization; organizations without a row have the default policy (findings/policy.ts).
CREATE TABLE finding_policies (
  org_id text COLLATE "C" PRIMARY KEY,
  policy json NOT NULL,
  -- The days to fix in the order that finding_due_at() expects: see daysTable() in findings/policy.ts.
  days smallint[] NOT NULL,
  version integer NOT NULL DEFAULT 1
);
ALTER TABLE finding_policies ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON finding_policies USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON finding_policies TO assay_app;

-- Null days mean no due date. Ordered from info to critical; bit 1 of the urgency means test code. Immutable: hours
-- are added without a time zone.
CREATE FUNCTION finding_due_at(closed_at timestamptz, since timestamptz, severity smallint, urgency_bits smallint,
    criticality text, days smallint[]) RETURNS timestamptz
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT CASE WHEN closed_at IS NOT NULL THEN timestamptz 'infinity' ELSE COALESCE(((since AT TIME ZONE 'UTC') + make_interval(hours => 24 * days[
      10 * (CASE criticality WHEN 'low' THEN 0 WHEN 'medium' THEN 1 WHEN 'high' THEN 2 ELSE 3 END)
      + 5 * (urgency_bits & 1) + severity + 1])) AT TIME ZONE 'UTC', timestamptz 'infinity') END $$;

-- The progress of recomputing the urgency of each data source's findings. `inputs` identifies the versions of its
-- inputs.
CREATE TABLE finding_recomputations (
  org_id text COLLATE "C" NOT NULL,
  data_source_id text COLLATE "C" NOT NULL,
  inputs text COLLATE "C" NOT NULL,
  done boolean NOT NULL DEFAULT false,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The last finding that was computed, in the order of identities.
  after_source text COLLATE "C" NOT NULL DEFAULT '',
  after_fingerprint text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (org_id, data_source_id)
);
ALTER TABLE finding_recomputations ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON finding_recomputations USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON finding_recomputations TO assay_app;

-- The progress of updating each organization's findings from the vulnerability feeds and its own aliases.
CREATE TABLE exploitation_recomputations (
  org_id text COLLATE "C" PRIMARY KEY,
  -- The combined version of the feeds and the aliases; -1 before the first.
  version integer NOT NULL,
  -- Counts the changes of finding_aliases.
  aliases_version integer NOT NULL DEFAULT 0,
  done boolean NOT NULL DEFAULT false,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  after_id text COLLATE "C" NOT NULL DEFAULT ''
);
ALTER TABLE exploitation_recomputations ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON exploitation_recomputations USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON exploitation_recomputations TO assay_app;

-- Aliases of vulnerabilities that this organization's imports and scans state, where no feed contains `alias`: as in
-- advisory_aliases.
CREATE TABLE finding_aliases (
  org_id text COLLATE "C" NOT NULL,
  alias text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  PRIMARY KEY (org_id, alias, name)
);
CREATE INDEX finding_aliases_by_name ON finding_aliases (org_id, name, alias);
ALTER TABLE finding_aliases ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON finding_aliases USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON finding_aliases TO assay_app;

-- Organizations with findings whose urgency was computed from outdated inputs, and that no job will update.
CREATE FUNCTION organizations_to_recompute(rules_version integer) RETURNS SETOF text
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    DECLARE
      feeds CONSTANT integer := vulnerability_feeds_version();
    BEGIN
      RETURN QUERY
        SELECT stale.org_id FROM (
          SELECT d.org_id FROM data_sources d
          LEFT JOIN finding_policies p ON p.org_id = d.org_id
          LEFT JOIN finding_recomputations r ON r.org_id = d.org_id AND r.data_source_id = d.id
          WHERE (r.done AND r.inputs = concat_ws('.', rules_version, d.importance_version, COALESCE(p.version, 0))) IS NOT TRUE
          UNION
          SELECT o.id FROM organizations o
          LEFT JOIN exploitation_recomputations r ON r.org_id = o.id
          WHERE feeds + COALESCE(r.aliases_version, 0) > 0
            AND (r.done AND r.version = feeds + r.aliases_version) IS NOT TRUE) stale
        WHERE stale.org_id NOT IN (SELECT organization_id FROM absent_organizations)
          AND NOT has_job('recompute-findings:' || stale.org_id)
        LIMIT 1000;
    END
  $$;
REVOKE ALL ON FUNCTION organizations_to_recompute(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION organizations_to_recompute(integer) TO assay_app;
