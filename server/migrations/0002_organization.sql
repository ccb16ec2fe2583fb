-- People, organizations, memberships, and the audit log.

-- People belong to no organization: a reference table without row-level security. It is one of the tables that the
-- sign-in library expects. The slice identity owns it, like the others.
--
-- An email address is verified by a mailed link or the single sign-on provider. Only verified addresses are unique.
-- An unverified account belongs to one organization, organization_id, and has no access to others: bearer_of_token()
-- and memberships_of_user() ignore other rows in members. Without an organization it is retired.
CREATE TABLE users (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL CHECK (email = lower(email)),
  email_verified boolean NOT NULL DEFAULT false,
  image text,
  two_factor_enabled boolean DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- The time since which the operator has disabled this person; null when they are enabled.
  disabled_at timestamptz,
  -- Set for a generated password, which works until this time and must be changed first.
  initial_password_until timestamptz,
  organization_id text COLLATE "C"
);
CREATE UNIQUE INDEX users_verified_email ON users (email) WHERE email_verified;
CREATE UNIQUE INDEX users_unverified_email ON users (email, organization_id) WHERE NOT email_verified;
GRANT SELECT, INSERT, UPDATE, DELETE ON users TO assay_app;

CREATE TABLE organizations (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  plan text NOT NULL DEFAULT 'default' CHECK (plan IN ('default', 'enterprise')),
  -- Requests per minute that the operator agreed to; null for the installation's default.
  rate_limit integer CHECK (rate_limit > 0),
  burst_limit integer CHECK (burst_limit > rate_limit),
  created_at timestamptz NOT NULL DEFAULT now(),
  -- The members' sign-in policy in the API's format; null for the default policy.
  sign_in jsonb,
  -- The number of days after which the last complete scan of a data source is too old.
  stale_after_days integer NOT NULL DEFAULT 7 CHECK (stale_after_days BETWEEN 1 AND 365),
  -- The version of these two policies.
  policy_version integer NOT NULL DEFAULT 0,
  CHECK ((rate_limit IS NULL) = (burst_limit IS NULL))
);
ALTER TABLE organizations ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON organizations USING (id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON organizations TO assay_app;

CREATE TABLE members (
  org_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  user_id text COLLATE "C" NOT NULL REFERENCES users (id),
  role text NOT NULL CHECK (role IN ('viewer', 'developer', 'analyst', 'admin', 'owner')),
  joined_at timestamptz NOT NULL DEFAULT now(),
  last_active_at timestamptz,
  -- Sessions of the member from before this time have no access to the organization: an administrator ended them.
  sessions_from timestamptz,
  PRIMARY KEY (org_id, user_id)
);
CREATE INDEX members_user ON members (user_id);
ALTER TABLE members ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON members USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON members TO assay_app;

-- The copy of a new account may arrive in a cell later than its first membership, which then waits for it.
CREATE FUNCTION await_account() RETURNS trigger
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  until CONSTANT timestamptz := clock_timestamp() + interval '5 seconds';
BEGIN
  LOOP
    EXIT WHEN EXISTS (SELECT FROM public.users u WHERE u.id = NEW.user_id);
    EXIT WHEN NOT EXISTS (SELECT FROM public.cell c WHERE c.name <> 'home');
    IF clock_timestamp() > until THEN
      RAISE EXCEPTION 'The account % has not arrived in this cell.', NEW.user_id USING ERRCODE = 'ASC02';
    END IF;
    PERFORM pg_sleep(0.01);
  END LOOP;
  RETURN NEW;
END $$;
CREATE TRIGGER members_await_account BEFORE INSERT ON members FOR EACH ROW EXECUTE FUNCTION await_account();

-- `expired` is not stored: such an invitation is pending, and its time has passed.
CREATE TABLE invitations (
  org_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  id text COLLATE "C" NOT NULL,
  email text NOT NULL CHECK (email = lower(email)),
  role text NOT NULL CHECK (role IN ('viewer', 'developer', 'analyst', 'admin', 'owner')),
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'accepted', 'revoked')),
  -- SHA-256 of the link's token; null until the mail is about to be sent.
  token_hash bytea,
  invited_by text COLLATE "C" REFERENCES users (id),
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  -- Whether the link was only sent by mail: its use verifies the address.
  mailed boolean NOT NULL DEFAULT false,
  PRIMARY KEY (org_id, id)
);
CREATE UNIQUE INDEX invitations_pending ON invitations (org_id, email) WHERE status = 'pending';
CREATE INDEX invitations_token ON invitations (token_hash) WHERE token_hash IS NOT NULL;
CREATE INDEX invitations_without_link ON invitations (org_id) WHERE status = 'pending' AND token_hash IS NULL;
ALTER TABLE invitations ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON invitations USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON invitations TO assay_app;

-- Open invitations of all organizations whose link was never created, and that no job will mail.
CREATE FUNCTION invitations_without_job() RETURNS TABLE (org_id text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    SELECT i.org_id, i.id FROM invitations i
    WHERE i.status = 'pending' AND i.token_hash IS NULL AND i.expires_at > now()
      AND i.org_id NOT IN (SELECT organization_id FROM absent_organizations)
      AND NOT has_job('send-invitation:' || i.org_id || ':' || i.id)
    LIMIT 1000
  $$;
REVOKE ALL ON FUNCTION invitations_without_job() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION invitations_without_job() TO assay_app;

-- Lookups before the organization is known: small functions, each one indexed lookup, that run as the owner of the
-- tables, to whom row-level security does not apply. The API and the worker never run a statement as the owner
-- themselves.

CREATE FUNCTION organization_of_invitation(invitation_token_hash bytea) RETURNS TABLE (org_id text, invitation_id text)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $$
    BEGIN
      RETURN QUERY SELECT i.org_id, i.id FROM public.invitations i
        WHERE i.token_hash = invitation_token_hash AND i.org_id NOT IN (SELECT organization_id FROM public.absent_organizations);
    END
  $$;
REVOKE ALL ON FUNCTION organization_of_invitation(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION organization_of_invitation(bytea) TO assay_app;

-- The organizations that a person is a member of, in the order of joining.
CREATE FUNCTION memberships_of_user(member_id text)
  RETURNS TABLE (org_id text, name text, role text, joined_at timestamptz, plan text, rate_limit integer, burst_limit integer,
    sign_in jsonb, sessions_from timestamptz)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $$
    BEGIN
      PERFORM public.refuse_moving(m.org_id) FROM public.absent_organizations a
        JOIN public.members m ON m.org_id = a.organization_id AND m.user_id = member_id WHERE a.leaving;
      RETURN QUERY
        SELECT o.id, o.name, m.role, m.joined_at, o.plan, o.rate_limit, o.burst_limit, o.sign_in, m.sessions_from
        FROM public.members m
        JOIN public.organizations o ON o.id = m.org_id
        JOIN public.users u ON u.id = m.user_id
        WHERE m.user_id = member_id AND (u.email_verified OR u.organization_id = o.id)
          AND o.id NOT IN (SELECT organization_id FROM public.absent_organizations)
        ORDER BY m.joined_at, o.id;
    END
  $$;
REVOKE ALL ON FUNCTION memberships_of_user(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memberships_of_user(text) TO assay_app;

-- The id of the installation's only organization; null when there is none, or more than one. For the home cell.
CREATE FUNCTION only_organization() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT min(o.id) FROM (
    (SELECT id FROM public.organizations WHERE id NOT IN (SELECT organization_id FROM public.absent_organizations) LIMIT 2)
    UNION ALL (SELECT organization_id FROM public.organization_cells LIMIT 2)) o
  HAVING count(*) = 1
$$;
REVOKE ALL ON FUNCTION only_organization() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION only_organization() TO assay_app;

-- The oldest organization of the home cell; null when there is none. It belongs to the people who run the installation.
CREATE FUNCTION first_organization() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT o.id FROM public.organizations o
  WHERE NOT EXISTS (SELECT FROM public.cell c WHERE c.name <> 'home')
  ORDER BY o.created_at, o.id LIMIT 1
$$;
REVOKE ALL ON FUNCTION first_organization() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION first_organization() TO assay_app;

-- All organizations, for operator commands that process each of them.
CREATE FUNCTION list_organizations() RETURNS TABLE (id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $$ SELECT o.id FROM public.organizations o
    WHERE o.id NOT IN (SELECT organization_id FROM public.absent_organizations) ORDER BY o.id $$;
REVOKE ALL ON FUNCTION list_organizations() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION list_organizations() TO assay_app;

-- Shows a node that nothing has changed since it computed figures: every transaction that changes findings or data
-- sources of an organization adds a row with a random number. Rows are only added, so that transactions never wait
-- for each other; one in 128 transactions removes the existing rows before it adds its own
-- (organization/change-number.ts).
CREATE TABLE organization_changes (
  org_id text COLLATE "C" NOT NULL,
  mark bigint NOT NULL,
  PRIMARY KEY (org_id, mark)
);
ALTER TABLE organization_changes ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON organization_changes USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON organization_changes TO assay_app;

-- Notifies nodes with open event streams of the organization at commit; several notifications of one transaction are
-- merged.
CREATE FUNCTION notify_organization_event() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM pg_notify('assay_events', NEW.org_id);
  RETURN NULL;
END $$;

-- The words of a name in lower case, consisting of letters and digits.
CREATE FUNCTION name_words(name text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog
  AS $$ SELECT array_remove(regexp_split_to_array(lower(COALESCE(name, '')), '[^[:alnum:]]+'), '') $$;

-- The audit log: who did what, from which address, with the state before and after; a chain of hashes for each
-- organization; append-only.
--
-- The chain is built at COMMIT by a deferred trigger. So the transactions of an organization wait for each other only
-- while they commit, the events are in commit order, and no transaction locks the head of the chain while it waits
-- for another lock.
CREATE TABLE audit_events (
  org_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  id text COLLATE "C" NOT NULL,
  occurred_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Null for the operator's command line.
  user_id text COLLATE "C",
  token_id text COLLATE "C",
  action text NOT NULL,
  subject_id text COLLATE "C",
  details jsonb NOT NULL DEFAULT '{}',
  address text COLLATE "C",
  subject_name text,
  before jsonb,
  after jsonb,
  -- The position in the organization's chain, from 1, without gaps; null until the transaction commits.
  sequence bigint,
  hash bytea,
  PRIMARY KEY (org_id, id)
);
-- Used only through a function: under row-level security no index is used for an operator that is not leakproof.
CREATE INDEX audit_events_by_word ON audit_events USING gin ((array_to_tsvector(name_words(subject_name))));
CREATE UNIQUE INDEX audit_events_sequence ON audit_events (org_id, sequence);
CREATE INDEX audit_events_time ON audit_events (org_id, occurred_at, sequence);
CREATE INDEX audit_events_user ON audit_events (org_id, user_id, occurred_at, sequence);
CREATE INDEX audit_events_token ON audit_events (org_id, token_id, occurred_at, sequence) WHERE token_id IS NOT NULL;
CREATE INDEX audit_events_action ON audit_events (org_id, action, occurred_at, sequence);
-- For events of one person and one action, each of which may be common.
CREATE INDEX audit_events_user_action ON audit_events (org_id, user_id, action, occurred_at, sequence);
CREATE INDEX audit_events_subject ON audit_events (org_id, subject_id, occurred_at, sequence) WHERE subject_id IS NOT NULL;
ALTER TABLE audit_events ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON audit_events USING (org_id = current_setting('app.org_id', true));
-- The application can add events, but can't set their time, position and hash.
GRANT SELECT, INSERT (org_id, id, user_id, token_id, address, action, subject_id, subject_name, before, after, details)
  ON audit_events TO assay_app;

-- The ids of this organization's events whose target's name has words with these prefixes; none without a word.
CREATE FUNCTION audit_events_named(name text) RETURNS SETOF text
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public ROWS 1000
  AS $$
    DECLARE
      org CONSTANT text := current_setting('app.org_id', true);
      query CONSTANT tsquery := (SELECT string_agg(quote_literal(word) || ':*', ' & ') FROM unnest(name_words(name)) AS word)::tsquery;
    BEGIN
      RETURN QUERY SELECT e.id FROM audit_events e WHERE (e.org_id = org) IS TRUE AND array_to_tsvector(name_words(e.subject_name)) @@ query;
    END
  $$;
REVOKE ALL ON FUNCTION audit_events_named(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit_events_named(text) TO assay_app;

-- The last event of each organization's chain.
CREATE TABLE audit_chains (
  org_id text COLLATE "C" PRIMARY KEY REFERENCES organizations (id),
  sequence bigint NOT NULL,
  hash bytea NOT NULL
);
ALTER TABLE audit_chains ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON audit_chains USING (org_id = current_setting('app.org_id', true));
GRANT SELECT ON audit_chains TO assay_app;

-- Without SET clauses, so that PostgreSQL inlines both functions.
CREATE FUNCTION audit_text(value text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(octet_length(convert_to(value, 'UTF8')) || ':' || value, '-') || ','
$$;

-- SHA-256 of the hash of the previous event (nothing for the first) and the fields of this event. Each field is
-- written as its length in bytes, a colon and its text, or as `-` when it is null; then a comma.
-- organization/audit/verify-chain.ts computes the same.
CREATE FUNCTION audit_event_hash(previous bytea, event audit_events) RETURNS bytea
LANGUAGE sql STABLE AS $$
  SELECT sha256(previous || convert_to(
    public.audit_text(event.sequence::text) || public.audit_text(event.org_id) || public.audit_text(event.id)
    || public.audit_text(to_char(event.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
    || public.audit_text(event.user_id) || public.audit_text(event.token_id) || public.audit_text(event.address)
    || public.audit_text(event.action) || public.audit_text(event.subject_id) || public.audit_text(event.subject_name)
    || public.audit_text(event.before::text) || public.audit_text(event.after::text)
    || public.audit_text(event.details::text), 'UTF8'))
$$;

-- All events of a transaction are sealed at once. One by one, each would write another version of the chain's head,
-- and the next would have to read all of them.
CREATE FUNCTION seal_audit_event() RETURNS trigger
-- A cached plan from when the table was small would read all of an organization's events for each new one.
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  unsealed record;
  event public.audit_events;
  head public.audit_chains;
BEGIN
  -- The first event of the transaction has sealed the others.
  IF EXISTS (SELECT FROM public.audit_events e WHERE e.org_id = NEW.org_id AND e.id = NEW.id AND e.sequence IS NOT NULL) THEN
    RETURN NULL;
  END IF;
  INSERT INTO public.audit_chains (org_id, sequence, hash) VALUES (NEW.org_id, 0, '') ON CONFLICT DO NOTHING;
  SELECT * INTO STRICT head FROM public.audit_chains c WHERE c.org_id = NEW.org_id FOR UPDATE;
  -- Only this transaction sees its events without a position.
  FOR unsealed IN SELECT e.ctid AS place, e AS event FROM public.audit_events e WHERE e.org_id = NEW.org_id AND e.sequence IS NULL
               ORDER BY e.occurred_at, e.id LOOP
    event := unsealed.event;
    event.sequence := head.sequence + 1;
    event.occurred_at := clock_timestamp();
    event.hash := public.audit_event_hash(head.hash, event);
    UPDATE public.audit_events e SET sequence = event.sequence, occurred_at = event.occurred_at, hash = event.hash
      WHERE e.org_id = NEW.org_id AND e.ctid = unsealed.place;
    head.sequence := event.sequence;
    head.hash := event.hash;
  END LOOP;
  UPDATE public.audit_chains c SET sequence = head.sequence, hash = head.hash WHERE c.org_id = NEW.org_id;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION seal_audit_event() FROM PUBLIC;
-- Events of a restored backup already have hashes and are not sealed again.
CREATE CONSTRAINT TRIGGER seal AFTER INSERT ON audit_events DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.sequence IS NULL) EXECUTE FUNCTION seal_audit_event();

-- For every role, including the owner of the tables. What is left of an organization in another cell can be deleted.
CREATE FUNCTION keep_audit_event() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.sequence IS NULL THEN RETURN NEW; END IF;
  IF TG_OP = 'DELETE' AND EXISTS (SELECT FROM public.absent_organizations a WHERE a.organization_id = OLD.org_id) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'The audit log is append-only.' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER keep BEFORE UPDATE OR DELETE ON audit_events FOR EACH ROW EXECUTE FUNCTION keep_audit_event();

-- The head of every organization's chain; null for an organization without one. For the command that verifies the
-- chains.
CREATE FUNCTION list_audit_chains() RETURNS TABLE (org_id text, name text, sequence bigint, hash bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT o.id, o.name, c.sequence, c.hash
  FROM public.organizations o LEFT JOIN public.audit_chains c ON c.org_id = o.id
  WHERE o.id NOT IN (SELECT organization_id FROM public.absent_organizations)
  ORDER BY o.id
$$;
REVOKE ALL ON FUNCTION list_audit_chains() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION list_audit_chains() TO assay_app;

-- Heads of the audit log's chains that were sent to external systems: the channel, the time and the response. They
-- are proof only together with the external copy; here, they say what to compare it with.
CREATE TABLE audit_heads (
  org_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  channel text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  -- Part of the key: the head of a rewritten chain replaces nothing.
  hash bytea NOT NULL,
  noted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The last time at which it was the head of its chain.
  read_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- When a worker sends it, or retries; null when it was sent.
  due_at timestamptz DEFAULT clock_timestamp(),
  -- When it was last sent, and to which server.
  sent_at timestamptz,
  destination text COLLATE "C",
  -- The token of a timestamp, or the start of a webhook's response.
  receipt bytea,
  error text,
  PRIMARY KEY (org_id, channel, sequence, hash)
);
CREATE INDEX audit_heads_read ON audit_heads (channel, read_at);
CREATE INDEX audit_heads_due ON audit_heads (due_at) WHERE due_at IS NOT NULL;
ALTER TABLE audit_heads ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON audit_heads USING (org_id = current_setting('app.org_id', true));
-- The application can neither remove a head nor change its identity.
GRANT SELECT, INSERT (org_id, channel, sequence, hash), UPDATE (read_at, due_at, sent_at, destination, receipt, error)
  ON audit_heads TO assay_app;

-- The organizations whose head is to be recorded or sent, longest waiting first.
CREATE FUNCTION list_due_audit_heads(channels text[], pause interval, max_organizations integer) RETURNS TABLE (org_id text)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      RETURN QUERY
        SELECT due.id FROM (
          SELECT c.org_id AS id, '-infinity'::timestamptz AS since
          FROM public.audit_chains c
          LEFT JOIN public.audit_heads h ON h.org_id = c.org_id AND h.channel = 'log' AND h.read_at > statement_timestamp() - pause
          WHERE h.org_id IS NULL
          UNION ALL
          SELECT h.org_id, h.due_at FROM public.audit_heads h
          WHERE h.channel = ANY (channels) AND h.due_at <= statement_timestamp()
        ) due WHERE due.id NOT IN (SELECT organization_id FROM public.absent_organizations)
        GROUP BY due.id ORDER BY min(due.since), due.id LIMIT max_organizations;
    END
  $$;
REVOKE ALL ON FUNCTION list_due_audit_heads(text[], interval, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION list_due_audit_heads(text[], interval, integer) TO assay_app;
