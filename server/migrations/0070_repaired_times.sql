-- Times of changes that lay in the future and were brought back (`assay repair clock`), so that clients which follow changes go on from
-- where they were: was_at is the position that a client may have, is_at that of the same change now. In both the order is the same.

CREATE TABLE repaired_times (
  org_id text COLLATE "C" NOT NULL,
  was_at timestamptz NOT NULL,
  is_at timestamptz NOT NULL,
  repaired_at timestamptz NOT NULL,
  PRIMARY KEY (org_id, was_at)
);
ALTER TABLE repaired_times ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON repaired_times USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON repaired_times TO assay_app;

-- All organizations, for an operator's command that goes through them.
CREATE FUNCTION list_organizations() RETURNS TABLE (id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $$ SELECT o.id FROM public.organizations o ORDER BY o.id $$;
REVOKE ALL ON FUNCTION list_organizations() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION list_organizations() TO assay_app;
