import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { distribution } from '../server/migrations/distribution.ts';
import { distribute, planDistribution } from '../server/platform/postgres/distribute.ts';
import { createTestDatabase, type TestDatabase } from './harness/database.ts';
import { describeSchema } from './harness/describe-schema.ts';

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

  test('schema.sql is the result of the migrations: after a change, run "node scripts/dump-schema.ts"', async () => {
    const file = await readFile(new URL('../server/migrations/schema.sql', import.meta.url), 'utf8');
    assert.equal(file, await describeSchema(base.adminUrl));
  });

  test('every table with an organization has row-level security, forced, and one policy on it', async () => {
    const unsafe = await list(`
      SELECT c.relname AS name FROM pg_class c
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'org_id' AND NOT a.attisdropped
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnotnull
         AND NOT (c.relrowsecurity AND c.relforcerowsecurity
                  AND EXISTS (SELECT FROM pg_policies p WHERE p.tablename = c.relname
                                 AND p.qual LIKE '%org_id = current_setting(''app.org_id''::text, true)%'))`);
    assert.deepEqual(unsafe, []);
  });

  // Foreign keys to tables without a tenant (users) are allowed: those tables are copied to every shard.
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
    // What is copied to every server is looked up there without the organization.
    const copied = new RegExp(`^(${distribution.references.join('|')})[._]`);
    assert.deepEqual(
      wrong.filter((name) => !copied.test(name)),
      [],
    );
  });

  test('there are no sequences, and no triggers but those that announce a change or keep the audit log', async () => {
    const found = await list(`
      SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'S'
      UNION ALL
      SELECT tgname FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid JOIN pg_proc p ON p.oid = g.tgfoid
       WHERE c.relnamespace = 'public'::regnamespace AND NOT tgisinternal
         AND p.proname NOT IN ('notify_scan_change', 'notify_organization_event', 'notify_session_end', 'seal_audit_event', 'keep_audit_event')`);
    assert.deepEqual(found, []);
  });

  test("no function that runs as the owner is open to everybody or uses the caller's search path", async () => {
    const open = await list(`
      SELECT p.oid::regprocedure::text AS name FROM pg_proc p
       WHERE p.pronamespace = 'public'::regnamespace AND p.prosecdef
         AND (NOT EXISTS (SELECT FROM unnest(p.proconfig) AS setting WHERE setting LIKE 'search_path=%')
              OR has_function_privilege('public', p.oid, 'EXECUTE'))`);
    assert.deepEqual(open, []);
  });

  test('the service can neither own nor bypass anything', async () => {
    const rights = await list(`
      SELECT c.relname AS name FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner WHERE r.rolname = 'assay_app'
      UNION ALL SELECT rolname FROM pg_roles WHERE rolname = 'assay_app' AND (rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb)`);
    assert.deepEqual(rights, []);
  });

  test('every table has its place in a sharded database, once', async () => {
    const { hasCitus, statements } = await planDistribution(base.adminUrl, distribution);
    assert.equal(hasCitus, false);
    const placed = statements.flatMap((text) => /create_\w+_table\('public\.(\w+)'/.exec(text)?.[1] ?? []);
    const tables = await list(`SELECT relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`);
    assert.deepEqual([...placed, ...distribution.local].sort(), tables.sort());
  });

  test('without Citus nothing is distributed, and the error says what to do', async () => {
    await assert.rejects(distribute(base.adminUrl, distribution), /CREATE EXTENSION citus.*docs\/citus\.md/s);
  });

  test('distributing keeps every foreign key, and is done once', async () => {
    const own = await createTestDatabase();
    const client = new pg.Client({ connectionString: own.adminUrl });
    await client.connect();
    try {
      // What Citus adds to the catalog, without its work.
      await client.query(`SET allow_system_table_mods = on;
        CREATE TABLE pg_catalog.pg_dist_partition (logicalrelid regclass);
        CREATE FUNCTION pg_catalog.create_reference_table(name text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
          IF EXISTS (SELECT FROM pg_constraint WHERE contype = 'f' AND name::regclass IN (conrelid, confrelid)) THEN
            RAISE '% has a foreign key', name;
          END IF;
          INSERT INTO pg_dist_partition VALUES (name::regclass); END $$;
        CREATE FUNCTION pg_catalog.create_distributed_table(name text, by text, colocate_with text DEFAULT 'default') RETURNS void
          LANGUAGE plpgsql AS $$ BEGIN
            IF colocate_with <> 'default' AND NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = colocate_with::regclass) THEN
              RAISE '% is not distributed', colocate_with;
            END IF;
            PERFORM create_reference_table(name); END $$;
        RESET allow_system_table_mods`);
      const before = await describeSchema(own.adminUrl);
      const { statements } = await planDistribution(own.adminUrl, distribution);
      // Roles belong to all databases of the server.
      const inDatabase = statements.filter((text) => !text.startsWith('ALTER ROLE'));
      assert.ok(inDatabase.length < statements.length);
      await client.query(['BEGIN', ...inDatabase, 'COMMIT'].join(';\n'));
      assert.equal(await describeSchema(own.adminUrl), before);
      assert.deepEqual((await planDistribution(own.adminUrl, distribution)).statements, []);
      // A later migration adds a table: it alone is distributed.
      await client.query(
        'CREATE TABLE added (org_id text COLLATE "C" NOT NULL, id text NOT NULL, PRIMARY KEY (org_id, id))',
      );
      const added = (await planDistribution(own.adminUrl, distribution)).statements;
      assert.deepEqual(
        added.filter((text) => /TABLE|_table/.test(text)),
        [`SELECT create_distributed_table('public.added', 'org_id', colocate_with => 'public.organizations')`],
      );
      await client.query('CREATE TABLE stray (id text PRIMARY KEY)');
      await assert.rejects(planDistribution(own.adminUrl, distribution), /distribution\.ts .*stray/);
    } finally {
      await client.end();
      await own.drop();
    }
  });
});
