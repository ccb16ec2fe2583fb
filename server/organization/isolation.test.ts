import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../tests/harness/database.ts';
import { createTenant } from '../../tests/harness/people.ts';
import { invitePerson } from './invite-person.ts';

const db = await createTestDatabase();
const { database } = db;
const admin = new pg.Client({ connectionString: db.adminUrl });
await admin.connect();
after(async () => {
  await admin.end();
  await db.drop();
});

const tables = {
  organizations: 'id',
  members: 'org_id',
  invitations: 'org_id',
  api_tokens: 'org_id',
  audit_events: 'org_id',
};

async function createFullTenant() {
  const owner = await createTenant(database);
  const inviter = { userId: owner.userId, tokenId: null, address: null, role: 'owner' as const };
  const invitation = { email: 'ada@example.com', role: 'viewer' as const };
  await database.transaction(owner.orgId, (tx) => invitePerson(tx, owner.orgId, inviter, invitation));
  return owner;
}

test('a query without a condition on the organization sees only the rows of its own, and none without one', async () => {
  const one = await createFullTenant();
  const other = await createFullTenant();
  for (const [table, column] of Object.entries(tables)) {
    const read = (orgId: string | null) =>
      database.single<{ org: string }>(orgId, { text: `SELECT ${column} AS org FROM ${table}` });
    for (const { orgId } of [one, other]) {
      const seen = new Set((await read(orgId)).map(({ org }) => org));
      assert.deepEqual([...seen], [orgId], table);
    }
    assert.deepEqual(await read(null), [], table);
  }
});

test('a write that names another organization changes nothing there', async () => {
  const one = await createFullTenant();
  const other = await createFullTenant();
  for (const [table, column] of Object.entries(tables)) {
    if (table === 'audit_events') continue;
    const rows = await database.single(one.orgId, {
      text: `DELETE FROM ${table} WHERE ${column} = $1 RETURNING 1`,
      values: [other.orgId],
    });
    assert.deepEqual(rows, [], table);
  }
  await assert.rejects(
    database.single(one.orgId, {
      text: `INSERT INTO members (org_id, user_id, role) VALUES ($1, $2, 'owner')`,
      values: [other.orgId, one.userId],
    }),
    /row-level security/,
  );
});

test('entries can be added to the audit trail, and not changed', async () => {
  const { orgId } = await createFullTenant();
  for (const text of ['UPDATE audit_events SET details = NULL', 'DELETE FROM audit_events']) {
    await assert.rejects(database.single(orgId, { text }), /permission denied/);
  }
});

test('every table of an organization forces row-level security, and its keys begin with the organization', async () => {
  const { rows } = await admin.query<{ name: string; forced: boolean; first_columns: string[] }>(
    `SELECT c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS forced,
            (SELECT array_agg(DISTINCT a.attname::text) FROM pg_index i
             JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
             WHERE i.indrelid = c.oid AND i.indisunique) AS first_columns
     FROM pg_class c
     WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
       AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'org_id')`,
  );
  assert.ok(rows.length >= 4);
  for (const { name, forced, first_columns } of rows) {
    assert.ok(forced, name);
    assert.deepEqual(first_columns, ['org_id'], name);
  }
});

test('functions that read across organizations are available to the application alone and ignore the search path', async () => {
  const { rows } = await admin.query<{ name: string; open: boolean; usable: boolean; config: string[] }>(
    `SELECT p.proname AS name,
            p.prorettype = 'trigger'::regtype OR has_function_privilege('assay_app', p.oid, 'EXECUTE') AS usable, p.proconfig AS config,
            EXISTS (SELECT FROM aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) WHERE grantee = 0) AS open
     FROM pg_proc p WHERE p.prosecdef AND p.pronamespace = 'public'::regnamespace`,
  );
  assert.ok(rows.some(({ name }) => name === 'bearer_of_token'));
  for (const { name, open, usable, config } of rows) {
    assert.ok(!open && usable, name);
    assert.ok(
      config.some((setting) => setting.startsWith('search_path=')),
      name,
    );
  }
});

test('a token is found with one index look-up, by its hash', async () => {
  const query = `SET enable_seqscan = off; EXPLAIN SELECT FROM api_tokens WHERE hash = '\\x00'`;
  const results = (await admin.query(query)) as unknown as pg.QueryResult[];
  assert.match(results[1]!.rows.map((row) => row['QUERY PLAN']).join('\n'), /api_tokens_hash/);
});
