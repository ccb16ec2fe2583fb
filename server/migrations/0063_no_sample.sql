-- runs outside of a transaction
-- Facets and groups count all findings of an organization.
DROP INDEX CONCURRENTLY IF EXISTS findings_sample;
