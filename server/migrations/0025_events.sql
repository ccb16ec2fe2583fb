-- What the event stream of an organization needs: a word at each commit that changes what it shows, and the way to what ended lately.

-- The organization, to nodes that have its streams open; several of one transaction are one.
CREATE FUNCTION notify_organization_event() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM pg_notify('assay_events', NEW.org_id);
  RETURN NULL;
END $$;

CREATE TRIGGER scans_event AFTER INSERT OR UPDATE OF status, started_at, completed_at ON scans FOR EACH ROW
  EXECUTE FUNCTION notify_organization_event();
-- A heartbeat alone changes nothing that is shown.
CREATE TRIGGER scan_targets_event AFTER UPDATE ON scan_targets FOR EACH ROW
  WHEN ((OLD.status, OLD.fraction, OLD.message, OLD.found_new, OLD.found_seen, OLD.found_reopened, OLD.found_resolved)
    IS DISTINCT FROM
    (NEW.status, NEW.fraction, NEW.message, NEW.found_new, NEW.found_seen, NEW.found_reopened, NEW.found_resolved))
  EXECUTE FUNCTION notify_organization_event();
CREATE TRIGGER reports_event AFTER INSERT OR UPDATE OF status ON reports FOR EACH ROW
  EXECUTE FUNCTION notify_organization_event();
CREATE TRIGGER bulk_operations_event AFTER INSERT OR UPDATE ON bulk_operations FOR EACH ROW
  EXECUTE FUNCTION notify_organization_event();

CREATE INDEX scans_by_completion ON scans (org_id, completed_at);
CREATE INDEX reports_by_completion ON reports (org_id, completed_at);
