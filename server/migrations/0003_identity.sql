-- Sign-in and API tokens. Passwords and sessions are in the tables that the sign-in library expects (identity/auth.ts maps
-- the names). People belong to no organization, so these are reference tables without row-level security.

CREATE TABLE sessions (
  id text COLLATE "C" PRIMARY KEY,
  token text COLLATE "C" NOT NULL UNIQUE,
  user_id text COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  active_organization_id text COLLATE "C",
  ip_address text,
  user_agent text,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- To the minute.
  last_active_at timestamptz,
  -- The sign-in method. A session that the sign-in library renews keeps this and second_factor.
  sign_in_method text,
  second_factor boolean NOT NULL DEFAULT false,
  -- A session ends 30 days after this time, however active it is.
  signed_in_at timestamptz NOT NULL DEFAULT now()
);
-- A person's sessions in list order.
CREATE INDEX sessions_of_user ON sessions (user_id, id);
GRANT SELECT, INSERT, UPDATE, DELETE ON sessions TO assay_app;

-- A session ends in many ways (sign-out, another password, revocation), most of them in the sign-in library. Nodes
-- that cache sessions listen.
CREATE FUNCTION notify_session_end() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM pg_notify('assay_authentication', '');
  RETURN NULL;
END $$;
CREATE TRIGGER sessions_notify AFTER DELETE ON sessions FOR EACH STATEMENT EXECUTE FUNCTION notify_session_end();

-- The argon2id hash of the password when provider_id is 'credential'.
CREATE TABLE accounts (
  id text COLLATE "C" PRIMARY KEY,
  account_id text NOT NULL,
  provider_id text NOT NULL,
  user_id text COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (provider_id, account_id)
);
CREATE INDEX accounts_user ON accounts (user_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON accounts TO assay_app;

-- One salt for all passwords of an address, so that checking a password against all of its accounts costs the same as
-- against one.
CREATE TABLE password_salts (
  address bytea PRIMARY KEY,
  salt bytea NOT NULL
);
GRANT SELECT, INSERT ON password_salts TO assay_app;

CREATE TABLE verifications (
  id text COLLATE "C" PRIMARY KEY,
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX verifications_identifier ON verifications (identifier);
-- Browsers that are trusted after a code of the second factor.
CREATE INDEX verifications_trusted ON verifications (value) WHERE identifier LIKE 'trust-device-%';
GRANT SELECT, INSERT, UPDATE, DELETE ON verifications TO assay_app;

CREATE TABLE two_factors (
  id text COLLATE "C" PRIMARY KEY,
  user_id text COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  secret text NOT NULL,
  backup_codes text NOT NULL,
  verified boolean DEFAULT true,
  failed_verification_count integer DEFAULT 0,
  locked_until timestamptz
);
CREATE INDEX two_factors_user ON two_factors (user_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON two_factors TO assay_app;

-- A second factor that is set up but not confirmed yet; the one in two_factors stays active meanwhile. The secret is
-- encrypted by the sign-in library, the recovery codes are hashed.
CREATE TABLE pending_two_factors (
  user_id text COLLATE "C" PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  secret text NOT NULL,
  recovery_codes text NOT NULL,
  expires_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON pending_two_factors TO assay_app;

CREATE TABLE passkeys (
  id text COLLATE "C" PRIMARY KEY,
  user_id text COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name text,
  public_key text NOT NULL,
  credential_id text NOT NULL,
  counter integer NOT NULL,
  device_type text NOT NULL,
  backed_up boolean NOT NULL,
  transports text,
  aaguid text,
  created_at timestamptz DEFAULT now(),
  last_used_at timestamptz
);
CREATE INDEX passkeys_user ON passkeys (user_id);
-- A passkey belongs to one person.
CREATE UNIQUE INDEX passkeys_credential ON passkeys (credential_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON passkeys TO assay_app;

-- Links in mails that work once: for a new password, and to confirm a new email address.
CREATE TABLE sign_in_links (
  -- SHA-256 of the link's token.
  token_hash bytea PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('password', 'email')),
  user_id text COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The address that the mail is sent to: with `email`, the new one.
  email text NOT NULL CHECK (email = lower(email)),
  expires_at timestamptz NOT NULL,
  -- Whether the link was only sent by mail: its use verifies the address.
  mailed boolean NOT NULL DEFAULT false,
  -- A newer link replaces the previous one.
  UNIQUE (user_id, kind)
);
CREATE INDEX sign_in_links_expiry ON sign_in_links (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON sign_in_links TO assay_app;

-- The number of password guesses, by account and by client address, across all nodes.
CREATE TABLE guess_limits (
  -- The limited party: an address, or the digest of an account's email address.
  key text COLLATE "C" PRIMARY KEY,
  -- When all guesses are available again; each guess adds the time after which one becomes available.
  full_at timestamptz NOT NULL
);
CREATE INDEX guess_limits_full ON guess_limits (full_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON guess_limits TO assay_app;

-- Failed sign-ins of existing accounts, by hour and client address, for their people and the audit log. An account has at
-- most a few rows an hour: attempts from further addresses are added together under the address ''.
CREATE TABLE failed_sign_ins (
  user_id text COLLATE "C" NOT NULL,
  hour timestamptz NOT NULL,
  address text NOT NULL,
  methods text[] NOT NULL,
  attempts bigint NOT NULL,
  -- The number of attempts for which the audit log has an event.
  recorded bigint NOT NULL DEFAULT 0,
  first_at timestamptz NOT NULL DEFAULT now(),
  last_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, hour, address)
);
CREATE INDEX failed_sign_ins_unrecorded ON failed_sign_ins (hour, user_id, address) WHERE recorded < attempts;
GRANT SELECT, INSERT, UPDATE, DELETE ON failed_sign_ins TO assay_app;

-- A person's preferences for the console, shared by all organizations.
CREATE TABLE user_preferences (
  user_id text COLLATE "C" PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  preferences json NOT NULL CHECK (octet_length(preferences::text) <= 32768),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT, INSERT, UPDATE, DELETE ON user_preferences TO assay_app;

-- Work that a change of a person's account leaves to their organizations: to add an event to the audit log, to revoke the
-- person's tokens, or to make the person a member. Written with the change, and deleted once it is done, usually within
-- the same request.
CREATE TABLE account_follow_ups (
  organization_id text COLLATE "C" NOT NULL,
  -- The id of the audit event, so that the log never has it twice.
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  happened_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  work jsonb NOT NULL,
  PRIMARY KEY (organization_id, id)
);
GRANT SELECT, INSERT, DELETE ON account_follow_ups TO assay_app;

CREATE TABLE api_tokens (
  org_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL REFERENCES users (id),
  name text NOT NULL,
  -- SHA-256 of the token: with 202 random bits, a slow hash would add nothing.
  hash bytea NOT NULL,
  -- Null for all permissions of the user's role.
  scopes text[],
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  PRIMARY KEY (org_id, id)
);
-- Not unique: the random bits make a hash unique.
CREATE INDEX api_tokens_hash ON api_tokens (hash);
CREATE INDEX api_tokens_user ON api_tokens (org_id, user_id, id);
CREATE INDEX api_tokens_id ON api_tokens (id);
ALTER TABLE api_tokens ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON api_tokens USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON api_tokens TO assay_app;

-- The bearer of a token. `role` is null when its user is no longer a member, or must not act.
CREATE FUNCTION bearer_of_token(token_hash bytea)
  RETURNS TABLE (token_id text, org_id text, user_id text, user_name text, user_email text, role text, scopes text[],
    created_at timestamptz, expires_at timestamptz, revoked_at timestamptz, plan text, rate_limit integer, burst_limit integer,
    sign_in jsonb)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $$
    BEGIN
      PERFORM public.refuse_moving(t.org_id) FROM public.absent_organizations a
        JOIN public.api_tokens t ON t.org_id = a.organization_id AND t.hash = token_hash WHERE a.leaving;
      RETURN QUERY
        SELECT t.id, t.org_id, t.user_id, u.name, u.email,
               CASE WHEN u.disabled_at IS NULL AND (u.email_verified OR u.organization_id = t.org_id) THEN m.role END, t.scopes,
               t.created_at, t.expires_at, t.revoked_at, o.plan, o.rate_limit, o.burst_limit, o.sign_in
        FROM public.api_tokens t
        JOIN public.organizations o ON o.id = t.org_id
        JOIN public.users u ON u.id = t.user_id
        LEFT JOIN public.members m ON m.org_id = t.org_id AND m.user_id = t.user_id
        WHERE t.hash = token_hash AND t.org_id NOT IN (SELECT organization_id FROM public.absent_organizations);
    END
  $$;
REVOKE ALL ON FUNCTION bearer_of_token(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION bearer_of_token(bytea) TO assay_app;

CREATE FUNCTION organization_of_token(api_token_id text) RETURNS text
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $$ BEGIN RETURN (SELECT t.org_id FROM public.api_tokens t WHERE t.id = api_token_id
    AND t.org_id NOT IN (SELECT organization_id FROM public.absent_organizations)); END $$;
REVOKE ALL ON FUNCTION organization_of_token(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION organization_of_token(text) TO assay_app;
