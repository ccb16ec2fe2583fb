-- The SHA-256 of an export: of the file, and of its stored form, which is sent to clients that accept zstd. Null in exports
-- of earlier versions.
ALTER TABLE report_exports ADD COLUMN sha256 bytea, ADD COLUMN packed_sha256 bytea;
