-- Nodes listen for what they show or remember, and hear of it at the commit that changes it.

-- Of a scan that somebody may be following: its id.
CREATE FUNCTION notify_scan_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_TABLE_NAME = 'scans' THEN
    PERFORM pg_notify('assay_scans', NEW.id);
  ELSE
    PERFORM pg_notify('assay_scans', NEW.scan_id);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER scans_notify AFTER UPDATE ON scans FOR EACH ROW
  WHEN ((OLD.status, OLD.started_at, OLD.completed_at) IS DISTINCT FROM (NEW.status, NEW.started_at, NEW.completed_at))
  EXECUTE FUNCTION notify_scan_change();

-- A heartbeat alone changes nothing that is shown.
CREATE TRIGGER scan_targets_notify AFTER UPDATE ON scan_targets FOR EACH ROW
  WHEN ((OLD.status, OLD.fraction, OLD.message, OLD.error, OLD.warnings, OLD.found_new, OLD.found_seen, OLD.found_reopened, OLD.found_resolved)
    IS DISTINCT FROM
    (NEW.status, NEW.fraction, NEW.message, NEW.error, NEW.warnings, NEW.found_new, NEW.found_seen, NEW.found_reopened, NEW.found_resolved))
  EXECUTE FUNCTION notify_scan_change();

-- A session ends in many ways (sign-out, another password, revocation), most of them in the sign-in library.
CREATE FUNCTION notify_session_end() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM pg_notify('assay_authentication', '');
  RETURN NULL;
END $$;

CREATE TRIGGER sessions_notify AFTER DELETE ON sessions FOR EACH STATEMENT EXECUTE FUNCTION notify_session_end();
