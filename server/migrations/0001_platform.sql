-- Answers kept for clients that repeat a POST under the same Idempotency-Key.

CREATE TABLE idempotency_keys (
  org_id text COLLATE "C" NOT NULL,
  credential_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  -- The one run that may answer; another takes over when its lease has lapsed, which a living process never lets happen.
  run_id text COLLATE "C" NOT NULL,
  leased_until timestamptz NOT NULL,
  -- SHA-256 of method, path and body; null while the body of an upload is still arriving.
  fingerprint bytea,
  -- Null until answered. The body of an answer that holds a secret is not kept.
  status smallint,
  headers jsonb,
  body text,
  body_withheld boolean NOT NULL DEFAULT false,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (org_id, credential_id, key)
);
CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at);

ALTER TABLE idempotency_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE idempotency_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON idempotency_keys USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_keys TO assay_app;

-- Removes at most `max_rows` keys that have expired, of all organizations; answers how many.
CREATE FUNCTION purge_idempotency_keys(max_rows integer) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH expired AS (
    SELECT org_id, credential_id, key FROM idempotency_keys WHERE expires_at <= now()
    ORDER BY expires_at LIMIT max_rows FOR UPDATE SKIP LOCKED
  ), removed AS (
    DELETE FROM idempotency_keys k USING expired e
    WHERE (k.org_id, k.credential_id, k.key) = (e.org_id, e.credential_id, e.key) RETURNING 1
  )
  SELECT count(*) FROM removed
$$;
REVOKE EXECUTE ON FUNCTION purge_idempotency_keys(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION purge_idempotency_keys(integer) TO assay_app;
