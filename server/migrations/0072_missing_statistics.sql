-- Makes the statistics of tables that have none, besides renewing those of the findings' tables when more than a fifth of a table has
-- changed. A restore without ANALYZE and an upgrade of PostgreSQL (pg_upgrade, up to 17) leave tables without statistics, and
-- the server makes them only after changes: until then statements are planned for tables of unknown content.
CREATE OR REPLACE FUNCTION analyze_changed_findings() RETURNS text[] LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path = pg_catalog, public, pg_temp AS $$
    DECLARE
      changed text[];
      name text;
    BEGIN
      SELECT COALESCE(array_agg(c.relname::text), '{}') INTO changed FROM pg_class c
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
          AND (c.oid IN ('findings'::regclass, 'finding_tags'::regclass, 'finding_texts'::regclass, 'finding_counts'::regclass,
              'finding_history'::regclass)
            AND pg_stat_get_mod_since_analyze(c.oid) > 1000 + 0.2 * GREATEST(c.reltuples, 0)
            OR c.reltuples < 0 AND pg_relation_size(c.oid) > 100 * 8192);
      FOREACH name IN ARRAY changed LOOP
        EXECUTE format('ANALYZE (SKIP_LOCKED) public.%I', name);
      END LOOP;
      RETURN changed;
    END
  $$;
