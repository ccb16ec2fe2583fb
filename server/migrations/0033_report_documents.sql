-- The template of a report, what its document says about itself, and the earlier report that it is compared with.

-- Reports of earlier versions had every detail.
ALTER TABLE reports
  ADD COLUMN template text COLLATE "C" NOT NULL DEFAULT 'technical',
  -- Members that are missing have their defaults: reports/report-document.ts.
  ADD COLUMN document json NOT NULL DEFAULT '{}',
  ADD COLUMN compare_to text COLLATE "C";
ALTER TABLE reports ALTER COLUMN template SET DEFAULT 'audit';
ALTER TABLE scheduled_reports
  ADD COLUMN template text COLLATE "C" NOT NULL DEFAULT 'executive',
  ADD COLUMN document json NOT NULL DEFAULT '{}';
