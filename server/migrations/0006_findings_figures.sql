-- Figures of findings, updated in the transactions that change them, so that dashboards count nothing.

-- The number of findings of each kind.
CREATE TABLE finding_counts (
  org_id text COLLATE "C" NOT NULL,
  data_source_id text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  severity smallint NOT NULL,
  status text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (org_id, data_source_id, source, severity, status)
);
ALTER TABLE finding_counts ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON finding_counts USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON finding_counts TO assay_app;

-- The findings that were opened or closed on each day (UTC) of the change. The open findings at the end of a day are
-- those open now without the flows of later days. A past day gets no more flows: see finding_seals.
CREATE TABLE finding_flows (
  org_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  data_source_id text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  severity smallint NOT NULL,
  new integer NOT NULL DEFAULT 0,
  reopened integer NOT NULL DEFAULT 0,
  resolved integer NOT NULL DEFAULT 0,
  -- Resolved because their data source was deleted.
  removed integer NOT NULL DEFAULT 0,
  accepted integer NOT NULL DEFAULT 0,
  false_positive integer NOT NULL DEFAULT 0,
  -- Open findings that came from another severity, minus those that changed to another.
  reclassified integer NOT NULL DEFAULT 0,
  -- Identifies data source, source and severity within the key, which would otherwise be as large as the row. Not
  -- generated: replication needs the whole key, and leaves out generated columns.
  kind bigint NOT NULL CHECK (kind = hashtextextended(data_source_id || source, severity)),
  PRIMARY KEY (org_id, day, kind)
);
ALTER TABLE finding_flows ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON finding_flows USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON finding_flows TO assay_app;

-- The findings of each rule that people judged by the statuses that they set: false positives are dismissed, all others
-- but new ones confirmed.
CREATE TABLE rule_judgements (
  org_id text COLLATE "C" NOT NULL,
  rule_id text COLLATE "C" NOT NULL,
  dismissed integer NOT NULL,
  confirmed integer NOT NULL,
  PRIMARY KEY (org_id, rule_id)
);
ALTER TABLE rule_judgements ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON rule_judgements USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON rule_judgements TO assay_app;

-- The last day whose figures may have been read as past: later changes get a later time, even when the clock is set
-- back.
CREATE TABLE finding_seals (
  org_id text COLLATE "C" PRIMARY KEY,
  through date NOT NULL
);
ALTER TABLE finding_seals ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON finding_seals USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON finding_seals TO assay_app;

-- The figures of all organizations together, for the metrics. Overdue findings are counted in the index of due times.
-- Closed findings have no due time.
CREATE FUNCTION count_all_findings() RETURNS TABLE (severity smallint, status text, count bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $$
    SELECT c.severity, c.status, sum(c.count)::bigint FROM public.finding_counts c
    WHERE c.org_id NOT IN (SELECT organization_id FROM public.absent_organizations) GROUP BY c.severity, c.status
  $$;
REVOKE ALL ON FUNCTION count_all_findings() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_all_findings() TO assay_app;

CREATE FUNCTION count_all_overdue_findings() RETURNS TABLE (severity smallint, count bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
  AS $$
    SELECT f.severity, count(*) FROM public.findings f
    WHERE f.due_at < statement_timestamp() AND f.due_at < 'infinity'
      AND f.org_id NOT IN (SELECT organization_id FROM public.absent_organizations) GROUP BY f.severity
  $$;
REVOKE ALL ON FUNCTION count_all_overdue_findings() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_all_overdue_findings() TO assay_app;

-- Deleted data sources of all organizations with open findings that no job will resolve.
CREATE FUNCTION removed_data_sources_without_job() RETURNS TABLE (org_id text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$
    SELECT d.org_id, d.id FROM data_sources d
    WHERE d.deleted_at IS NOT NULL
      AND EXISTS (SELECT FROM finding_counts c WHERE c.org_id = d.org_id AND c.data_source_id = d.id
                    AND c.status IN ('new', 'triaged', 'in_progress') AND c.count > 0)
      AND d.org_id NOT IN (SELECT organization_id FROM absent_organizations)
      AND NOT has_job('clean-up-data-source:' || d.org_id || ':' || d.id)
    LIMIT 1000
  $$;
REVOKE ALL ON FUNCTION removed_data_sources_without_job() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION removed_data_sources_without_job() TO assay_app;

-- Creates missing statistics of tables, and renews those of the findings' tables when more than a fifth of a table
-- has changed. The server does so by itself once a minute at most, and not at all while its workers are busy; until
-- then, list statements are planned for nearly empty tables. A restore without ANALYZE or an upgrade of PostgreSQL
-- (pg_upgrade, up to 17) leaves tables without statistics, and the server creates them only after changes. In
-- PostgreSQL up to 16, only the owner of the tables can analyze them.
CREATE FUNCTION analyze_changed_findings() RETURNS text[] LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path = pg_catalog, public, pg_temp AS $$
    DECLARE
      changed text[];
      name text;
    BEGIN
      SELECT COALESCE(array_agg(c.relname::text), '{}') INTO changed FROM pg_class c
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
          AND (c.oid IN ('findings'::regclass, 'finding_texts'::regclass, 'finding_counts'::regclass,
              'finding_history'::regclass)
            AND pg_stat_get_mod_since_analyze(c.oid) > 1000 + 0.2 * GREATEST(c.reltuples, 0)
            OR c.reltuples < 0 AND pg_relation_size(c.oid) > 100 * 8192);
      FOREACH name IN ARRAY changed LOOP
        EXECUTE format('ANALYZE (SKIP_LOCKED) public.%I', name);
      END LOOP;
      RETURN changed;
    END
  $$;
REVOKE ALL ON FUNCTION analyze_changed_findings() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION analyze_changed_findings() TO assay_app;

-- The findings changed by each statement, for the columns in memory: a node applies the entries of transactions that
-- its last snapshot did not include (findings/live-columns/). Entries are only added, so that transactions never wait
-- for each other. Backups omit this table.
CREATE TABLE finding_change_log (
  org_id text COLLATE "C" NOT NULL,
  transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Empty when a data source or its coverage has changed.
  finding_ids text[] NOT NULL,
  -- Set when old entries were removed: their transactions. Nodes that have not applied one of them must reload
  -- everything.
  removed xid8[],
  PRIMARY KEY (org_id, transaction, id)
);
ALTER TABLE finding_change_log ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON finding_change_log USING (org_id = current_setting('app.org_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON finding_change_log TO assay_app;

-- Removes entries after a day, or after ten minutes if every node has applied them and there are 5,000 newer ones,
-- and records the removal: stored columns follow the remaining entries. Entries of transactions that some snapshot
-- may not include yet stay. Entries of transactions that have not started come from a database that this one was
-- restored from: nobody reads them.
CREATE FUNCTION shorten_finding_change_log(of_org text) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, public AS $$
  WITH old AS (
    SELECT l.transaction, l.id FROM finding_change_log l
    WHERE l.org_id = of_org AND l.at < clock_timestamp() - interval '10 minutes'
      AND (l.at < clock_timestamp() - interval '1 day' OR l.transaction < (
        SELECT n.transaction FROM finding_change_log n WHERE n.org_id = of_org ORDER BY n.transaction DESC OFFSET 5000 LIMIT 1))
      AND (l.transaction < pg_snapshot_xmin(pg_current_snapshot()) OR l.transaction >= pg_snapshot_xmax(pg_current_snapshot()))
    ORDER BY l.transaction, l.id LIMIT 10000 FOR UPDATE SKIP LOCKED),
  removed AS (
    DELETE FROM finding_change_log l USING old WHERE l.org_id = of_org AND l.transaction = old.transaction AND l.id = old.id RETURNING l.transaction)
  INSERT INTO finding_change_log (org_id, finding_ids, removed)
  SELECT of_org, '{}', array_agg(DISTINCT r.transaction) FROM removed r WHERE r.transaction < pg_snapshot_xmin(pg_current_snapshot()) HAVING count(*) > 0
$$;

-- An entry contains up to 10,000 findings. One statement in 128 removes old entries.
CREATE FUNCTION log_changed_findings() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
  INSERT INTO finding_change_log (org_id, finding_ids)
  SELECT c.org_id, array_agg(c.id) FROM (SELECT org_id, id, row_number() OVER () / 10000 AS part FROM changed) c GROUP BY c.org_id, c.part;
  IF random() < 1.0 / 128 THEN
    PERFORM shorten_finding_change_log(c.org_id) FROM (SELECT DISTINCT org_id FROM changed) c;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER log_inserted AFTER INSERT ON findings REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_changed_findings();
CREATE TRIGGER log_updated AFTER UPDATE ON findings REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_changed_findings();

CREATE FUNCTION log_changed_data_source() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
  INSERT INTO finding_change_log (org_id, finding_ids) VALUES (NEW.org_id, '{}');
  RETURN NULL;
END
$$;
CREATE TRIGGER log_data_source AFTER INSERT OR UPDATE OF tags, owner_id, criticality, exposure ON data_sources
  FOR EACH ROW EXECUTE FUNCTION log_changed_data_source();
CREATE TRIGGER log_coverage AFTER INSERT OR UPDATE ON finding_coverage FOR EACH ROW EXECUTE FUNCTION log_changed_data_source();
