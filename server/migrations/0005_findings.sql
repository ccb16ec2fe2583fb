-- Findings: the results of scanners, merged into one persistent row per problem, with people's decisions.

-- Identity: organization, data source, source and fingerprint. Scans write the facts, people the decisions; `status`
-- changes by the rules of findings/lifecycle.ts.
CREATE TABLE findings (
  -- Columns with a fixed size come first, the largest before the others: no byte is lost to alignment, which took 30 bytes
  -- of a finding.

  -- Hash over everything that a scan writes: an unchanged finding is recognised without comparing texts.
  facts_hash bigint NOT NULL,
  -- The row of finding_texts. The organization is part of the number, and findings with the same text share an index
  -- entry, so that the index needs about 7 bytes for each finding.
  text_id bigint NOT NULL,
  first_seen_at timestamptz NOT NULL,
  -- While `seen_last` is true, the finding was last seen by the last completed scan (finding_coverage): seeing it
  -- again writes nothing.
  last_seen_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- Never null, so that a list in its order can continue after any row: `infinity` is no due date.
  due_at timestamptz NOT NULL DEFAULT 'infinity',
  closed_at timestamptz,
  -- When it was last reopened; null when it never was.
  reopened_at timestamptz,
  accepted_until timestamptz,
  -- The end of a risk acceptance that applies again if a problem returns that a scan no longer saw; `infinity`
  -- without an end.
  accepted_again_until timestamptz,
  -- A number for the problem within its data source (scanner/contract/fingerprint.ts), for finding the findings of
  -- several sources about one problem. Null for findings that no other source can be compared with. 8 bytes for each
  -- finding and 31 in the index; the data source is part of the number, so the index needs no other column.
  problem bigint,
  cvss double precision,
  -- The last decision (`made`) when a person removed the finding from one: none up to it applies any longer, whatever its
  -- scope says.
  left_decisions bigint,
  -- `F-1`, `F-2`, … in the API: the permanent name of the finding for people.
  number integer NOT NULL CHECK (number > 0),
  occurrences integer NOT NULL DEFAULT 1,
  reopened_count integer NOT NULL DEFAULT 0,
  comment_count integer NOT NULL DEFAULT 0,
  -- From the tool, like its path; null if it does not say.
  start_line integer,
  end_line integer,
  start_column integer,
  end_column integer,
  version integer NOT NULL DEFAULT 1,
  -- The exploitation data of its CVEs: the highest score and the earliest date. Null costs nothing.
  epss real,
  epss_percentile real,
  kev date,
  severity smallint NOT NULL CHECK (severity BETWEEN 0 AND 4),
  -- The severity that its scanner reports, of a finding that a decision shows as `info` (`demoted_by`).
  scanner_severity smallint CHECK (scanner_severity BETWEEN 0 AND 4),
  -- The priority for fixing: 0 to 100, from facts and the data source (findings/urgency.ts).
  priority smallint NOT NULL DEFAULT 0,
  -- The reasons that raised or lowered the urgency, as bits: findings/urgency.ts.
  urgency_bits smallint NOT NULL DEFAULT 0,
  seen_last boolean NOT NULL DEFAULT true,
  in_package boolean NOT NULL DEFAULT false,

  org_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  -- No foreign key: rows are only created by a scan of that data source, whose row is never removed, and the check
  -- would be paid for every finding of every import.
  data_source_id text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  rule_id text COLLATE "C" NOT NULL,
  title text NOT NULL,
  first_scan_id text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL DEFAULT 'new'
    CHECK (status IN ('new', 'triaged', 'in_progress', 'resolved', 'false_positive', 'accepted_risk')),
  resolution text COLLATE "C" CHECK (resolution IN ('fixed', 'data_source_removed')),
  -- The decision in effect: a row of `decisions`. Null for values that a person set on the finding itself.
  decision_id text COLLATE "C",
  -- The decision that shows it as `info`; null if there is none. `severity`, the priority and the due time
  -- are then those of `info`.
  demoted_by text COLLATE "C",
  -- Whether the person who last set a status confirmed the problem; null if nobody has: rule_judgements counts it.
  judged text COLLATE "C" CHECK (judged IN ('dismissed', 'confirmed')),
  assignee_id text COLLATE "C",
  tags text[] NOT NULL DEFAULT '{}',
  cves text[] COLLATE "C",
  -- The advisories of a package finding that names no CVE: `cves` then contains their aliases.
  advisories text[] COLLATE "C",
  -- The numbers of its CWEs, or of its rule's known CWE; the requirements of standards follow from these and
  -- `in_package` (findings/standards/). 33 bytes for each finding with a CWE.
  weaknesses integer[],
  -- Location, identifiers and evidence, one column for each fact: as one JSON document with the names of its members
  -- they took 115 bytes more of each finding. The rule and the other texts are in finding_texts.
  path text,
  commit text,
  url text,
  ecosystem text,
  -- Null unless `in_package`.
  package_name text,
  package_version text,
  fixed_version text,
  purl text,
  -- JSON: an array takes 24 bytes more, and a list copies the text.
  identifiers json NOT NULL,
  evidence text,
  -- The words of title, path, tags of the rule, identifiers, evidence and package, for `q`.
  words tsvector NOT NULL,
  -- All places when there are more than the one in `facts`; at most 100.
  places json,
  -- Code, flow and fix in the API's format. They are read only on request, not for lists.
  excerpts json CHECK (octet_length(excerpts::text) <= 131072),
  PRIMARY KEY (org_id, id),
  CHECK ((demoted_by IS NULL) = (scanner_severity IS NULL)),
  CHECK (demoted_by IS NULL OR severity = 0),
  CHECK ((closed_at IS NOT NULL) = (status IN ('resolved', 'false_positive', 'accepted_risk')))
);
CREATE UNIQUE INDEX findings_identity ON findings (org_id, data_source_id, source, fingerprint);
CREATE UNIQUE INDEX findings_by_number ON findings (org_id, number);
-- Findings with equal keys share an index entry, so that each of these needs about 10 bytes per finding. The first two
-- have the orders of lists while columns are being loaded (findings/live-columns/): findings written together, 2,000 at
-- most, are then sorted by id. Other orders and all filters need columns.
CREATE INDEX findings_by_first_seen ON findings (org_id, first_seen_at);
CREATE INDEX findings_by_updated ON findings (org_id, updated_at);
CREATE INDEX findings_by_rule ON findings (org_id, rule_id);
CREATE INDEX findings_due ON findings (due_at, severity) WHERE due_at < 'infinity';
CREATE INDEX findings_by_assignee ON findings (org_id, assignee_id) WHERE assignee_id IS NOT NULL;
CREATE INDEX findings_acceptance_ends ON findings (accepted_until) WHERE accepted_until IS NOT NULL;
CREATE INDEX findings_by_decision ON findings (org_id, decision_id, id) WHERE decision_id IS NOT NULL;
CREATE INDEX findings_by_demotion ON findings (org_id, demoted_by, id) WHERE demoted_by IS NOT NULL;
CREATE INDEX findings_with_cves ON findings (org_id, id) WHERE cves IS NOT NULL OR advisories IS NOT NULL;
CREATE INDEX findings_by_problem ON findings (problem) WHERE problem IS NOT NULL;
-- Findings of one scan share an index entry, like those with one text.
CREATE INDEX findings_by_first_scan ON findings (org_id, first_scan_id);
CREATE INDEX findings_by_text ON findings (text_id);
-- Used only through functions: under row-level security no index is used for an operator that is not leakproof.
CREATE INDEX findings_by_word ON findings USING gin (words);
ALTER TABLE findings ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON findings USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON findings TO assay_app;

-- Ascending numbers for new findings of the transaction. Nothing is stored: the next number comes after the last one
-- in a block of 1,000, and a transaction locks its block until it ends. So merges of one organization never wait for
-- each other, a killed merge leaves its numbers to the next, and a restored database needs no matching counter.
-- Concurrent merges leave gaps.
CREATE FUNCTION take_finding_numbers(of_org text, wanted integer) RETURNS SETOF integer
  LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, public
  AS $$
    DECLARE
      size CONSTANT integer := 1000;
      -- Numbers up to `before` are those of earlier blocks.
      before integer := (GREATEST((SELECT max(f.number) FROM findings f WHERE f.org_id = of_org), 1) - 1) / size * size;
      last integer;
      taken integer;
    BEGIN
      WHILE wanted > 0 LOOP
        IF pg_try_advisory_xact_lock((3465::bigint << 48) | (hashtextextended(of_org, before) & 281474976710655)) THEN
          -- A separate statement, once the lock is held: it sees what the holder before has committed.
          SELECT COALESCE(max(f.number), before) INTO last FROM findings f
            WHERE f.org_id = of_org AND f.number > before AND f.number <= before + size;
          taken := LEAST(wanted, before + size - last);
          RETURN QUERY SELECT generate_series(last + 1, last + taken);
          wanted := wanted - taken;
        END IF;
        before := before + size;
      END LOOP;
    END
  $$;
REVOKE ALL ON FUNCTION take_finding_numbers(text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_finding_numbers(text, integer) TO assay_app;

-- Organizations with an expired risk acceptance of a person (decisions end by themselves); the worker then acts in
-- each of them.
CREATE FUNCTION organizations_with_ended_acceptance(at timestamptz) RETURNS SETOF text
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$ BEGIN RETURN QUERY SELECT DISTINCT f.org_id FROM findings f WHERE f.accepted_until <= at AND f.decision_id IS NULL
    AND f.org_id NOT IN (SELECT organization_id FROM absent_organizations) LIMIT 1000; END $$;
REVOKE ALL ON FUNCTION organizations_with_ended_acceptance(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION organizations_with_ended_acceptance(timestamptz) TO assay_app;

-- The last completed scan of each data source by each source.
CREATE TABLE finding_coverage (
  org_id text COLLATE "C" NOT NULL,
  data_source_id text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  scan_id text COLLATE "C" NOT NULL,
  started_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  -- When a scan or import last covered all of it; null if none ever has.
  complete_at timestamptz,
  PRIMARY KEY (org_id, data_source_id, source)
);
ALTER TABLE finding_coverage ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON finding_coverage USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON finding_coverage TO assay_app;

-- Every change after the first sighting: by whom or which scan, when, and {field: [from, to]}.
CREATE TABLE finding_history (
  org_id text COLLATE "C" NOT NULL,
  finding_id text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  user_id text COLLATE "C",
  scan_id text COLLATE "C",
  changes json NOT NULL,
  -- Only set for a change between open and closed, for figures about the past: its kind, and the severity at that
  -- time; when closing, also when it was opened and its due time. Null for other changes: they cost nothing.
  move text COLLATE "C" CHECK (move IN ('reopened', 'resolved', 'removed', 'accepted', 'false_positive')),
  severity smallint,
  opened_at timestamptz,
  due_at timestamptz,
  PRIMARY KEY (org_id, finding_id, at, id)
);
CREATE INDEX finding_history_by_scan ON finding_history (org_id, scan_id) WHERE scan_id IS NOT NULL;
CREATE INDEX finding_history_moves ON finding_history (org_id, at) WHERE move IS NOT NULL;
ALTER TABLE finding_history ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON finding_history USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON finding_history TO assay_app;

-- Authors can edit and delete their comments. A deleted comment leaves its mark, but not its text.
CREATE TABLE finding_comments (
  org_id text COLLATE "C" NOT NULL,
  finding_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  -- Null for the platform itself, such as for the reason of an imported suppression.
  author_id text COLLATE "C",
  comment text NOT NULL,
  created_at timestamptz NOT NULL,
  edited_at timestamptz,
  deleted_at timestamptz,
  PRIMARY KEY (org_id, finding_id, id),
  FOREIGN KEY (org_id, finding_id) REFERENCES findings (org_id, id),
  CONSTRAINT finding_comments_comment_check CHECK (length(comment) <= 10000 AND (length(comment) >= 1 OR deleted_at IS NOT NULL))
);
ALTER TABLE finding_comments ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON finding_comments USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON finding_comments TO assay_app;

-- Change times in the future that were corrected (`assay repair clock`), so that clients that follow changes can
-- continue: was_at is the position that a client may have, is_at the same change's position now. Both have the same
-- order.
CREATE TABLE repaired_times (
  org_id text COLLATE "C" NOT NULL,
  was_at timestamptz NOT NULL,
  is_at timestamptz NOT NULL,
  repaired_at timestamptz NOT NULL,
  PRIMARY KEY (org_id, was_at)
);
ALTER TABLE repaired_times ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON repaired_times USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON repaired_times TO assay_app;

-- Organizations whose newest change of a finding is ahead of the clock, and by how much: the clock was ahead and has
-- been set back.
CREATE FUNCTION list_changes_ahead() RETURNS TABLE (org_id text, seconds double precision)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $$
    SELECT o.id, extract(epoch FROM n.newest - clock_timestamp())::double precision
    FROM public.organizations o
    CROSS JOIN LATERAL (SELECT max(f.updated_at) AS newest FROM public.findings f WHERE f.org_id = o.id) n
    WHERE n.newest > clock_timestamp() + interval '1 minute'
      AND o.id NOT IN (SELECT organization_id FROM public.absent_organizations)
    ORDER BY n.newest DESC LIMIT 1000
  $$;
REVOKE ALL ON FUNCTION list_changes_ahead() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION list_changes_ahead() TO assay_app;

-- Saved filters of the list of findings, private or shared.
CREATE TABLE finding_views (
  org_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  owner_id text COLLATE "C" NOT NULL,
  -- The owner of a private view, which is deleted with that member.
  private_to text COLLATE "C" CHECK (private_to = owner_id),
  shared boolean NOT NULL GENERATED ALWAYS AS (private_to IS NULL) STORED,
  name text NOT NULL,
  -- The filters of the list, in the format of a request body.
  filter json NOT NULL,
  sort text,
  columns text[],
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, id),
  FOREIGN KEY (org_id, private_to) REFERENCES members (org_id, user_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX finding_views_private_name ON finding_views (org_id, private_to, lower(name)) WHERE private_to IS NOT NULL;
CREATE UNIQUE INDEX finding_views_shared_name ON finding_views (org_id, lower(name)) WHERE private_to IS NULL;
CREATE INDEX finding_views_private ON finding_views (org_id, private_to, id);
CREATE INDEX finding_views_shared ON finding_views (org_id, id) WHERE private_to IS NULL;
ALTER TABLE finding_views ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON finding_views USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON finding_views TO assay_app;
