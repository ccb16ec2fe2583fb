-- A clock that is set back must not put off what is due: each due time is kept with the time from which it was computed. It is
-- the next one by its cron for as long as that time is not in the future.

ALTER TABLE scan_schedules ADD COLUMN next_run_from timestamptz NOT NULL DEFAULT clock_timestamp();
ALTER TABLE scheduled_reports ADD COLUMN next_run_from timestamptz NOT NULL DEFAULT clock_timestamp();
CREATE INDEX scan_schedules_computed ON scan_schedules (next_run_from) WHERE next_run_at IS NOT NULL;
CREATE INDEX scheduled_reports_computed ON scheduled_reports (next_run_from) WHERE next_run_at IS NOT NULL;

-- Besides those whose time has come, those whose time was computed in what is now the future.
CREATE OR REPLACE FUNCTION due_scan_schedules(most integer) RETURNS TABLE (org_id text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    SELECT s.org_id, s.id FROM scan_schedules s
    WHERE s.next_run_at IS NOT NULL AND (s.next_run_at <= clock_timestamp() OR s.next_run_from > clock_timestamp())
    ORDER BY s.next_run_at LIMIT most
  $$;
CREATE OR REPLACE FUNCTION due_scheduled_reports(most integer) RETURNS TABLE (org_id text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    SELECT s.org_id, s.id FROM scheduled_reports s
    WHERE s.next_run_at IS NOT NULL AND (s.next_run_at <= clock_timestamp() OR s.next_run_from > clock_timestamp())
    ORDER BY s.next_run_at LIMIT most
  $$;
