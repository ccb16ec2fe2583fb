-- Tables of all slices: repeated requests, secrets, workers, backups and jobs.

-- The name of this database among the cells of an installation; no row if it is the only one.
CREATE TABLE cell (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  name text NOT NULL
);
GRANT SELECT ON cell TO assay_app;

-- In the home cell: the cells of organizations that are not in the home cell.
CREATE TABLE organization_cells (
  organization_id text COLLATE "C" PRIMARY KEY,
  cell text NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON organization_cells TO assay_app;

-- In each cell: organizations that have left it. A node with an old directory must not write to them here.
CREATE TABLE moved_organizations (
  organization_id text COLLATE "C" PRIMARY KEY,
  moved_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT ON moved_organizations TO assay_app;

-- Shows only the rows of this organization until the transaction ends, like SET LOCAL app.org_id, and refuses one that
-- has left the cell. The lock waits for a move that is about to finish, and later moves wait for the transaction. Each
-- statement of the function has a newer snapshot than the one before, so the refusal is based on the state after the
-- wait. In a transaction with one snapshot it isn't, so that those must not write.
CREATE FUNCTION enter_organization(wanted text) RETURNS void
  LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
  AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock_shared(hashtextextended('organization ' || wanted, 0));
      IF EXISTS (SELECT FROM public.moved_organizations m WHERE m.organization_id = wanted) THEN
        RAISE EXCEPTION 'The organization % has left this cell.', wanted USING ERRCODE = 'ASC01';
      END IF;
      PERFORM set_config('app.org_id', wanted, true);
    END
  $$;
REVOKE ALL ON FUNCTION enter_organization(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION enter_organization(text) TO assay_app;

-- Responses stored for clients that repeat a POST with the same Idempotency-Key.
CREATE TABLE idempotency_keys (
  org_id text COLLATE "C" NOT NULL,
  credential_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  -- The only run that may respond. Another run takes over when the lease has expired, which a living process
  -- prevents.
  run_id text COLLATE "C" NOT NULL,
  leased_until timestamptz NOT NULL,
  -- SHA-256 of method, path and body; null while the body of an upload is still arriving.
  fingerprint bytea,
  -- Null until there is a response. A response body with a secret is not stored.
  status smallint,
  headers jsonb,
  body text,
  body_withheld boolean NOT NULL DEFAULT false,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (org_id, credential_id, key)
);
CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at);
ALTER TABLE idempotency_keys ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON idempotency_keys USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_keys TO assay_app;

-- Removes about `max_rows` expired keys of all organizations; returns the number.
CREATE FUNCTION purge_idempotency_keys(max_rows integer) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
  AS $$
    DECLARE
      until CONSTANT timestamptz := (SELECT max(e.expires_at) FROM (
        SELECT k.expires_at FROM idempotency_keys k WHERE k.expires_at <= now() ORDER BY k.expires_at LIMIT max_rows) e);
      removed bigint;
    BEGIN
      DELETE FROM idempotency_keys k WHERE k.expires_at <= until;
      GET DIAGNOSTICS removed = ROW_COUNT;
      RETURN removed;
    END
  $$;
REVOKE ALL ON FUNCTION purge_idempotency_keys(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION purge_idempotency_keys(integer) TO assay_app;

-- Like idempotency_keys, for requests that change the caller's account.
CREATE TABLE account_idempotency_keys (
  user_id text COLLATE "C" NOT NULL,
  credential_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  run_id text COLLATE "C" NOT NULL,
  leased_until timestamptz NOT NULL,
  fingerprint bytea,
  status smallint,
  headers jsonb,
  body text,
  body_withheld boolean NOT NULL DEFAULT false,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, credential_id, key)
);
CREATE INDEX account_idempotency_keys_expiry ON account_idempotency_keys (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON account_idempotency_keys TO assay_app;

-- Secrets of the installation itself, sealed with the secret key: the root of the keyed hashes, which survives a
-- change of the key.
CREATE TABLE installation_secrets (
  name text PRIMARY KEY,
  sealed text NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON installation_secrets TO assay_app;

-- Heartbeats of the job queue's workers. There is no organization: a worker works for all.
CREATE TABLE worker_heartbeats (
  worker_id text COLLATE "C" PRIMARY KEY,
  beat_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON worker_heartbeats TO assay_app;

-- The disk space of each worker, as last reported.
CREATE TABLE worker_disks (
  node text NOT NULL,
  directory text NOT NULL,
  free_bytes bigint NOT NULL,
  total_bytes bigint NOT NULL,
  cache_bytes bigint NOT NULL,
  has_database boolean NOT NULL,
  reported_at timestamptz NOT NULL,
  PRIMARY KEY (node, directory)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON worker_disks TO assay_app;

-- Every successful or failed backup: for reports of the last backup's age, and of whether it could be restored.
CREATE TABLE backups (
  id uuid PRIMARY KEY,
  -- The planned time of a scheduled backup; null for a manual one.
  due_at timestamptz,
  directory text NOT NULL,
  -- The time of the state in the backup; null when it failed.
  taken_at timestamptz,
  ended_at timestamptz NOT NULL,
  error text,
  bytes bigint,
  organizations bigint,
  findings bigint,
  -- The last drill that restored it, and the reason if the drill failed.
  drilled_at timestamptz,
  drill_error text
);
CREATE INDEX backups_due ON backups (due_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON backups TO assay_app;

-- Returns whether a job with this key is running, waiting or delayed after a failure.
CREATE FUNCTION has_job(job_key text) RETURNS boolean
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    BEGIN
      RETURN EXISTS (SELECT FROM graphile_worker._private_jobs j
                     WHERE j.key = job_key AND (j.locked_at IS NOT NULL OR j.attempts < j.max_attempts));
    END
  $$;
REVOKE ALL ON FUNCTION has_job(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION has_job(text) TO assay_app;
