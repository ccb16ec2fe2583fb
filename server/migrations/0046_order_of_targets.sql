-- The order in which unfinished targets of one source in one place were requested, whatever clock made their ids: they are worked on
-- in this order. A result file that arrived earlier and is merged later would close what the later one reported.
ALTER TABLE scan_targets ADD COLUMN arrival integer NOT NULL DEFAULT 1;
