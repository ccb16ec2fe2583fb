-- What the installation keeps for itself, sealed with the secret key: the root of the keyed hashes, which stays when the key changes.
CREATE TABLE installation_secrets (
  name text PRIMARY KEY,
  sealed text NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON installation_secrets TO assay_app;

CREATE FUNCTION organizations_with_credentials() RETURNS SETOF text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
  AS $$ SELECT o.id FROM organizations o WHERE EXISTS (
    SELECT FROM data_sources d WHERE d.org_id = o.id AND d.sealed_credential IS NOT NULL
  ) $$;
REVOKE ALL ON FUNCTION organizations_with_credentials() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION organizations_with_credentials() TO assay_app;
