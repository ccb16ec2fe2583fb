-- A second factor that is set up and not yet confirmed; the one in two_factors stays on meanwhile. The secret is
-- encrypted by the sign-in library, the recovery codes are hashes.
CREATE TABLE pending_two_factors (
  user_id text COLLATE "C" PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  secret text NOT NULL,
  recovery_codes text NOT NULL,
  expires_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON pending_two_factors TO assay_app;

-- Since when the operator lets this person use nothing; null: they may.
ALTER TABLE users ADD COLUMN disabled_at timestamptz;

-- The tokens of a disabled person have no role.
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
        SELECT t.id, t.org_id, t.user_id, u.name, u.email, CASE WHEN u.disabled_at IS NULL THEN m.role END, t.scopes,
               t.expires_at, t.revoked_at, o.plan, o.rate_limit, o.burst_limit
        FROM public.api_tokens t
        JOIN public.organizations o ON o.id = t.org_id
        JOIN public.users u ON u.id = t.user_id
        LEFT JOIN public.members m ON m.org_id = t.org_id AND m.user_id = t.user_id
        WHERE t.org_id = org AND t.hash = token_hash;
    END
  $$;
