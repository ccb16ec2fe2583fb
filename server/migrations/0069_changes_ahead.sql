-- Organizations whose newest change of a finding lies ahead of the clock, and by how much: the clock was ahead and has been set back.

CREATE FUNCTION list_changes_ahead() RETURNS TABLE (org_id text, seconds double precision)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $$
    SELECT o.id, extract(epoch FROM n.newest - clock_timestamp())::double precision
    FROM public.organizations o
    CROSS JOIN LATERAL (SELECT max(f.updated_at) AS newest FROM public.findings f WHERE f.org_id = o.id) n
    WHERE n.newest > clock_timestamp() + interval '1 minute'
    ORDER BY n.newest DESC LIMIT 1000
  $$;
REVOKE ALL ON FUNCTION list_changes_ahead() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION list_changes_ahead() TO assay_app;
