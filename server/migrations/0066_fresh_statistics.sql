-- Renews the statistics of the findings' tables when more than a fifth of a table has changed since they were made. The server does
-- so by itself once a minute at best, and not at all while its workers are busy; until then the statements of lists are planned
-- for tables that are nearly empty. Only their owner can, in PostgreSQL up to 16.
CREATE FUNCTION analyze_changed_findings() RETURNS text[] LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path = pg_catalog, public, pg_temp AS $$
    DECLARE
      changed text[];
      name text;
    BEGIN
      SELECT COALESCE(array_agg(c.relname::text), '{}') INTO changed FROM pg_class c
        WHERE c.oid IN ('findings'::regclass, 'finding_tags'::regclass, 'finding_texts'::regclass, 'finding_counts'::regclass,
            'finding_history'::regclass)
          AND pg_stat_get_mod_since_analyze(c.oid) > 1000 + 0.2 * GREATEST(c.reltuples, 0);
      FOREACH name IN ARRAY changed LOOP
        EXECUTE format('ANALYZE (SKIP_LOCKED) public.%I', name);
      END LOOP;
      RETURN changed;
    END
  $$;
REVOKE ALL ON FUNCTION analyze_changed_findings() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION analyze_changed_findings() TO assay_app;
