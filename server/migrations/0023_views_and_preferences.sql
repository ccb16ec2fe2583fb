-- What people keep for themselves and share: saved filters of the list of findings, and the preferences of the console.

CREATE TABLE finding_views (
  org_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  owner_id text COLLATE "C" NOT NULL,
  -- The owner of a private view, which goes with that member.
  private_to text COLLATE "C" CHECK (private_to = owner_id),
  shared boolean NOT NULL GENERATED ALWAYS AS (private_to IS NULL) STORED,
  name text NOT NULL,
  -- The filters of the list, spelled as in a request body.
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
ALTER TABLE finding_views FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON finding_views USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON finding_views TO assay_app;

-- Of a person, in every organization alike.
CREATE TABLE user_preferences (
  user_id text COLLATE "C" PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  preferences json NOT NULL CHECK (octet_length(preferences::text) <= 32768),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT, INSERT, UPDATE, DELETE ON user_preferences TO assay_app;
