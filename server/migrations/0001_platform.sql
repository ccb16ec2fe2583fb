-- Tables of all slices: repeated requests, secrets, workers, backups and jobs.

-- The name of this database among the cells of an installation; no row if it is the only one.
CREATE TABLE cell (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  name text NOT NULL,
  -- Sessions from before may be of nodes that know no cells.
  named_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT ON cell TO assay_app;

-- In the home cell: the cells of organizations that are not in the home cell.
CREATE TABLE organization_cells (
  organization_id text COLLATE "C" PRIMARY KEY,
  cell text NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON organization_cells TO assay_app;

-- In the home cell: moves of organizations between cells. `copying` until the directory names the new cell, `moved`
-- until the rows are compared, then `equal` until the old rows are deleted, or `different`. `kept` if the comparison was
-- interrupted.
CREATE TABLE organization_moves (
  organization_id text COLLATE "C" PRIMARY KEY,
  source text NOT NULL,
  target text NOT NULL,
  state text NOT NULL DEFAULT 'copying' CHECK (state IN ('copying', 'moved', 'equal', 'different', 'kept')),
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- In each cell: organizations that may have rows here, but that another cell serves. They have left, or are arriving.
-- Nothing may read or write those rows: neither a node with an old directory, nor work on the rows of all organizations.
CREATE TABLE absent_organizations (
  organization_id text COLLATE "C" PRIMARY KEY,
  -- Whether it has left, and the other cell does not serve it yet: its tokens and members exist, but can't be used.
  leaving boolean NOT NULL DEFAULT false,
  since timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT ON absent_organizations TO assay_app;

CREATE FUNCTION refuse_moving(organization text) RETURNS void
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
  AS $$
    BEGIN
      RAISE EXCEPTION 'The organization % is moving to another cell.', organization USING ERRCODE = 'ASC03';
    END
  $$;

-- Shows only the rows of this organization until the transaction ends, like SET LOCAL app.org_id, and refuses one that
-- another cell serves. A move waits for the transactions that hold the lock. While it does, and until it ends, others
-- are refused at once: they would fill the pools of all nodes. The second statement of the function has a newer snapshot
-- than the lock. In a transaction with one snapshot it hasn't, so that those must not write.
CREATE FUNCTION enter_organization(wanted text) RETURNS void
  LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
  AS $$
    BEGIN
      IF NOT pg_try_advisory_xact_lock_shared(hashtextextended('organization ' || wanted, 0)) THEN
        PERFORM public.refuse_moving(wanted);
      END IF;
      IF EXISTS (SELECT FROM public.absent_organizations a WHERE a.organization_id = wanted) THEN
        RAISE EXCEPTION 'The organization % is in another cell.', wanted USING ERRCODE = 'ASC01';
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
      DELETE FROM idempotency_keys k WHERE k.expires_at <= until AND k.org_id NOT IN (SELECT organization_id FROM absent_organizations);
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
