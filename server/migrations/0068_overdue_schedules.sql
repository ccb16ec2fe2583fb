-- Counts the schedules of all organizations that should have run, for those who operate the installation.
CREATE FUNCTION overdue_schedules() RETURNS TABLE (overdue bigint, oldest_seconds double precision)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT count(*), extract(epoch FROM clock_timestamp() - min(due.at))::double precision
  FROM (SELECT next_run_at AS at FROM public.scan_schedules
        UNION ALL SELECT next_run_at FROM public.scheduled_reports) AS due
  WHERE due.at < clock_timestamp() - interval '10 minutes'
$$;
REVOKE EXECUTE ON FUNCTION overdue_schedules() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION overdue_schedules() TO assay_app;
