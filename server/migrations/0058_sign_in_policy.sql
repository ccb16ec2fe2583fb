-- Organizations decide how their members sign in, for how long tokens are valid, and from which addresses both are used.

-- The policy as the API shows it; null for the default one.
ALTER TABLE organizations ADD COLUMN sign_in jsonb;
ALTER TABLE organizations ADD COLUMN sign_in_version integer NOT NULL DEFAULT 0;

-- How the person signed in; null for sessions from before, which meet no policy. A session that the sign-in library renews keeps both.
ALTER TABLE sessions ADD COLUMN sign_in_method text;
ALTER TABLE sessions ADD COLUMN second_factor boolean NOT NULL DEFAULT false;
-- A session ends 30 days after this, however much it is used.
ALTER TABLE sessions ADD COLUMN signed_in_at timestamptz NOT NULL DEFAULT now();
UPDATE sessions SET signed_in_at = created_at;

-- Sessions of the member from before this time do not reach the organization: an administrator ended them.
ALTER TABLE members ADD COLUMN sessions_from timestamptz;

-- Set while the person has a generated password, which works until then and must be changed first.
ALTER TABLE users ADD COLUMN initial_password_until timestamptz;

-- The tokens of a disabled person have no role.
CREATE FUNCTION bearer_of_token(token_hash bytea)
  RETURNS TABLE (token_id text, org_id text, user_id text, user_name text, user_email text, role text, scopes text[],
    created_at timestamptz, expires_at timestamptz, revoked_at timestamptz, plan text, rate_limit integer, burst_limit integer,
    sign_in jsonb)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $$
    DECLARE
      org CONSTANT text := (SELECT n.organization_id FROM public.token_organizations n WHERE n.hash = token_hash);
    BEGIN
      IF org IS NULL THEN RETURN; END IF;
      RETURN QUERY
        SELECT t.id, t.org_id, t.user_id, u.name, u.email, CASE WHEN u.disabled_at IS NULL THEN m.role END, t.scopes,
               t.created_at, t.expires_at, t.revoked_at, o.plan, o.rate_limit, o.burst_limit, o.sign_in
        FROM public.api_tokens t
        JOIN public.organizations o ON o.id = t.org_id
        JOIN public.users u ON u.id = t.user_id
        LEFT JOIN public.members m ON m.org_id = t.org_id AND m.user_id = t.user_id
        WHERE t.org_id = org AND t.hash = token_hash;
    END
  $$;

CREATE FUNCTION memberships_of_user(member_id text)
  RETURNS TABLE (org_id text, name text, role text, joined_at timestamptz, plan text, rate_limit integer, burst_limit integer,
    sign_in jsonb, sessions_from timestamptz)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $$
    BEGIN
      RETURN QUERY
        SELECT o.id, o.name, m.role, m.joined_at, o.plan, o.rate_limit, o.burst_limit, o.sign_in, m.sessions_from
        FROM public.members m
        JOIN public.organizations o ON o.id = m.org_id
        WHERE m.user_id = member_id
        ORDER BY m.joined_at, o.id;
    END
  $$;

REVOKE ALL ON FUNCTION bearer_of_token(bytea), memberships_of_user(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION bearer_of_token(bytea), memberships_of_user(text) TO assay_app;
