-- Heads of the audit log's chains that were sent outside: to which channel, when, and what came back. They are proof only
-- together with what is outside; here, they say what there is to compare with.
CREATE TABLE audit_heads (
  org_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  channel text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  -- Part of the key: the head of a chain that was rewritten replaces nothing.
  hash bytea NOT NULL,
  noted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- When it was last the head of its chain.
  read_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- When a worker sends it, or tries again; null: it was sent.
  due_at timestamptz DEFAULT clock_timestamp(),
  -- The last time that it was sent, and the server.
  sent_at timestamptz,
  destination text COLLATE "C",
  -- The token of a timestamp, or the beginning of a webhook's response.
  receipt bytea,
  error text,
  PRIMARY KEY (org_id, channel, sequence, hash)
);
CREATE INDEX audit_heads_read ON audit_heads (channel, read_at);
CREATE INDEX audit_heads_due ON audit_heads (due_at) WHERE due_at IS NOT NULL;
ALTER TABLE audit_heads ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_heads FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON audit_heads USING (org_id = current_setting('app.org_id', true));
-- The application can neither remove a head nor change which one it was.
GRANT SELECT, INSERT (org_id, channel, sequence, hash), UPDATE (read_at, due_at, sent_at, destination, receipt, error)
  ON audit_heads TO assay_app;

-- The organizations whose head is to be noted or sent, those that have waited longest first.
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
        ) due GROUP BY due.id ORDER BY min(due.since), due.id LIMIT max_organizations;
    END
  $$;
REVOKE ALL ON FUNCTION list_due_audit_heads(text[], interval, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION list_due_audit_heads(text[], interval, integer) TO assay_app;
