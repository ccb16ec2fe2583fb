-- Indexes of filters that few findings match, ordered and with the columns of the other indexes of lists.
CREATE INDEX findings_reopened ON findings (org_id, first_seen_at, id) INCLUDE (updated_at, traits)
  WHERE reopened_count > 0;
CREATE INDEX findings_by_acceptance ON findings (org_id, accepted_until, first_seen_at, id) INCLUDE (updated_at, traits)
  WHERE accepted_until IS NOT NULL;
-- Reached through findings_of_packages() only: under row-level security no index serves an expression that is not leakproof.
-- Cut, since an index has no room for long texts.
CREATE INDEX findings_by_package ON findings (org_id, (left(facts #>> '{location,package,name}', 200)))
  WHERE (facts #>> '{location,package,name}') IS NOT NULL;

-- At most `most` ids of this organization's findings in packages of these names, and maybe of a longer one.
CREATE FUNCTION findings_of_packages(names text[], most integer) RETURNS SETOF text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public ROWS 1000
  AS $$ SELECT id FROM findings WHERE org_id = current_setting('app.org_id', true)
          AND (facts #>> '{location,package,name}') IS NOT NULL
          AND left(facts #>> '{location,package,name}', 200) = ANY (ARRAY(SELECT left(name, 200) FROM unnest(names) AS name))
        LIMIT most $$;
REVOKE ALL ON FUNCTION findings_of_packages(text[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION findings_of_packages(text[], integer) TO assay_app;
