-- The tables lie on one server (docs/decisions/no-citus.md): a token is found by its hash alone, and a function that looks for work
-- without a job asks for both at once.

-- Not unique: the randomness is what makes a hash unique.
CREATE INDEX api_tokens_hash_new ON api_tokens (hash);

CREATE OR REPLACE FUNCTION bearer_of_token(token_hash bytea)
  RETURNS TABLE (token_id text, org_id text, user_id text, user_name text, user_email text, role text, scopes text[],
    created_at timestamptz, expires_at timestamptz, revoked_at timestamptz, plan text, rate_limit integer, burst_limit integer,
    sign_in jsonb)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $$
    BEGIN
      RETURN QUERY
        SELECT t.id, t.org_id, t.user_id, u.name, u.email,
               CASE WHEN u.disabled_at IS NULL AND (u.email_verified OR u.organization_id = t.org_id) THEN m.role END, t.scopes,
               t.created_at, t.expires_at, t.revoked_at, o.plan, o.rate_limit, o.burst_limit, o.sign_in
        FROM public.api_tokens t
        JOIN public.organizations o ON o.id = t.org_id
        JOIN public.users u ON u.id = t.user_id
        LEFT JOIN public.members m ON m.org_id = t.org_id AND m.user_id = t.user_id
        WHERE t.hash = token_hash;
    END
  $$;
DROP FUNCTION authenticate_token(bytea);

CREATE OR REPLACE FUNCTION bulk_operations_without_job() RETURNS TABLE (org_id text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    SELECT o.org_id, o.id FROM bulk_operations o
    WHERE o.status IN ('queued', 'running', 'undoing') AND NOT has_job('update-findings:' || o.org_id || ':' || o.id)
    LIMIT 1000
  $$;

CREATE OR REPLACE FUNCTION scan_targets_without_job() RETURNS TABLE (org_id text, scan_id text, data_source_id text, trigger text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    SELECT t.org_id, t.scan_id, t.data_source_id, s.trigger
    FROM scan_targets t JOIN scans s ON s.org_id = t.org_id AND s.id = t.scan_id
    WHERE t.status IN ('queued', 'running') AND NOT has_job(t.scan_id || ':' || t.data_source_id)
    LIMIT 1000
  $$;

CREATE OR REPLACE FUNCTION report_work_without_job() RETURNS TABLE (org_id text, report_id text, format text, recipient text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    (SELECT r.org_id, r.id, NULL, NULL FROM reports r
     WHERE r.status = 'pending' AND NOT has_job('take-report-snapshot:' || r.org_id || ':' || r.id) LIMIT 1000)
    UNION ALL
    (SELECT e.org_id, e.report_id, e.format, NULL FROM report_exports e
     WHERE e.status = 'pending'
       AND NOT has_job('render-report-export:' || e.org_id || ':' || e.report_id || ':' || e.format) LIMIT 1000)
    UNION ALL
    (SELECT d.org_id, d.report_id, NULL, d.recipient
     FROM report_deliveries d JOIN reports r ON r.org_id = d.org_id AND r.id = d.report_id
     WHERE d.status = 'pending' AND r.status = 'ready' AND r.mail_format IS NOT NULL
       AND NOT EXISTS (SELECT FROM report_exports e WHERE e.org_id = r.org_id AND e.report_id = r.id
                         AND e.format = r.mail_format AND e.status = 'pending')
       AND NOT has_job('deliver-report:' || d.org_id || ':' || d.report_id || ':' || d.recipient) LIMIT 1000)
  $$;

CREATE OR REPLACE FUNCTION organizations_to_recompute(rules_version integer) RETURNS SETOF text
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    DECLARE
      feeds CONSTANT integer := exploitation_version();
    BEGIN
      RETURN QUERY
        SELECT stale.org_id FROM (
          SELECT d.org_id FROM data_sources d
          LEFT JOIN finding_policies p ON p.org_id = d.org_id
          LEFT JOIN finding_recomputations r ON r.org_id = d.org_id AND r.data_source_id = d.id
          WHERE (r.done AND r.inputs = concat_ws('.', rules_version, d.importance_version, COALESCE(p.version, 0))) IS NOT TRUE
          UNION
          SELECT o.id FROM organizations o
          LEFT JOIN exploitation_recomputations r ON r.org_id = o.id
          WHERE feeds > 0 AND (r.done AND r.version = feeds) IS NOT TRUE) stale
        WHERE NOT has_job('recompute-findings:' || stale.org_id)
        LIMIT 1000;
    END
  $$;

CREATE OR REPLACE FUNCTION invitations_without_job() RETURNS TABLE (org_id text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    SELECT i.org_id, i.id FROM invitations i
    WHERE i.status = 'pending' AND i.token_hash IS NULL AND i.expires_at > now()
      AND NOT has_job('send-invitation:' || i.org_id || ':' || i.id)
    LIMIT 1000
  $$;

CREATE OR REPLACE FUNCTION removed_data_sources_without_job() RETURNS TABLE (org_id text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    SELECT d.org_id, d.id FROM data_sources d
    WHERE d.deleted_at IS NOT NULL
      AND EXISTS (SELECT FROM finding_counts c WHERE c.org_id = d.org_id AND c.data_source_id = d.id
                    AND c.status IN ('new', 'triaged', 'in_progress') AND c.count > 0)
      AND NOT has_job('clean-up-data-source:' || d.org_id || ':' || d.id)
    LIMIT 1000
  $$;

DROP TABLE token_organizations;
DROP INDEX api_tokens_hash;
ALTER INDEX api_tokens_hash_new RENAME TO api_tokens_hash;
