-- The organization that was made first; null when there is none. It belongs to the people who run the installation.
CREATE FUNCTION first_organization() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT o.id FROM public.organizations o ORDER BY o.created_at, o.id LIMIT 1
$$;
REVOKE ALL ON FUNCTION first_organization() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION first_organization() TO assay_app;
