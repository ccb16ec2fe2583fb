-- What lets the tables of organizations lie on several servers (Citus), and costs nothing on one.
-- Functions that look across organizations are in PL/pgSQL, whose parameters a distributed statement can take. Where they look for
-- work without a job, they first take all of it and then ask the table of jobs, which lies on one server. What they remove, they
-- remove by plain DELETEs.

-- The organization of each token, by the hash of the token: with it, one server is asked for the token and not all. It is copied to
-- every server, and its column is not called org_id because it does not lie with the organization. The service can add to it, and
-- only authenticate_token() reads it.
CREATE TABLE token_organizations (
  hash bytea PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL
);
INSERT INTO token_organizations (hash, organization_id)
  SELECT hash, org_id FROM api_tokens ORDER BY revoked_at DESC NULLS FIRST ON CONFLICT DO NOTHING;
ALTER TABLE token_organizations ENABLE ROW LEVEL SECURITY;
ALTER TABLE token_organizations FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON token_organizations USING (organization_id = current_setting('app.org_id', true));
GRANT INSERT ON token_organizations TO assay_app;
DROP INDEX api_tokens_hash;
CREATE INDEX api_tokens_hash ON api_tokens (org_id, hash);

CREATE OR REPLACE FUNCTION authenticate_token(token_hash bytea)
  RETURNS TABLE (token_id text, org_id text, user_id text, user_name text, user_email text, role text, scopes text[],
    expires_at timestamptz, revoked_at timestamptz, plan text, rate_limit integer, burst_limit integer)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $$
    DECLARE
      org CONSTANT text := (SELECT n.organization_id FROM public.token_organizations n WHERE n.hash = token_hash);
    BEGIN
      IF org IS NULL THEN RETURN; END IF;
      RETURN QUERY
        SELECT t.id, t.org_id, t.user_id, u.name, u.email, m.role, t.scopes,
               t.expires_at, t.revoked_at, o.plan, o.rate_limit, o.burst_limit
        FROM public.api_tokens t
        JOIN public.organizations o ON o.id = t.org_id
        JOIN public.users u ON u.id = t.user_id
        LEFT JOIN public.members m ON m.org_id = t.org_id AND m.user_id = t.user_id
        WHERE t.org_id = org AND t.hash = token_hash;
    END
  $$;

CREATE OR REPLACE FUNCTION organization_of_token(api_token_id text) RETURNS text
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $$ BEGIN RETURN (SELECT t.org_id FROM public.api_tokens t WHERE t.id = api_token_id); END $$;

CREATE OR REPLACE FUNCTION organization_of_invitation(invitation_token_hash bytea) RETURNS TABLE (org_id text, invitation_id text)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $$
    BEGIN
      RETURN QUERY SELECT i.org_id, i.id FROM public.invitations i WHERE i.token_hash = invitation_token_hash;
    END
  $$;

CREATE OR REPLACE FUNCTION organization_of_data_source(data_source_id text) RETURNS text
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$ BEGIN RETURN (SELECT d.org_id FROM data_sources d WHERE d.id = data_source_id AND d.deleted_at IS NULL); END $$;

CREATE OR REPLACE FUNCTION organization_of_report(report_id text) RETURNS text
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$ BEGIN RETURN (SELECT r.org_id FROM reports r WHERE r.id = report_id); END $$;

CREATE OR REPLACE FUNCTION organizations_of_user(member_id text)
  RETURNS TABLE (org_id text, name text, role text, joined_at timestamptz, plan text, rate_limit integer, burst_limit integer)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $$
    BEGIN
      RETURN QUERY
        SELECT o.id, o.name, m.role, m.joined_at, o.plan, o.rate_limit, o.burst_limit
        FROM public.members m
        JOIN public.organizations o ON o.id = m.org_id
        WHERE m.user_id = member_id
        ORDER BY m.joined_at, o.id;
    END
  $$;

CREATE OR REPLACE FUNCTION organizations_with_ended_acceptance(at timestamptz) RETURNS SETOF text
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$ BEGIN RETURN QUERY SELECT DISTINCT f.org_id FROM findings f WHERE f.accepted_until <= at LIMIT 1000; END $$;

CREATE OR REPLACE FUNCTION due_scan_schedules(most integer) RETURNS TABLE (org_id text, id text)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    BEGIN
      RETURN QUERY
        SELECT s.org_id, s.id FROM scan_schedules s
        WHERE s.next_run_at IS NOT NULL AND (s.next_run_at <= clock_timestamp() OR s.next_run_from > clock_timestamp())
        ORDER BY s.next_run_at LIMIT most;
    END
  $$;

CREATE OR REPLACE FUNCTION due_scheduled_reports(most integer) RETURNS TABLE (org_id text, id text)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    BEGIN
      RETURN QUERY
        SELECT s.org_id, s.id FROM scheduled_reports s
        WHERE s.next_run_at IS NOT NULL AND (s.next_run_at <= clock_timestamp() OR s.next_run_from > clock_timestamp())
        ORDER BY s.next_run_at LIMIT most;
    END
  $$;

CREATE OR REPLACE FUNCTION findings_of_packages(names text[], most integer) RETURNS SETOF text
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    DECLARE
      org CONSTANT text := current_setting('app.org_id', true);
      beginnings CONSTANT text[] := ARRAY(SELECT left(name, 200) FROM unnest(names) AS name);
    BEGIN
      RETURN QUERY
        SELECT f.id FROM findings f WHERE f.org_id = org
          AND (f.facts #>> '{location,package,name}') IS NOT NULL
          AND left(f.facts #>> '{location,package,name}', 200) = ANY (beginnings)
        LIMIT most;
    END
  $$;

CREATE OR REPLACE FUNCTION findings_with_words(query tsquery, most integer) RETURNS SETOF text
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public SET enable_seqscan = off ROWS 1000
  AS $$
    DECLARE
      org CONSTANT text := current_setting('app.org_id', true);
    BEGIN
      RETURN QUERY SELECT f.id FROM findings f WHERE (f.org_id = org) IS TRUE AND f.words @@ query LIMIT most;
    END
  $$;

CREATE OR REPLACE FUNCTION has_job(job_key text) RETURNS boolean
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    BEGIN
      RETURN EXISTS (SELECT FROM graphile_worker._private_jobs j
                     WHERE j.key = job_key AND (j.locked_at IS NOT NULL OR j.attempts < j.max_attempts));
    END
  $$;

CREATE OR REPLACE FUNCTION bulk_operations_without_job() RETURNS TABLE (org_id text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    SELECT u.org_id, u.id FROM (
      SELECT o.org_id, o.id FROM bulk_operations o WHERE o.status IN ('queued', 'running', 'undoing') LIMIT 1000000) u
    WHERE NOT has_job('update-findings:' || u.org_id || ':' || u.id)
    LIMIT 1000
  $$;

CREATE OR REPLACE FUNCTION scan_targets_without_job() RETURNS TABLE (org_id text, scan_id text, data_source_id text, trigger text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    SELECT u.org_id, u.scan_id, u.data_source_id, u.trigger FROM (
      SELECT t.org_id, t.scan_id, t.data_source_id, s.trigger
      FROM scan_targets t JOIN scans s ON s.org_id = t.org_id AND s.id = t.scan_id
      WHERE t.status IN ('queued', 'running') LIMIT 1000000) u
    WHERE NOT has_job(u.scan_id || ':' || u.data_source_id)
    LIMIT 1000
  $$;

CREATE OR REPLACE FUNCTION report_work_without_job() RETURNS TABLE (org_id text, report_id text, format text, recipient text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    (SELECT u.org_id, u.id, NULL, NULL FROM (
       SELECT r.org_id, r.id FROM reports r WHERE r.status = 'pending' LIMIT 1000000) u
     WHERE NOT has_job('take-report-snapshot:' || u.org_id || ':' || u.id) LIMIT 1000)
    UNION ALL
    (SELECT u.org_id, u.report_id, u.format, NULL FROM (
       SELECT e.org_id, e.report_id, e.format FROM report_exports e WHERE e.status = 'pending' LIMIT 1000000) u
     WHERE NOT has_job('render-report-export:' || u.org_id || ':' || u.report_id || ':' || u.format) LIMIT 1000)
    UNION ALL
    (SELECT u.org_id, u.report_id, NULL, u.recipient FROM (
       SELECT d.org_id, d.report_id, d.recipient
       FROM report_deliveries d JOIN reports r ON r.org_id = d.org_id AND r.id = d.report_id
       WHERE d.status = 'pending' AND r.status = 'ready' AND r.mail_format IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM report_exports e WHERE e.org_id = r.org_id AND e.report_id = r.id
                           AND e.format = r.mail_format AND e.status = 'pending') LIMIT 1000000) u
     WHERE NOT has_job('deliver-report:' || u.org_id || ':' || u.report_id || ':' || u.recipient) LIMIT 1000)
  $$;

CREATE OR REPLACE FUNCTION organizations_to_recompute(rules_version integer) RETURNS SETOF text
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    DECLARE
      feeds CONSTANT integer := exploitation_version();
    BEGIN
      RETURN QUERY
        SELECT u.org_id FROM (
          SELECT stale.org_id FROM (
            SELECT d.org_id FROM data_sources d
            LEFT JOIN finding_policies p ON p.org_id = d.org_id
            LEFT JOIN finding_recomputations r ON r.org_id = d.org_id AND r.data_source_id = d.id
            WHERE (r.done AND r.inputs = concat_ws('.', rules_version, d.importance_version, COALESCE(p.version, 0))) IS NOT TRUE
            UNION
            SELECT o.id FROM organizations o
            LEFT JOIN exploitation_recomputations r ON r.org_id = o.id
            WHERE feeds > 0 AND (r.done AND r.version = feeds) IS NOT TRUE) stale
          LIMIT 1000000) u
        WHERE NOT has_job('recompute-findings:' || u.org_id)
        LIMIT 1000;
    END
  $$;
DROP FUNCTION finding_urgency_inputs(text, integer, integer);

CREATE OR REPLACE FUNCTION purge_idempotency_keys(max_rows integer) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
    DECLARE
      until CONSTANT timestamptz := (SELECT max(e.expires_at) FROM (
        SELECT k.expires_at FROM idempotency_keys k WHERE k.expires_at <= now() ORDER BY k.expires_at LIMIT max_rows) e);
      removed bigint;
    BEGIN
      DELETE FROM idempotency_keys k WHERE k.expires_at <= until;
      GET DIAGNOSTICS removed = ROW_COUNT;
      RETURN removed;
    END
  $$;

CREATE OR REPLACE FUNCTION purge_import_batches(before timestamptz) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    DECLARE
      removed bigint;
    BEGIN
      DELETE FROM imports i USING scans s WHERE s.org_id = i.org_id AND s.id = i.scan_id AND s.completed_at < before;
      DELETE FROM import_batches b WHERE b.created_at < before
        AND NOT EXISTS (SELECT 1 FROM scans s WHERE s.org_id = b.org_id AND s.id = b.scan_id AND s.status IN ('queued', 'running'));
      GET DIAGNOSTICS removed = ROW_COUNT;
      RETURN removed;
    END
  $$;

CREATE OR REPLACE FUNCTION purge_bulk_operations(undoable_since timestamptz, kept_since timestamptz, most integer) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    DECLARE
      operation record;
      last text;
      removed bigint := 0;
      deleted bigint;
    BEGIN
      FOR operation IN
        SELECT o.org_id, o.id FROM bulk_operations o
        WHERE o.status IN ('completed', 'failed', 'undone') AND o.completed_at < undoable_since
          AND EXISTS (SELECT FROM bulk_operation_changes c WHERE c.org_id = o.org_id AND c.operation_id = o.id)
        LIMIT most
      LOOP
        -- Null when fewer are left than may go.
        last := (SELECT c.finding_id FROM bulk_operation_changes c WHERE c.org_id = operation.org_id AND c.operation_id = operation.id
                 ORDER BY c.finding_id OFFSET most - removed - 1 LIMIT 1);
        DELETE FROM bulk_operation_changes c WHERE c.org_id = operation.org_id AND c.operation_id = operation.id
          AND (last IS NULL OR c.finding_id <= last);
        GET DIAGNOSTICS deleted = ROW_COUNT;
        removed := removed + deleted;
        EXIT WHEN removed >= most;
      END LOOP;
      DELETE FROM bulk_operations o WHERE o.created_at < kept_since AND o.status IN ('completed', 'failed', 'undone')
        AND NOT EXISTS (SELECT FROM bulk_operation_changes c WHERE c.org_id = o.org_id AND c.operation_id = o.id);
      GET DIAGNOSTICS deleted = ROW_COUNT;
      RETURN removed + deleted;
    END
  $$;

-- Immutable, since a distributed UPDATE calls no other function on a column. Hours are added without a time zone.
CREATE OR REPLACE FUNCTION finding_due_at(closed_at timestamptz, since timestamptz, severity smallint, urgency_bits smallint,
    criticality text, days smallint[]) RETURNS timestamptz
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT CASE WHEN closed_at IS NOT NULL THEN timestamptz 'infinity' ELSE COALESCE(((since AT TIME ZONE 'UTC') + make_interval(hours => 24 * days[
      10 * (CASE criticality WHEN 'low' THEN 0 WHEN 'medium' THEN 1 WHEN 'high' THEN 2 ELSE 3 END)
      + 5 * (urgency_bits & 1) + severity + 1])) AT TIME ZONE 'UTC', timestamptz 'infinity') END $$;

-- Work that was committed while its job was lost: jobs lie on one server, and what they are about may lie on another.

-- Open invitations whose link was never made, of all organizations, that no job will mail.
CREATE FUNCTION invitations_without_job() RETURNS TABLE (org_id text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    SELECT u.org_id, u.id FROM (
      SELECT i.org_id, i.id FROM invitations i
      WHERE i.status = 'pending' AND i.token_hash IS NULL AND i.expires_at > now() LIMIT 1000000) u
    WHERE NOT has_job('send-invitation:' || u.org_id || ':' || u.id)
    LIMIT 1000
  $$;
REVOKE ALL ON FUNCTION invitations_without_job() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION invitations_without_job() TO assay_app;
CREATE INDEX invitations_without_link ON invitations (org_id) WHERE status = 'pending' AND token_hash IS NULL;

-- Deleted data sources with open findings, of all organizations, that no job will resolve.
CREATE FUNCTION removed_data_sources_without_job() RETURNS TABLE (org_id text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    SELECT u.org_id, u.id FROM (
      SELECT d.org_id, d.id FROM data_sources d
      WHERE d.deleted_at IS NOT NULL AND EXISTS (SELECT FROM finding_counts c WHERE c.org_id = d.org_id AND c.data_source_id = d.id
                                                   AND c.status IN ('new', 'triaged', 'in_progress') AND c.count > 0) LIMIT 1000000) u
    WHERE NOT has_job('clean-up-data-source:' || u.org_id || ':' || u.id)
    LIMIT 1000
  $$;
REVOKE ALL ON FUNCTION removed_data_sources_without_job() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION removed_data_sources_without_job() TO assay_app;
CREATE INDEX data_sources_removed ON data_sources (org_id, id) WHERE deleted_at IS NOT NULL;
