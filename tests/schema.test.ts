import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from './harness/database.ts';

/** Tables of the installation or of a person: rows that belong to no organization. */
const withoutOrganization = [
  ...[
    'account_follow_ups',
    'account_idempotency_keys',
    'accounts',
    'failed_sign_ins',
    'guess_limits',
    'passkeys',
    'password_salts',
    'pending_two_factors',
    'sessions',
  ],
  ...['sign_in_links', 'two_factors', 'user_preferences', 'users', 'verifications'],
  ...['advisories', 'advisory_aliases', 'advisory_archives', 'advisory_packages', 'advisory_sync'],
  ...['epss_scores', 'exploitation_feeds', 'known_exploited'],
  ...[
    'backups',
    'cell',
    'absent_organizations',
    'organization_cells',
    'organization_moves',
    'installation_secrets',
    'schema_migrations',
    'worker_disks',
    'worker_heartbeats',
    'worker_tools',
  ],
];

describe('the schema', () => {
  let base: TestDatabase;
  let admin: pg.Client;

  before(async () => {
    base = await createTestDatabase();
    admin = new pg.Client({ connectionString: base.adminUrl });
    await admin.connect();
  });
  after(async () => {
    await admin.end();
    await base.drop();
  });

  const list = async (text: string) => (await admin.query<{ name: string }>(text)).rows.map((row) => row.name);

  test('every table with an organization has row-level security and one policy, for every role but its owner', async () => {
    const unsafe = await list(`
      SELECT c.relname AS name FROM pg_class c
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> ALL ('{${withoutOrganization}}')
         AND NOT (c.relrowsecurity AND NOT c.relforcerowsecurity
                  AND (SELECT count(*) = 1 AND bool_and(p.cmd = 'ALL' AND p.roles = '{public}' AND p.with_check IS NULL
                         AND p.qual = format('(%s = current_setting(''app.org_id''::text, true))', CASE p.tablename WHEN 'organizations' THEN 'id' ELSE 'org_id' END))
                         FROM pg_policies p WHERE p.tablename = c.relname))`);
    assert.deepEqual(unsafe, [], 'Enable it, or list a table of the installation or of a person.');
    const wronglyListed = await list(`
      SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'org_id'
       WHERE c.relname = ANY ('{${withoutOrganization}}')`);
    assert.deepEqual(wronglyListed, []);
  });

  test('there are no views, which read tables as their owner', async () => {
    const views = await list(`
      SELECT c.relname AS name FROM pg_class c
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind NOT IN ('r', 'p', 'i', 'I', 't', 'c')`);
    assert.deepEqual(views, []);
  });

  test('the primary key of every tenant table can be replicated: no column of it is generated', async () => {
    const unfit = await list(`
      SELECT c.relname AS name FROM pg_class c LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relrowsecurity
         AND (i.indexrelid IS NULL OR EXISTS (SELECT FROM pg_attribute a
           WHERE a.attrelid = c.oid AND a.attnum = ANY (i.indkey) AND a.attgenerated <> ''))`);
    assert.deepEqual(unfit, []);
  });

  // Foreign keys to tables without an organization (users) are allowed.
  test('every primary, unique and foreign key of a tenant table begins with the organization', async () => {
    const wrong = await list(`
      SELECT k.conrelid::regclass || '.' || k.conname AS name FROM pg_constraint k
        JOIN pg_class c ON c.oid = k.conrelid AND c.relrowsecurity AND c.relnamespace = 'public'::regnamespace
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.conkey[1]
       WHERE (k.contype IN ('p', 'u')
              OR k.contype = 'f' AND (SELECT relrowsecurity FROM pg_class f WHERE f.oid = k.confrelid))
         AND a.attname <> CASE WHEN c.relname = 'organizations' THEN 'id' ELSE 'org_id' END
      UNION ALL
      SELECT i.indexrelid::regclass::text FROM pg_index i
        JOIN pg_class c ON c.oid = i.indrelid AND c.relrowsecurity AND c.relnamespace = 'public'::regnamespace
        LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
       WHERE i.indisunique AND c.relname <> 'organizations' AND a.attname IS DISTINCT FROM 'org_id'`);
    assert.deepEqual(wrong, []);
  });

  test('there are no sequences, and no triggers except those that announce a change, protect the audit log or wait for an account', async () => {
    const found = await list(`
      SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'S'
      UNION ALL
      SELECT tgname FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid JOIN pg_proc p ON p.oid = g.tgfoid
       WHERE c.relnamespace = 'public'::regnamespace AND NOT tgisinternal
         AND p.proname NOT IN ('notify_scan_change', 'notify_organization_event', 'note_decision_change', 'notify_session_end', 'log_changed_findings', 'log_changed_data_source',
           'seal_audit_event', 'keep_audit_event', 'stay_on_one_side', 'await_account')`);
    assert.deepEqual(found, []);
  });

  test("no function that runs as the owner can be called by everyone or uses the caller's search path", async () => {
    const open = await list(`
      SELECT p.oid::regprocedure::text AS name FROM pg_proc p
       WHERE p.pronamespace = 'public'::regnamespace AND p.prosecdef
         AND (NOT EXISTS (SELECT FROM unnest(p.proconfig) AS setting WHERE setting LIKE 'search_path=%')
              OR has_function_privilege('public', p.oid, 'EXECUTE'))`);
    assert.deepEqual(open, []);
  });

  test('no transaction of the service writes tables of people and tables of organizations', async () => {
    const people = { text: `INSERT INTO guess_limits (key, full_at) VALUES ('x', now())` };
    const organization = { text: `INSERT INTO organization_changes (org_id, mark) VALUES ('org_1', 1)` };
    for (const statements of [
      [people, organization],
      [organization, people],
    ]) {
      const both = base.database.transaction('org_1', async (tx) => {
        for (const statement of statements) await tx.query(statement);
      });
      await assert.rejects(both, /use one transaction for each/);
    }
    await base.database.single('org_1', organization);
    await base.database.single('org_1', people);
  });

  test('the service can neither own nor bypass anything', async () => {
    const rights = await list(`
      SELECT c.relname AS name FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner WHERE r.rolname = 'assay_app'
      UNION ALL SELECT rolname FROM pg_roles WHERE rolname = 'assay_app' AND (rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb)`);
    assert.deepEqual(rights, []);
  });
});
