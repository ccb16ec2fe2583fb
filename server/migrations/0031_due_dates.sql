-- When findings are due: days to fix by severity, criticality of the data source and whether the code is a test.

-- What an organization has decided; organizations without a row have the default policy (findings/policy.ts).
CREATE TABLE finding_policies (
  org_id text COLLATE "C" PRIMARY KEY,
  policy json NOT NULL,
  -- The days to fix as finding_due_at() reads them: see daysTable() in findings/policy.ts.
  days smallint[] NOT NULL,
  version integer NOT NULL DEFAULT 1
);
ALTER TABLE finding_policies ENABLE ROW LEVEL SECURITY;
ALTER TABLE finding_policies FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON finding_policies USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON finding_policies TO assay_app;

-- Counts the changes of what the urgency of its findings depends on.
ALTER TABLE data_sources ADD COLUMN importance_version integer NOT NULL DEFAULT 1;

-- Never null, so that a list in its order can go on after any row: `infinity` is no due date. 18 bytes for each finding at most,
-- and an index of 75 bytes for each; existing findings get their due date from a job.
ALTER TABLE findings
  ADD COLUMN due_at timestamptz NOT NULL DEFAULT 'infinity',
  -- When it was last opened again; null when it never was.
  ADD COLUMN reopened_at timestamptz,
  -- What raised and lowered the urgency, as bits: findings/urgency.ts.
  ADD COLUMN urgency_bits smallint NOT NULL DEFAULT 0;
CREATE INDEX findings_by_due ON findings (org_id, due_at, id) INCLUDE (first_seen_at, updated_at, traits);

-- Null days are no due date. In the order of info to critical; bit 1 of the urgency says that the code is a test.
CREATE FUNCTION finding_due_at(closed_at timestamptz, since timestamptz, severity smallint, urgency_bits smallint, criticality text, days smallint[])
  RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT CASE WHEN closed_at IS NOT NULL THEN 'infinity' ELSE COALESCE(since + make_interval(hours => 24 * days[
      10 * (CASE criticality WHEN 'low' THEN 0 WHEN 'medium' THEN 1 WHEN 'high' THEN 2 ELSE 3 END)
      + 5 * (urgency_bits & 1) + severity + 1]), 'infinity') END $$;

-- How far the urgency of each data source's findings was computed. `inputs` names the versions of what it was computed from.
CREATE TABLE finding_recomputations (
  org_id text COLLATE "C" NOT NULL,
  data_source_id text COLLATE "C" NOT NULL,
  inputs text COLLATE "C" NOT NULL,
  done boolean NOT NULL DEFAULT false,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  after_first_seen_at timestamptz NOT NULL DEFAULT '-infinity',
  after_id text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (org_id, data_source_id)
);
ALTER TABLE finding_recomputations ENABLE ROW LEVEL SECURITY;
ALTER TABLE finding_recomputations FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON finding_recomputations USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON finding_recomputations TO assay_app;

-- The versions of what the urgency of a data source's findings depends on.
CREATE FUNCTION finding_urgency_inputs(org text, importance_version integer, rules_version integer) RETURNS text
  LANGUAGE sql STABLE
  AS $$ SELECT concat_ws('.', rules_version, importance_version,
      COALESCE((SELECT p.version FROM finding_policies p WHERE p.org_id = org), 0)) $$;

-- Organizations with findings whose urgency was computed from what no longer holds, and that no job will take up.
CREATE FUNCTION organizations_to_recompute(rules_version integer) RETURNS SETOF text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    SELECT DISTINCT d.org_id FROM data_sources d
    LEFT JOIN finding_recomputations r ON r.org_id = d.org_id AND r.data_source_id = d.id
    WHERE (r.done AND r.inputs = finding_urgency_inputs(d.org_id, d.importance_version, rules_version)) IS NOT TRUE
      AND NOT has_job('recompute-findings:' || d.org_id)
    LIMIT 1000
  $$;
REVOKE ALL ON FUNCTION organizations_to_recompute(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION organizations_to_recompute(integer) TO assay_app;
