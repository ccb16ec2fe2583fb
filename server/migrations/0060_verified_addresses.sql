-- An email address belongs to a person once a mailed link or the provider of single sign-on has shown it. Only verified addresses
-- are unique. An unverified account belongs to one organization, organization_id, and reaches no other: bearer_of_token() and
-- memberships_of_user(), and authenticate_token() and organizations_of_user() before them, leave the others out, whatever is
-- in members. Without an organization it is out of use.
--
-- Existing accounts: those with email_verified stay verified. Others keep, of the organizations that they are in, the one that they
-- joined first; their memberships in the others stay, and work again when the person verifies the address.
--
-- Nodes of the previous release cannot make accounts on this schema (their ON CONFLICT needs the old constraint): accepting an
-- invitation fails there without using it up, until they are replaced.

ALTER TABLE users ADD COLUMN organization_id text COLLATE "C";

DO $$
DECLARE
  person text;
  first_joined text;
BEGIN
  FOR person IN SELECT id FROM users WHERE NOT email_verified LOOP
    SELECT org_id INTO first_joined FROM members WHERE user_id = person ORDER BY joined_at, org_id LIMIT 1;
    UPDATE users SET organization_id = first_joined WHERE id = person;
  END LOOP;
END $$;

CREATE UNIQUE INDEX users_verified_email ON users (email) WHERE email_verified;
CREATE UNIQUE INDEX users_unverified_email ON users (email, organization_id) WHERE NOT email_verified;

-- Whether a link went only by mail: whoever uses it has shown the address.
ALTER TABLE invitations ADD COLUMN mailed boolean NOT NULL DEFAULT false;
ALTER TABLE sign_in_links ADD COLUMN mailed boolean NOT NULL DEFAULT false;

-- One salt for all passwords of an address, so that trying a password with each of its accounts costs the same as with one.
CREATE TABLE password_salts (
  address bytea PRIMARY KEY,
  salt bytea NOT NULL
);
GRANT SELECT, INSERT ON password_salts TO assay_app;

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
        SELECT t.id, t.org_id, t.user_id, u.name, u.email,
               CASE WHEN u.disabled_at IS NULL AND (u.email_verified OR u.organization_id = t.org_id) THEN m.role END, t.scopes,
               t.expires_at, t.revoked_at, o.plan, o.rate_limit, o.burst_limit
        FROM public.api_tokens t
        JOIN public.organizations o ON o.id = t.org_id
        JOIN public.users u ON u.id = t.user_id
        LEFT JOIN public.members m ON m.org_id = t.org_id AND m.user_id = t.user_id
        WHERE t.org_id = org AND t.hash = token_hash;
    END
  $$;

CREATE OR REPLACE FUNCTION organizations_of_user(member_id text)
  RETURNS TABLE (
    org_id text, name text, role text, joined_at timestamptz, plan text, rate_limit integer, burst_limit integer
  )
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $$
    BEGIN
      RETURN QUERY
        SELECT o.id, o.name, m.role, m.joined_at, o.plan, o.rate_limit, o.burst_limit
        FROM public.members m
        JOIN public.organizations o ON o.id = m.org_id
        JOIN public.users u ON u.id = m.user_id
        WHERE m.user_id = member_id AND (u.email_verified OR u.organization_id = o.id)
        ORDER BY m.joined_at, o.id;
    END
  $$;

CREATE OR REPLACE FUNCTION bearer_of_token(token_hash bytea)
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
        SELECT t.id, t.org_id, t.user_id, u.name, u.email,
               CASE WHEN u.disabled_at IS NULL AND (u.email_verified OR u.organization_id = t.org_id) THEN m.role END, t.scopes,
               t.created_at, t.expires_at, t.revoked_at, o.plan, o.rate_limit, o.burst_limit, o.sign_in
        FROM public.api_tokens t
        JOIN public.organizations o ON o.id = t.org_id
        JOIN public.users u ON u.id = t.user_id
        LEFT JOIN public.members m ON m.org_id = t.org_id AND m.user_id = t.user_id
        WHERE t.org_id = org AND t.hash = token_hash;
    END
  $$;

CREATE OR REPLACE FUNCTION memberships_of_user(member_id text)
  RETURNS TABLE (org_id text, name text, role text, joined_at timestamptz, plan text, rate_limit integer, burst_limit integer,
    sign_in jsonb, sessions_from timestamptz)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $$
    BEGIN
      RETURN QUERY
        SELECT o.id, o.name, m.role, m.joined_at, o.plan, o.rate_limit, o.burst_limit, o.sign_in, m.sessions_from
        FROM public.members m
        JOIN public.organizations o ON o.id = m.org_id
        JOIN public.users u ON u.id = m.user_id
        WHERE m.user_id = member_id AND (u.email_verified OR u.organization_id = o.id)
        ORDER BY m.joined_at, o.id;
    END
  $$;

ALTER TABLE users DROP CONSTRAINT users_email_key;
