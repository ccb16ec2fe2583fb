-- The audit log: address, target, state before and after; a chain of hashes for each organization; append-only.
--
-- The chain is made at COMMIT, by a deferred trigger: the transactions of an organization wait for each other only while
-- they commit, the order is the one in which they took effect, and no transaction holds the head of the chain while it
-- waits for another lock.

ALTER TABLE audit_events
  ADD COLUMN address text COLLATE "C",
  ADD COLUMN subject_name text,
  ADD COLUMN before jsonb,
  ADD COLUMN after jsonb,
  -- The position in the organization's chain, from 1, without gaps; null until the transaction commits.
  ADD COLUMN sequence bigint,
  ADD COLUMN hash bytea;

-- The last event of each organization's chain.
CREATE TABLE audit_chains (
  org_id text COLLATE "C" PRIMARY KEY REFERENCES organizations (id),
  sequence bigint NOT NULL,
  hash bytea NOT NULL
);

CREATE FUNCTION audit_text(value text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT coalesce(octet_length(convert_to(value, 'UTF8')) || ':' || value, '-') || ','
$$;

-- SHA-256 of the hash of the previous event (nothing for the first) and the fields of this one. Each field is written as
-- its length in bytes, a colon and its text, or as `-` when it is null; then a comma. server/organization/audit-chain.ts
-- computes the same.
CREATE FUNCTION audit_event_hash(previous bytea, event audit_events) RETURNS bytea
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT sha256(previous || convert_to(
    public.audit_text(event.sequence::text) || public.audit_text(event.org_id) || public.audit_text(event.id)
    || public.audit_text(to_char(event.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
    || public.audit_text(event.user_id) || public.audit_text(event.token_id) || public.audit_text(event.address)
    || public.audit_text(event.action) || public.audit_text(event.subject_id) || public.audit_text(event.subject_name)
    || public.audit_text(event.before::text) || public.audit_text(event.after::text)
    || public.audit_text(event.details::text), 'UTF8'))
$$;

-- Events of releases without a chain, in the order of their time.
DO $$
DECLARE
  event audit_events;
  org text := '';
  previous bytea;
BEGIN
  FOR event IN SELECT * FROM audit_events ORDER BY org_id, occurred_at, id LOOP
    IF event.org_id <> org THEN
      org := event.org_id;
      previous := '';
      event.sequence := 1;
      INSERT INTO audit_chains (org_id, sequence, hash) VALUES (org, 0, '');
    ELSE
      event.sequence := (SELECT c.sequence + 1 FROM audit_chains c WHERE c.org_id = org);
    END IF;
    previous := audit_event_hash(previous, event);
    UPDATE audit_events e SET sequence = event.sequence, hash = previous WHERE e.org_id = org AND e.id = event.id;
    UPDATE audit_chains c SET sequence = event.sequence, hash = previous WHERE c.org_id = org;
  END LOOP;
END $$;

ALTER TABLE audit_chains ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_chains FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON audit_chains USING (org_id = current_setting('app.org_id', true));
GRANT SELECT ON audit_chains TO assay_app;

-- The application can add events, without their time, position and hash.
REVOKE INSERT, UPDATE, DELETE ON audit_events FROM assay_app;
GRANT INSERT (org_id, id, user_id, token_id, address, action, subject_id, subject_name, before, after, details)
  ON audit_events TO assay_app;

CREATE FUNCTION seal_audit_event() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  event public.audit_events := NEW;
  head public.audit_chains;
BEGIN
  INSERT INTO public.audit_chains (org_id, sequence, hash) VALUES (NEW.org_id, 0, '') ON CONFLICT DO NOTHING;
  SELECT * INTO STRICT head FROM public.audit_chains c WHERE c.org_id = NEW.org_id FOR UPDATE;
  event.sequence := head.sequence + 1;
  event.occurred_at := clock_timestamp();
  event.hash := public.audit_event_hash(head.hash, event);
  UPDATE public.audit_events e SET sequence = event.sequence, occurred_at = event.occurred_at, hash = event.hash
    WHERE e.org_id = NEW.org_id AND e.id = NEW.id;
  UPDATE public.audit_chains c SET sequence = event.sequence, hash = event.hash WHERE c.org_id = NEW.org_id;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION seal_audit_event() FROM PUBLIC;
-- A restored backup brings events with their hashes: they stay as they are.
CREATE CONSTRAINT TRIGGER seal AFTER INSERT ON audit_events DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.sequence IS NULL) EXECUTE FUNCTION seal_audit_event();

-- For every role, the owner of the tables included.
CREATE FUNCTION keep_audit_event() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.sequence IS NULL THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'The audit log is append-only.' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER keep BEFORE UPDATE OR DELETE ON audit_events FOR EACH ROW EXECUTE FUNCTION keep_audit_event();

-- The head of every organization's chain; null where an organization has none. For the command that checks the chains.
CREATE FUNCTION list_audit_chains() RETURNS TABLE (org_id text, name text, sequence bigint, hash bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT o.id, o.name, c.sequence, c.hash
  FROM public.organizations o LEFT JOIN public.audit_chains c ON c.org_id = o.id
  ORDER BY o.id
$$;
REVOKE ALL ON FUNCTION list_audit_chains() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION list_audit_chains() TO assay_app;

DROP INDEX audit_events_time;
CREATE UNIQUE INDEX audit_events_sequence ON audit_events (org_id, sequence);
CREATE INDEX audit_events_time ON audit_events (org_id, occurred_at, sequence);
CREATE INDEX audit_events_user ON audit_events (org_id, user_id, occurred_at, sequence);
CREATE INDEX audit_events_token ON audit_events (org_id, token_id, occurred_at, sequence) WHERE token_id IS NOT NULL;
CREATE INDEX audit_events_action ON audit_events (org_id, action, occurred_at, sequence);
CREATE INDEX audit_events_subject ON audit_events (org_id, subject_id, occurred_at, sequence) WHERE subject_id IS NOT NULL;
