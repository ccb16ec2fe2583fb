-- Advisories about vulnerable packages, in OSV's format, and data about exploitation. Reference data without an
-- organization: the same for all.

CREATE TABLE advisories (
  -- The ecosystem of its archive: an advisory about packages of two ecosystems is in both.
  ecosystem text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  -- The publisher's own text, only compared for equality.
  modified text COLLATE "C" NOT NULL,
  -- JSON, deflated.
  content bytea NOT NULL,
  PRIMARY KEY (ecosystem, id)
);
ALTER TABLE advisories ALTER COLUMN content SET STORAGE EXTERNAL;
GRANT SELECT, INSERT, UPDATE, DELETE ON advisories TO assay_app;

CREATE TABLE advisory_packages (
  ecosystem text COLLATE "C" NOT NULL,
  -- Normalised by the rules of the ecosystem.
  package text COLLATE "C" NOT NULL,
  advisory_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (ecosystem, package, advisory_id),
  FOREIGN KEY (ecosystem, advisory_id) REFERENCES advisories (ecosystem, id) ON DELETE CASCADE
);
CREATE INDEX advisory_packages_advisory ON advisory_packages (ecosystem, advisory_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON advisory_packages TO assay_app;

-- Names of one vulnerability, as stated by advisories: `alias` is also called `name`, which ranks higher
-- (findings/aliases/names.ts). In upper case.
CREATE TABLE advisory_aliases (
  alias text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  ecosystem text COLLATE "C" NOT NULL,
  advisory_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (alias, name, ecosystem, advisory_id),
  FOREIGN KEY (ecosystem, advisory_id) REFERENCES advisories (ecosystem, id) ON DELETE CASCADE
);
CREATE INDEX advisory_aliases_by_name ON advisory_aliases (name, alias);
CREATE INDEX advisory_aliases_advisory ON advisory_aliases (ecosystem, advisory_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON advisory_aliases TO assay_app;

-- The archives that were loaded, their addresses, and the validators that show whether an archive has changed since.
CREATE TABLE advisory_archives (
  ecosystem text COLLATE "C" PRIMARY KEY,
  source text NOT NULL,
  validator text NOT NULL,
  synced_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON advisory_archives TO assay_app;

-- At most one row: who is loading now, and when the next load is due.
CREATE TABLE advisory_sync (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  source text,
  holder text COLLATE "C",
  leased_until timestamptz,
  due_at timestamptz,
  -- Counts the changes of advisory_aliases; a change has findings recomputed.
  aliases_version integer NOT NULL DEFAULT 0
);
GRANT SELECT, INSERT, UPDATE, DELETE ON advisory_sync TO assay_app;

-- The likelihood that a vulnerability is exploited.
CREATE TABLE epss_scores (
  cve text COLLATE "C" PRIMARY KEY,
  -- 0 to 1. The percentile is rounded to three digits.
  score real NOT NULL,
  percentile real NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON epss_scores TO assay_app;

-- Vulnerabilities that are known to be exploited.
CREATE TABLE known_exploited (
  cve text COLLATE "C" PRIMARY KEY,
  added_on date NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON known_exploited TO assay_app;

-- The files that were loaded, and the validators that show whether one has changed since. `version` counts the loads
-- that changed something, after which findings are recomputed.
CREATE TABLE exploitation_feeds (
  name text COLLATE "C" PRIMARY KEY CHECK (name IN ('epss', 'kev')),
  source text NOT NULL,
  validator text NOT NULL,
  version integer NOT NULL,
  loaded_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON exploitation_feeds TO assay_app;

-- 0 before any feed was loaded.
CREATE FUNCTION vulnerability_feeds_version() RETURNS integer
  LANGUAGE sql STABLE AS $$
    SELECT (SELECT COALESCE(sum(version), 0) FROM exploitation_feeds)::integer
      + COALESCE((SELECT aliases_version FROM advisory_sync), 0)
  $$;
