-- Bulk changes of findings, and for a day the data to undo them.

CREATE TABLE bulk_operations (
  org_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  requested_by text COLLATE "C",
  status text COLLATE "C" NOT NULL DEFAULT 'queued'
    CHECK (status IN ('queued', 'running', 'completed', 'failed', 'undoing', 'undone')),
  -- The values to set and the filters, in the format of the request; without filters, the request listed the ids of
  -- findings.
  change json NOT NULL,
  filter json,
  -- Findings that were changed after this time are skipped.
  as_of timestamptz NOT NULL,
  matched integer NOT NULL,
  processed integer NOT NULL DEFAULT 0,
  updated integer NOT NULL DEFAULT 0,
  -- The last finding processed so far, in the order of ids.
  cursor text COLLATE "C" NOT NULL DEFAULT '',
  failures integer NOT NULL DEFAULT 0,
  error text,
  undone_by text COLLATE "C",
  restored integer NOT NULL DEFAULT 0,
  passed_over integer NOT NULL DEFAULT 0,
  undone_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  completed_at timestamptz,
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (org_id, id)
);
CREATE INDEX bulk_operations_unfinished ON bulk_operations (org_id) WHERE status IN ('queued', 'running', 'undoing');
CREATE INDEX bulk_operations_by_update ON bulk_operations (org_id, updated_at);
CREATE INDEX bulk_operations_by_age ON bulk_operations (created_at);
CREATE TRIGGER bulk_operations_event AFTER INSERT OR UPDATE ON bulk_operations FOR EACH ROW
  EXECUTE FUNCTION notify_organization_event();
ALTER TABLE bulk_operations ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON bulk_operations USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON bulk_operations TO assay_app;

-- The findings that an operation changed: their previous state, and the version after the change. No foreign keys:
-- rows are only created with their operation and removed before it, and the checks would be paid for every finding.
CREATE TABLE bulk_operation_changes (
  org_id text COLLATE "C" NOT NULL,
  operation_id text COLLATE "C" NOT NULL,
  finding_id text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  before json NOT NULL,
  PRIMARY KEY (org_id, operation_id, finding_id)
);
ALTER TABLE bulk_operation_changes ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON bulk_operation_changes USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON bulk_operation_changes TO assay_app;

-- Unfinished operations of all organizations without a job.
CREATE FUNCTION bulk_operations_without_job() RETURNS TABLE (org_id text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    SELECT o.org_id, o.id FROM bulk_operations o
    WHERE o.status IN ('queued', 'running', 'undoing') AND o.org_id NOT IN (SELECT organization_id FROM absent_organizations)
      AND NOT has_job('update-findings:' || o.org_id || ':' || o.id)
    LIMIT 1000
  $$;
REVOKE ALL ON FUNCTION bulk_operations_without_job() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION bulk_operations_without_job() TO assay_app;

-- Removes at most `most` rows of operations that ended before `undoable_since`, of all organizations, and then the
-- operations that were created before `kept_since`; returns the number of rows.
CREATE FUNCTION purge_bulk_operations(undoable_since timestamptz, kept_since timestamptz, most integer) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    DECLARE
      operation record;
      last text;
      removed bigint := 0;
      deleted bigint;
    BEGIN
      FOR operation IN
        SELECT o.org_id, o.id FROM bulk_operations o
        WHERE o.status IN ('completed', 'failed', 'undone') AND o.completed_at < undoable_since
          AND o.org_id NOT IN (SELECT organization_id FROM absent_organizations)
          AND EXISTS (SELECT FROM bulk_operation_changes c WHERE c.org_id = o.org_id AND c.operation_id = o.id)
        LIMIT most
      LOOP
        -- Null when fewer are left than may go.
        last := (SELECT c.finding_id FROM bulk_operation_changes c WHERE c.org_id = operation.org_id AND c.operation_id = operation.id
                 ORDER BY c.finding_id OFFSET most - removed - 1 LIMIT 1);
        DELETE FROM bulk_operation_changes c WHERE c.org_id = operation.org_id AND c.operation_id = operation.id
          AND (last IS NULL OR c.finding_id <= last);
        GET DIAGNOSTICS deleted = ROW_COUNT;
        removed := removed + deleted;
        EXIT WHEN removed >= most;
      END LOOP;
      DELETE FROM bulk_operations o WHERE o.created_at < kept_since AND o.status IN ('completed', 'failed', 'undone')
        AND NOT EXISTS (SELECT FROM bulk_operation_changes c WHERE c.org_id = o.org_id AND c.operation_id = o.id);
      GET DIAGNOSTICS deleted = ROW_COUNT;
      RETURN removed + deleted;
    END
  $$;
REVOKE ALL ON FUNCTION purge_bulk_operations(timestamptz, timestamptz, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION purge_bulk_operations(timestamptz, timestamptz, integer) TO assay_app;
