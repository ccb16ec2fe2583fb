-- What a finding is about within its data source (findings/fingerprint.ts), so that findings of several sources about one problem are
-- found. Null for findings that no other source can be compared with. 8 bytes for each finding and 31 in the index; the data source is
-- part of the number, so the index needs no other column. Existing findings get theirs from the job that computes priorities.
ALTER TABLE findings ADD COLUMN problem bigint;
CREATE INDEX findings_by_problem ON findings (problem) WHERE problem IS NOT NULL;
