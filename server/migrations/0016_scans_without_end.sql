-- Scans, of all organizations, that go on although all their targets have ended. It returns nothing as long as everything that
-- ends a target ends its scan, too.
CREATE FUNCTION scans_without_end() RETURNS TABLE (org_id text, scan_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    SELECT s.org_id, s.id FROM scans s
    WHERE s.status IN ('queued', 'running')
      AND NOT EXISTS (SELECT 1 FROM scan_targets t
                      WHERE t.org_id = s.org_id AND t.scan_id = s.id AND t.status IN ('queued', 'running'))
    LIMIT 1000
  $$;
REVOKE ALL ON FUNCTION scans_without_end() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION scans_without_end() TO assay_app;

CREATE INDEX scans_unfinished ON scans (org_id) WHERE status IN ('queued', 'running');
