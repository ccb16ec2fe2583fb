-- How each worker confines the programs that it starts; null from workers of an earlier release.
ALTER TABLE worker_tools ADD COLUMN sandbox json;
