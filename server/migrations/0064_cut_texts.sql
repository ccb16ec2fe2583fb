-- The sentences on texts of a file that were cut, which the import shows as warnings. Nodes of the previous release write none.

ALTER TABLE imports ADD COLUMN cut text[] NOT NULL DEFAULT '{}';
