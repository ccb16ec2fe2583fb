-- What scanners found, merged into one lasting row per problem, and what people decided about it.

-- A few bits of a set of tags: sets that share a tag share a bit.
CREATE FUNCTION finding_tag_bits(tags text[]) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT COALESCE(bit_or(1::bigint << (53 + (hashtext(tag) & 2147483647) % 11)), 0) FROM unnest(tags) AS tag $$;

-- What lists filter by, in 64 bits: severity and status as they are, the others as hashes (findings/traits.ts).
CREATE FUNCTION finding_traits(severity smallint, status text, source text, data_source_id text, rule_id text, assignee_id text, tags text[])
  RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT severity
    | ((CASE status WHEN 'new' THEN 0 WHEN 'triaged' THEN 1 WHEN 'in_progress' THEN 2 WHEN 'resolved' THEN 3
         WHEN 'false_positive' THEN 4 ELSE 5 END)::bigint << 3)
    | ((hashtext(source) & 255)::bigint << 6) | ((hashtext(data_source_id) & 16383)::bigint << 14)
    | ((hashtext(rule_id) & 16383)::bigint << 28)
    | (CASE WHEN assignee_id IS NULL THEN 0 ELSE ((hashtext(assignee_id) | 1) & 2047)::bigint << 42 END)
    | (CASE WHEN tags = '{}' THEN 0 ELSE finding_tag_bits(tags) END) $$;

-- Identity: organization, data source, source and fingerprint. A scan writes the facts, people the decisions;
-- `status` moves by the rules of findings/lifecycle.ts.
CREATE TABLE findings (
  org_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  -- No foreign key: rows come only through a scan of that data source, whose row is never removed, and
  -- the check would be paid for every finding of every import.
  data_source_id text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  -- facts
  severity smallint NOT NULL CHECK (severity BETWEEN 0 AND 4),
  title text NOT NULL,
  rule_id text COLLATE "C" NOT NULL,
  -- description, rule, location, identifiers, cvss_score, evidence, remediation and references, spelled as the API
  -- answers them: a list page copies this text instead of building fifty objects.
  facts json NOT NULL,
  -- All the places when there is more than the one in `facts`; at most 100.
  places json,
  occurrences integer NOT NULL DEFAULT 1,
  -- Hash over everything that a scan writes: a finding seen again unchanged is recognised without comparing texts.
  facts_hash bigint NOT NULL,
  -- The words of title, path, rule and identifiers that `q` looks for.
  words tsvector NOT NULL,
  first_seen_at timestamptz NOT NULL,
  first_scan_id text COLLATE "C" NOT NULL,
  -- While `seen_last` holds, the finding was last seen by the last completed scan (finding_coverage): re-seeing writes nothing.
  seen_last boolean NOT NULL DEFAULT true,
  last_seen_at timestamptz NOT NULL,
  -- decisions and lifecycle
  status text COLLATE "C" NOT NULL DEFAULT 'new'
    CHECK (status IN ('new', 'triaged', 'in_progress', 'resolved', 'false_positive', 'accepted_risk')),
  resolution text COLLATE "C" CHECK (resolution IN ('fixed', 'data_source_removed')),
  accepted_until timestamptz,
  assignee_id text COLLATE "C",
  tags text[] NOT NULL DEFAULT '{}',
  reopened_count integer NOT NULL DEFAULT 0,
  comment_count integer NOT NULL DEFAULT 0,
  closed_at timestamptz,
  updated_at timestamptz NOT NULL,
  version integer NOT NULL DEFAULT 1,
  traits bigint NOT NULL GENERATED ALWAYS AS (finding_traits(severity, status, source, data_source_id, rule_id, assignee_id, tags)) STORED,
  PRIMARY KEY (org_id, id),
  CHECK ((closed_at IS NOT NULL) = (status IN ('resolved', 'false_positive', 'accepted_risk')))
);
CREATE UNIQUE INDEX findings_identity ON findings (org_id, data_source_id, source, fingerprint);
-- Each serves one order or one filter; the traits and times that they carry answer the others without a look at the table.
CREATE INDEX findings_by_first_seen ON findings (org_id, first_seen_at, id) INCLUDE (updated_at, traits);
CREATE INDEX findings_by_updated ON findings (org_id, updated_at, id) INCLUDE (first_seen_at, traits);
CREATE INDEX findings_by_status_severity ON findings (org_id, status, severity, first_seen_at, id) INCLUDE (updated_at, traits);
CREATE INDEX findings_by_data_source ON findings (org_id, data_source_id, first_seen_at, id) INCLUDE (updated_at, traits);
CREATE INDEX findings_by_rule ON findings (org_id, rule_id, first_seen_at, id) INCLUDE (updated_at, traits);
CREATE INDEX findings_by_assignee ON findings (org_id, assignee_id, first_seen_at, id) INCLUDE (updated_at, traits)
  WHERE assignee_id IS NOT NULL;
-- Reached through findings_with_words() only: under row-level security no index serves an operator that is not leakproof.
CREATE INDEX findings_by_word ON findings USING gin (words);
CREATE INDEX findings_acceptance_ends ON findings (accepted_until) WHERE accepted_until IS NOT NULL;
ALTER TABLE findings ENABLE ROW LEVEL SECURITY;
ALTER TABLE findings FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON findings USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON findings TO assay_app;

-- The tags again, one row each, for the filter: an array operator is not leakproof, equality of text is.
CREATE TABLE finding_tags (
  org_id text COLLATE "C" NOT NULL,
  tag text COLLATE "C" NOT NULL,
  finding_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (org_id, tag, finding_id),
  FOREIGN KEY (org_id, finding_id) REFERENCES findings (org_id, id)
);
CREATE INDEX finding_tags_of_finding ON finding_tags (org_id, finding_id);
ALTER TABLE finding_tags ENABLE ROW LEVEL SECURITY;
ALTER TABLE finding_tags FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON finding_tags USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON finding_tags TO assay_app;

-- The last completed scan of each data source by each source.
CREATE TABLE finding_coverage (
  org_id text COLLATE "C" NOT NULL,
  data_source_id text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  scan_id text COLLATE "C" NOT NULL,
  started_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  PRIMARY KEY (org_id, data_source_id, source)
);
ALTER TABLE finding_coverage ENABLE ROW LEVEL SECURITY;
ALTER TABLE finding_coverage FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON finding_coverage USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON finding_coverage TO assay_app;

-- Every change after the first sighting: who or which scan, when, and {field: [from, to]}.
CREATE TABLE finding_history (
  org_id text COLLATE "C" NOT NULL,
  finding_id text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  user_id text COLLATE "C",
  scan_id text COLLATE "C",
  changes json NOT NULL,
  PRIMARY KEY (org_id, finding_id, at, id)
);
ALTER TABLE finding_history ENABLE ROW LEVEL SECURITY;
ALTER TABLE finding_history FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON finding_history USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON finding_history TO assay_app;

CREATE TABLE finding_comments (
  org_id text COLLATE "C" NOT NULL,
  finding_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  -- Null: the platform itself, e.g. the reason that came with an imported suppression.
  author_id text COLLATE "C",
  comment text NOT NULL CHECK (length(comment) BETWEEN 1 AND 10000),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (org_id, finding_id, id),
  FOREIGN KEY (org_id, finding_id) REFERENCES findings (org_id, id)
);
ALTER TABLE finding_comments ENABLE ROW LEVEL SECURITY;
ALTER TABLE finding_comments FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON finding_comments USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON finding_comments TO assay_app;

-- How many findings there are of each kind, kept up to date in the transaction that changes them: dashboards count nothing.
CREATE TABLE finding_counts (
  org_id text COLLATE "C" NOT NULL,
  data_source_id text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  severity smallint NOT NULL,
  status text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (org_id, data_source_id, source, severity, status)
);
ALTER TABLE finding_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE finding_counts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON finding_counts USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON finding_counts TO assay_app;

-- How many findings became open and how many closed on each day (UTC).
CREATE TABLE finding_daily (
  org_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  data_source_id text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  severity smallint NOT NULL,
  opened bigint NOT NULL DEFAULT 0,
  closed bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (org_id, day, data_source_id, source, severity)
);
ALTER TABLE finding_daily ENABLE ROW LEVEL SECURITY;
ALTER TABLE finding_daily FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON finding_daily USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON finding_daily TO assay_app;

-- At most `most` ids of this organization's findings that hold all the words.
CREATE FUNCTION findings_with_words(query tsquery, most integer) RETURNS SETOF text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public ROWS 1000
  AS $$ SELECT id FROM findings WHERE org_id = current_setting('app.org_id', true) AND words @@ query LIMIT most $$;
REVOKE ALL ON FUNCTION findings_with_words(tsquery, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION findings_with_words(tsquery, integer) TO assay_app;

-- Organizations that hold a risk acceptance which has ended; the worker then acts in each of them.
CREATE FUNCTION organizations_with_ended_acceptance(at timestamptz) RETURNS SETOF text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$ SELECT DISTINCT org_id FROM findings WHERE accepted_until <= at LIMIT 1000 $$;
REVOKE ALL ON FUNCTION organizations_with_ended_acceptance(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION organizations_with_ended_acceptance(timestamptz) TO assay_app;
