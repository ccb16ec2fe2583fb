-- The SHA-256 of a snapshot: its head as stored, then the text of each batch, each followed by a newline. Null in reports of
-- earlier versions.
ALTER TABLE reports ADD COLUMN snapshot_sha256 bytea;

-- The organization of a report, for the command that checks a document: a document names only its report.
CREATE FUNCTION organization_of_report(report_id text) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$ SELECT org_id FROM reports WHERE id = report_id $$;
REVOKE ALL ON FUNCTION organization_of_report(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION organization_of_report(text) TO assay_app;
