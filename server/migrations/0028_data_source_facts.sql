-- What people say about a data source, which says how urgent its findings are.
ALTER TABLE data_sources
  ADD COLUMN tags text[] NOT NULL DEFAULT '{}',
  -- No foreign key: it stays when the person leaves, as the assignee of a finding does.
  ADD COLUMN owner_id text COLLATE "C",
  ADD COLUMN criticality text COLLATE "C" NOT NULL DEFAULT 'medium'
    CHECK (criticality IN ('low', 'medium', 'high', 'critical')),
  ADD COLUMN exposure text COLLATE "C" NOT NULL DEFAULT 'internal' CHECK (exposure IN ('internal', 'public'));
