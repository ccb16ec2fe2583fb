-- Results that were received are kept as the rows they may become, so that the merge has nothing left to work out. What lies
-- here was put down in the older shape and lives for seconds; an import that still waits for it ends and is to be sent again.
TRUNCATE import_batches;
ALTER TABLE import_batches DROP COLUMN detections;
ALTER TABLE import_batches
  ADD COLUMN source text NOT NULL,
  -- Lists with a space between.
  ADD COLUMN fingerprints text NOT NULL,
  ADD COLUMN facts_hashes text NOT NULL,
  -- A line of JSON for each.
  ADD COLUMN rows text NOT NULL,
  ADD COLUMN suppressed text NOT NULL;
-- They live for seconds: compressing them costs more than it saves.
ALTER TABLE import_batches ALTER COLUMN fingerprints SET STORAGE EXTERNAL;
ALTER TABLE import_batches ALTER COLUMN facts_hashes SET STORAGE EXTERNAL;
ALTER TABLE import_batches ALTER COLUMN rows SET STORAGE EXTERNAL;
