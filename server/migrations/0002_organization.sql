-- People, organizations and what joins them.
--
-- People, their passwords and sessions stand in the tables that better-auth wants (server/identity/auth.ts maps the
-- names); they belong to no organization, so they are reference tables without row-level security.

CREATE TABLE users (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL UNIQUE CHECK (email = lower(email)),
  email_verified boolean NOT NULL DEFAULT false,
  image text,
  two_factor_enabled boolean DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE sessions (
  id text COLLATE "C" PRIMARY KEY,
  token text COLLATE "C" NOT NULL UNIQUE,
  user_id text COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  active_organization_id text COLLATE "C",
  ip_address text,
  user_agent text,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sessions_user ON sessions (user_id);

-- The password stands here as argon2id where provider_id is 'credential'.
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

CREATE TABLE verifications (
  id text COLLATE "C" PRIMARY KEY,
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX verifications_identifier ON verifications (identifier);

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
  created_at timestamptz DEFAULT now()
);
CREATE INDEX passkeys_user ON passkeys (user_id);
CREATE INDEX passkeys_credential ON passkeys (credential_id);

-- Sign-in attempts per address and path, counted over all nodes.
CREATE TABLE sign_in_limits (
  id text COLLATE "C" PRIMARY KEY,
  key text NOT NULL UNIQUE,
  count integer NOT NULL,
  last_request bigint NOT NULL
);

GRANT SELECT, INSERT, UPDATE, DELETE
  ON users, sessions, accounts, verifications, two_factors, passkeys, sign_in_limits TO assay_app;

CREATE TABLE organizations (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  plan text NOT NULL DEFAULT 'default' CHECK (plan IN ('default', 'enterprise')),
  -- Requests per minute that the operator agreed to; null: the installation's own figures.
  rate_limit integer CHECK (rate_limit > 0),
  burst_limit integer CHECK (burst_limit > rate_limit),
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((rate_limit IS NULL) = (burst_limit IS NULL))
);
ALTER TABLE organizations ENABLE ROW LEVEL SECURITY;
ALTER TABLE organizations FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON organizations USING (id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON organizations TO assay_app;

CREATE TABLE members (
  org_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  user_id text COLLATE "C" NOT NULL REFERENCES users (id),
  role text NOT NULL CHECK (role IN ('viewer', 'analyst', 'admin', 'owner')),
  joined_at timestamptz NOT NULL DEFAULT now(),
  last_active_at timestamptz,
  PRIMARY KEY (org_id, user_id)
);
CREATE INDEX members_user ON members (user_id);
ALTER TABLE members ENABLE ROW LEVEL SECURITY;
ALTER TABLE members FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON members USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON members TO assay_app;

-- `expired` is not stored: it is a pending one whose time has passed.
CREATE TABLE invitations (
  org_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  id text COLLATE "C" NOT NULL,
  email text NOT NULL CHECK (email = lower(email)),
  role text NOT NULL CHECK (role IN ('viewer', 'analyst', 'admin', 'owner')),
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'accepted', 'revoked')),
  -- SHA-256 of the link's token; null until the mail is about to leave.
  token_hash bytea,
  invited_by text COLLATE "C" REFERENCES users (id),
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (org_id, id)
);
CREATE UNIQUE INDEX invitations_pending ON invitations (org_id, email) WHERE status = 'pending';
CREATE INDEX invitations_token ON invitations (token_hash) WHERE token_hash IS NOT NULL;
ALTER TABLE invitations ENABLE ROW LEVEL SECURITY;
ALTER TABLE invitations FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON invitations USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON invitations TO assay_app;

CREATE TABLE api_tokens (
  org_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL REFERENCES users (id),
  name text NOT NULL,
  -- SHA-256 of the token: with 202 bits of randomness behind it, a slow hash would add nothing.
  hash bytea NOT NULL,
  -- Null: everything that the user's role allows.
  scopes text[],
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  PRIMARY KEY (org_id, id)
);
-- Not unique, so that the table can be distributed by organization: the randomness is what makes a hash unique.
CREATE INDEX api_tokens_hash ON api_tokens (hash);
CREATE INDEX api_tokens_user ON api_tokens (org_id, user_id, id);
CREATE INDEX api_tokens_id ON api_tokens (id);
ALTER TABLE api_tokens ENABLE ROW LEVEL SECURITY;
ALTER TABLE api_tokens FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON api_tokens USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON api_tokens TO assay_app;

-- Who did what: appended in the transaction of what it tells of, never changed.
CREATE TABLE audit_events (
  org_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  id text COLLATE "C" NOT NULL,
  occurred_at timestamptz NOT NULL DEFAULT now(),
  -- Null: the operator's command line.
  user_id text COLLATE "C",
  token_id text COLLATE "C",
  action text NOT NULL,
  subject_id text COLLATE "C",
  details jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (org_id, id)
);
CREATE INDEX audit_events_time ON audit_events (org_id, occurred_at DESC, id DESC);
ALTER TABLE audit_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_events FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON audit_events USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT ON audit_events TO assay_app;

-- What must be known before the organization is: small functions, each one indexed look-up, that run as the owner of
-- the schema, whom row-level security lets through (migrate.ts); the api and the worker never connect as the owner.

-- The bearer of a token. `role` is null when its user is no longer a member.
CREATE FUNCTION authenticate_token(token_hash bytea)
RETURNS TABLE (
  token_id text, org_id text, user_id text, user_name text, user_email text, role text, scopes text[],
  expires_at timestamptz, revoked_at timestamptz, plan text, rate_limit integer, burst_limit integer
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT t.id, t.org_id, t.user_id, u.name, u.email, m.role, t.scopes,
         t.expires_at, t.revoked_at, o.plan, o.rate_limit, o.burst_limit
  FROM public.api_tokens t
  JOIN public.organizations o ON o.id = t.org_id
  JOIN public.users u ON u.id = t.user_id
  LEFT JOIN public.members m ON m.org_id = t.org_id AND m.user_id = t.user_id
  WHERE t.hash = token_hash
$$;

-- The organizations that a person is a member of, the first joined first.
CREATE FUNCTION organizations_of_user(member_id text)
RETURNS TABLE (
  org_id text, name text, role text, joined_at timestamptz, plan text, rate_limit integer, burst_limit integer
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT o.id, o.name, m.role, m.joined_at, o.plan, o.rate_limit, o.burst_limit
  FROM public.members m
  JOIN public.organizations o ON o.id = m.org_id
  WHERE m.user_id = member_id
  ORDER BY m.joined_at, o.id
$$;

CREATE FUNCTION organization_of_invitation(invitation_token_hash bytea)
RETURNS TABLE (org_id text, invitation_id text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT i.org_id, i.id FROM public.invitations i WHERE i.token_hash = invitation_token_hash
$$;

CREATE FUNCTION organization_of_token(api_token_id text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT t.org_id FROM public.api_tokens t WHERE t.id = api_token_id
$$;

-- The id of the installation's only organization; null when there is none, or more than one.
CREATE FUNCTION only_organization() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT min(o.id) FROM (SELECT id FROM public.organizations LIMIT 2) o HAVING count(*) = 1
$$;

REVOKE ALL ON FUNCTION authenticate_token(bytea), organizations_of_user(text), organization_of_invitation(bytea),
  organization_of_token(text), only_organization() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION authenticate_token(bytea), organizations_of_user(text), organization_of_invitation(bytea),
  organization_of_token(text), only_organization() TO assay_app;
