import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { insertAliases } from '../server/findings/aliases/alias-queries.ts';
import { recompute } from '../server/findings/policy/recompute.ts';
import { defaultPolicy } from '../server/findings/policy.ts';
import { repairOrganization } from '../server/operation/repair-clock.ts';
import { sendAuditHeads } from '../server/organization/audit/heads/send-heads.ts';
import { type Application, startApplication } from './harness/application.ts';
import { createTestDatabase } from './harness/database.ts';
import { type Furnished, furnish } from './harness/furnished.ts';
import { createPooledDatabase } from './harness/pooled-database.ts';

/** Tables that these tests do not fill. */
const mayBeEmpty = ['idempotency_keys'];

const ways = { 'on a direct connection': createTestDatabase, 'through PgBouncer': createPooledDatabase };

for (const [way, create] of Object.entries(ways))
  describe(`a query that forgets the organization, ${way},`, () => {
    let app: Application;
    let admin: pg.Client;
    let tenants: Furnished[];
    let tables: string[];

    before(async () => {
      app = await startApplication(create);
      tenants = [await furnish(app, 'one0marker'), await furnish(app, 'other0marker')];
      await app.database.single(null, {
        text: `INSERT INTO exploitation_feeds VALUES ('kev', 'test', '', 1, now()) ON CONFLICT DO NOTHING`,
      });
      for (const { orgId, people, ids } of tenants) {
        const json = { status: 'triaged', tags: ['a'] };
        await app.call(people.owner.token, 'PATCH', `/findings/${ids['/findings']}`, { json });
        const policy = { ...defaultPolicy, test_grace_days: 1 };
        await app.call(people.owner.token, 'PUT', '/organization/policy', { json: policy });
        await app.database.transaction(orgId, (tx) =>
          insertAliases(tx, orgId, [{ alias: 'GHSA-JFH8-C2JP-5V3Q', name: 'CVE-2021-44228' }]),
        );
        while ((await recompute(app.database, orgId)) !== 'done');
        await app.call(people.owner.token, 'GET', '/findings/summary');
        const text = `UPDATE findings SET updated_at = updated_at + interval '3 days' WHERE org_id = $1`;
        await app.database.single(orgId, { text, values: [orgId] });
        await repairOrganization(app.database, orgId);
      }
      const send = async () => null;
      await sendAuditHeads({ database: app.database, headChannels: [{ name: 'log', destination: null, send }] });
      admin = new pg.Client({ connectionString: app.adminUrl });
      await admin.connect();
      const { rows } = await admin.query<{ name: string }>(
        `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attname = 'org_id' AND a.attnotnull`,
      );
      tables = rows.map((row) => row.name);
    });
    after(async () => {
      await admin.end();
      await app.close();
    });

    const organizationsIn = async (orgId: string | null, table: string) => {
      const rows = await app.database.single<{ org_id: string }>(orgId, {
        text: `SELECT DISTINCT org_id FROM ${table}`,
      });
      return rows.map((row) => row.org_id);
    };

    test("gets the rows of its transaction's organization, and none without one", async () => {
      assert.ok(tables.length > 12, tables.join());
      const empty: string[] = [];
      for (const table of tables) {
        const { rows } = await admin.query(`SELECT DISTINCT org_id FROM ${table}`);
        if (rows.length < 2) empty.push(table);
        assert.deepEqual(await organizationsIn(null, table), [], table);
        for (const { orgId } of tenants) {
          assert.ok(
            (await organizationsIn(orgId, table)).every((one) => one === orgId),
            table,
          );
        }
      }
      assert.deepEqual(
        empty.filter((table) => !mayBeEmpty.includes(table)),
        [],
        'nothing is proved about an empty table',
      );
    });

    test('changes and removes nothing of another organization', async () => {
      const [one, other] = tenants as [Furnished, Furnished];
      for (const table of tables) {
        const figure = `SELECT count(*)::int AS n FROM ${table} WHERE org_id = $1`;
        const count = async () => (await admin.query<{ n: number }>(figure, [other.orgId])).rows[0]!.n;
        const before = await count();
        for (const text of [
          `DELETE FROM ${table} WHERE org_id = $1`,
          `UPDATE ${table} SET org_id = org_id WHERE org_id = $1`,
        ]) {
          const changed = app.database.transaction(one.orgId, (tx) => tx.query({ text, values: [other.orgId] }));
          // A table without the privilege refuses the statement.
          const outcome = await changed.catch((error: { code?: string }) => error.code);
          assert.ok(outcome === '42501' || (outcome as { rowCount: number }).rowCount === 0, `${text}: ${outcome}`);
        }
        assert.equal(await count(), before, table);
      }
    });

    test('writes nothing into another organization', async () => {
      const [one, other] = tenants as [Furnished, Furnished];
      for (const table of tables) {
        const text = `INSERT INTO ${table} (org_id) VALUES ($1)`;
        const written = app.database.transaction(one.orgId, (tx) => tx.query({ text, values: [other.orgId] }));
        // Row-level security is checked before the constraints of other columns.
        await assert.rejects(written, { code: '42501' }, table);
      }
    });
  });
