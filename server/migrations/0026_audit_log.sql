-- All events of a transaction are sealed at once: one by one, each writes another version of the chain's head, and the
-- transaction walks over all of them again for the next.

ALTER TABLE audit_events ALTER COLUMN occurred_at SET DEFAULT clock_timestamp();

-- Without settings of their own, so that PostgreSQL puts them into the statement that calls them.
CREATE OR REPLACE FUNCTION audit_text(value text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(octet_length(convert_to(value, 'UTF8')) || ':' || value, '-') || ','
$$;
ALTER FUNCTION audit_event_hash(bytea, audit_events) RESET ALL;

CREATE OR REPLACE FUNCTION seal_audit_event() RETURNS trigger
-- A plan that was made while the table was small, and kept, would read all of an organization's events for each.
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

-- Events of one person and one action: each may be common alone.
CREATE INDEX audit_events_user_action ON audit_events (org_id, user_id, action, occurred_at, sequence);
