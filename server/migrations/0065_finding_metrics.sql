-- The figures of all organizations together, for the metrics. The kept figures have the findings; what is overdue is read
-- from the index of due times, whose traits contain the severity (finding_traits()). Findings that are closed have no due time.

CREATE FUNCTION count_all_findings() RETURNS TABLE (severity smallint, status text, count bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $$
    SELECT c.severity, c.status, sum(c.count)::bigint FROM public.finding_counts c GROUP BY c.severity, c.status
  $$;
REVOKE ALL ON FUNCTION count_all_findings() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_all_findings() TO assay_app;

CREATE FUNCTION count_all_overdue_findings() RETURNS TABLE (severity smallint, count bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $$
    SELECT d.severity, sum(d.count)::bigint
    FROM public.organizations o
    CROSS JOIN LATERAL (SELECT (f.traits & 7)::smallint AS severity, count(*) AS count FROM public.findings f
                        WHERE f.org_id = o.id AND f.due_at < statement_timestamp() GROUP BY 1) d
    GROUP BY d.severity
  $$;
REVOKE ALL ON FUNCTION count_all_overdue_findings() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_all_overdue_findings() TO assay_app;
