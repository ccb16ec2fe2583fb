-- The versions of tools that a scan used, by detection source: an imported file names them, or the program that ran.
ALTER TABLE scan_targets ADD COLUMN tool_versions json;
