-- What lets a node know that nothing has changed since it computed figures: every transaction that changes findings or data sources of
-- an organization adds a row with a random number. Rows are only added, so that no two transactions wait for each other; one in
-- 128 transactions removes those before it, and adds its own like every other (organization/change-number.ts).
CREATE TABLE organization_changes (
  org_id text COLLATE "C" NOT NULL,
  mark bigint NOT NULL,
  PRIMARY KEY (org_id, mark)
);
ALTER TABLE organization_changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE organization_changes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON organization_changes USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON organization_changes TO assay_app;
