import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../tests/harness/database.ts';
import { call, createTestNode } from '../../tests/harness/identity.ts';
import { createTenant, testPassword } from '../../tests/harness/people.ts';
import { organizationRoutes } from '../organization/routes.ts';
import { bootstrap } from './bootstrap.ts';
import { createBrowser } from './browser.fixture.ts';
import { resetPassword } from './commands/user-command.ts';
import { identityRoutes } from './profile/routes.ts';

const db = await createTestDatabase();
const { database } = db;
const node = await createTestNode(database, [...identityRoutes, ...organizationRoutes]);
const admin = new pg.Client({ connectionString: db.adminUrl });
await admin.connect();
after(async () => {
  await node.close();
  await admin.end();
  await db.drop();
});

const none = { adminEmail: null, adminPassword: null, organization: null, token: null };
const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } | null }) =>
  body?.error ? `${status} ${body.error.code}` : String(status);

test('the printed password of the first start signs in, and does nothing but choose another one', async () => {
  const made = (await bootstrap(database, none))!;
  const browser = createBrowser(node.app);
  await browser.signIn(made.email, made.password!);
  const refusal = '403 password_change_required';
  assert.equal(codeOf(await browser.api('GET', '/organization')), refusal);
  assert.equal(codeOf(await browser.api('POST', '/profile/tokens', { name: 'x', password: made.password! })), refusal);
  assert.equal((await browser.api('GET', '/profile')).body.sign_in_refusal.code, 'password_change_required');
  assert.equal((await call(node, made.token!, 'GET', '/organization')).status, 200, 'the printed token works at once');
  const change = { current_password: made.password!, new_password: testPassword };
  assert.equal((await browser.api('PUT', '/profile/password', change)).status, 204);
  assert.equal((await browser.api('GET', '/organization')).status, 200);
  assert.equal((await browser.api('GET', '/profile')).body.sign_in_refusal, null);
  const again = createBrowser(node.app);
  await again.signIn(made.email, testPassword);
  assert.equal((await again.api('GET', '/organization')).status, 200);
});

test('a generated password works for 24 hours, and only the person with it learns that they have passed', async () => {
  const { email } = await createTenant(database);
  const { password } = await resetPassword(database, email);
  const signIn = async (text: string) =>
    (await createBrowser(node.app).send('POST', '/auth/sign-in/email', { email, password: text })).body;
  const age = (hours: number) =>
    admin.query(
      'UPDATE users SET initial_password_until = initial_password_until - make_interval(hours => $2) WHERE email = $1',
      [email, hours],
    );
  await age(23);
  assert.equal((await signIn(password)).status, 'signed_in');
  await age(2);
  assert.match((await signIn(password)).error.message, /worked for 24 hours.*assay user reset-password/);
  assert.doesNotMatch((await signIn('another password')).error.message, /24 hours/);
  const renewed = await resetPassword(database, email);
  assert.equal((await signIn(renewed.password)).status, 'signed_in');
});

test('a password that the operator or the person chose is not changed at the first sign-in', async () => {
  const { email } = await createTenant(database);
  const browser = createBrowser(node.app);
  await browser.signIn(email);
  assert.equal((await browser.api('GET', '/organization')).status, 200);
});
