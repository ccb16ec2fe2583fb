import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../tests/harness/database.ts';
import { createPerson } from '../../tests/harness/people.ts';
import { type Database, openDatabase } from '../platform/postgres/database.ts';
import { type BootstrapOptions, bootstrap, checkBootstrapOptions } from './bootstrap.ts';
import { verifyPassword } from './password.ts';
import { findTokenBearer } from './queries.ts';
import { createToken, hashToken, isToken } from './token.ts';

const nothingChosen: BootstrapOptions = {
  adminEmail: null,
  adminPassword: null,
  organization: null,
  token: null,
};

async function onEmptyDatabase(run: (db: TestDatabase, admin: pg.Client) => Promise<void>) {
  const db = await createTestDatabase();
  const admin = new pg.Client({ connectionString: db.adminUrl });
  await admin.connect();
  try {
    await run(db, admin);
  } finally {
    await admin.end();
    await db.drop();
  }
}

const passwordOf = async (admin: pg.Client, email: string) =>
  (await admin.query('SELECT a.password FROM accounts a JOIN users u ON u.id = a.user_id WHERE u.email = $1', [email]))
    .rows[0].password;

test('an empty database gets an owner, an organization and a token, printed once', () =>
  onEmptyDatabase(async ({ database }, admin) => {
    const made = await bootstrap(database, nothingChosen);
    assert.equal(made!.email, 'owner@assay.local');
    assert.ok(isToken(made!.token!));
    assert.ok(await verifyPassword(await passwordOf(admin, made!.email), made!.password!));
    const bearer = await findTokenBearer(database, hashToken(made!.token!));
    assert.deepEqual([bearer!.org_id, bearer!.role, bearer!.scopes], [made!.organization.id, 'owner', null]);
    assert.equal(await bootstrap(database, nothingChosen), null);
  }));

test("the operator's settings are used, and their secrets are not returned", () =>
  onEmptyDatabase(async ({ database }, admin) => {
    const bootstrapToken = createToken();
    const made = await bootstrap(database, {
      adminEmail: 'Root@Example.com',
      adminPassword: 'chosen password',
      organization: ' Example Inc. ',
      token: bootstrapToken,
    });
    assert.deepEqual([made!.email, made!.password, made!.token], ['root@example.com', null, null]);
    assert.equal(made!.organization.name, 'Example Inc.');
    assert.ok(!JSON.stringify(made).includes(bootstrapToken));
    assert.ok(await verifyPassword(await passwordOf(admin, 'root@example.com'), 'chosen password'));
    assert.equal((await findTokenBearer(database, hashToken(bootstrapToken)))!.role, 'owner');
  }));

test('nodes that start at the same time create only one owner', () =>
  onEmptyDatabase(async ({ appUrl }, admin) => {
    const nodes = Array.from({ length: 5 }, () => openDatabase({ connectionString: appUrl }));
    const made = await Promise.all(nodes.map((node) => bootstrap(node, nothingChosen)));
    await Promise.all(nodes.map((node) => node.close()));
    assert.equal(made.filter((one) => one !== null).length, 1);
    for (const table of ['users', 'organizations', 'members', 'api_tokens']) {
      assert.equal((await admin.query(`SELECT FROM ${table}`)).rowCount, 1, table);
    }
  }));

test('a start that ended after it had created the account is completed by the next one, with new credentials', () =>
  onEmptyDatabase(async ({ database }, admin) => {
    const interrupted: Database = {
      ...database,
      transaction: (orgId, run) =>
        orgId === null
          ? database.transaction(null, run)
          : database.transaction(orgId, async (tx) => {
              await run(tx);
              throw new Error('The process ends.');
            }),
    };
    await assert.rejects(bootstrap(interrupted, nothingChosen), /The process ends/);
    const made = await bootstrap(database, nothingChosen);
    assert.ok(await verifyPassword(await passwordOf(admin, made!.email), made!.password!));
    assert.equal((await admin.query('SELECT FROM accounts')).rowCount, 1, 'Nobody can sign in to the first account.');
    assert.equal((await findTokenBearer(database, hashToken(made!.token!)))!.role, 'owner');
    assert.equal((await admin.query('SELECT FROM organizations')).rowCount, 1);
  }));

test('a database with people stays unchanged', () =>
  onEmptyDatabase(async ({ database }, admin) => {
    await createPerson(database);
    assert.equal(await bootstrap(database, { ...nothingChosen, token: createToken() }), null);
    assert.equal((await admin.query('SELECT FROM organizations')).rowCount, 0);
  }));

test('all errors are reported at once, each with its variable', () => {
  const errors = checkBootstrapOptions({
    adminEmail: 'nobody',
    adminPassword: 'short',
    organization: ' ',
    token: createToken().toUpperCase(),
  });
  assert.deepEqual(
    errors.map((one) => one.split(':')[0]),
    ['ASSAY_ADMIN_EMAIL', 'ASSAY_ADMIN_PASSWORD', 'ASSAY_ORGANIZATION', 'ASSAY_BOOTSTRAP_TOKEN'],
  );
  assert.deepEqual(checkBootstrapOptions(nothingChosen), []);
});

test('nothing is created when a setting is invalid', () =>
  onEmptyDatabase(async ({ database }, admin) => {
    await assert.rejects(bootstrap(database, { ...nothingChosen, adminPassword: 'short' }), /ASSAY_ADMIN_PASSWORD/);
    assert.equal((await admin.query('SELECT FROM users')).rowCount, 0);
  }));
