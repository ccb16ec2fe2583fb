-- What an import changed: open findings by severity of its sources in its data source, before and after, and how many findings that
-- it did not report stay closed because somebody decided. Null for scans of other kinds, and for earlier imports.
ALTER TABLE scan_targets
  ADD COLUMN open_before json,
  ADD COLUMN open_after json,
  ADD COLUMN kept_closed integer;
