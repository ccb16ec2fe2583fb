/**
 * Which table lies where in a sharded database (Citus). A table with `org_id` lies with its organization, and needs no
 * entry here; a test fails for any other one that is missing.
 */
export const distribution = {
  /** Its rows decide where those of the others lie. */
  organizations: 'organizations',
  /** Copied to every server: what statements on the tables of organizations join. */
  references: [
    'users',
    'accounts',
    'sessions',
    'passkeys',
    'two_factors',
    'pending_two_factors',
    'sign_in_links',
    'user_preferences',
    'token_organizations',
    'advisories',
    'advisory_packages',
    'epss_scores',
    'known_exploited',
    'exploitation_feeds',
  ],
  /** Stay on the coordinator. */
  local: [
    'verifications',
    'guess_limits',
    'failed_sign_ins',
    'password_salts',
    'installation_secrets',
    'sign_in_limits',
    'advisory_archives',
    'advisory_sync',
    'worker_heartbeats',
    'worker_tools',
    'worker_disks',
    'backups',
    'schema_migrations',
  ],
} as const;
