import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { getMigrations } from 'better-auth/db/migration';
import pg from 'pg';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { call, createTestNode } from '../../../tests/harness/identity.ts';
import { createTenant, createTestMember, testBaseUrl, testPassword } from '../../../tests/harness/people.ts';
import { within } from '../../../tests/harness/within.ts';
import { insertMember } from '../../organization/queries.ts';
import { organizationRoutes } from '../../organization/routes.ts';
import { defaultFailedAuthentications } from '../../platform/http/failed-authentications.ts';
import { silentLog } from '../../platform/log.ts';
import { openDatabase } from '../../platform/postgres/database.ts';
import { createBrowser } from '../browser.fixture.ts';
import { resetPassword } from '../commands/user-command.ts';
import { identityTicks } from '../jobs.ts';
import { memberAccessRoutes } from '../member-access/routes.ts';
import { identityRoutes } from '../profile/routes.ts';
import { createToken, isToken } from '../token.ts';
import { authOptions } from './auth.ts';

const db = await createTestDatabase();
const { database } = db;
const config = { allowedHosts: ['assay.internal'] };
const routes = [...organizationRoutes, ...memberAccessRoutes, ...identityRoutes];
const node = await createTestNode(database, routes, undefined, {}, undefined, config);
const admin = new pg.Client({ connectionString: db.adminUrl });
await admin.connect();
after(async () => {
  await node.close();
  await admin.end();
  await db.drop();
});

let addresses = 0;
/** Every sign-in comes from another address, so that the limits of attempts don't add up. */
const newAddress = () => `10.0.${Math.floor(++addresses / 250)}.${addresses % 250}`;

const signIn = (email: string, password = testPassword, remoteAddress = newAddress()) =>
  node.app.inject({ method: 'POST', url: '/auth/sign-in/email', payload: { email, password }, remoteAddress });

async function sessionOf(email: string): Promise<{ cookie: string; origin: string }> {
  const response = await signIn(email);
  assert.equal(response.statusCode, 200, response.body);
  return { cookie: String(response.headers['set-cookie']).split(';')[0]!, origin: testBaseUrl };
}

const statusAndCode = ({ status, body }: Awaited<ReturnType<typeof call>>) => `${status} ${body?.error?.code ?? 'ok'}`;

test('the tables have exactly the columns that the sign-in library needs', async () => {
  const options = authOptions({ pool: database.pool, secret: 'x'.repeat(32), baseUrl: testBaseUrl, log: silentLog });
  const { toBeAdded, toBeCreated } = await getMigrations(options as never);
  assert.deepEqual([toBeCreated, toBeAdded], [[], []]);
});

test('a sign-in sets a cookie that scripts and other sites cannot use', async () => {
  const { email } = await createTenant(database);
  const response = await signIn(email.toUpperCase());
  assert.equal(response.statusCode, 200);
  const cookie = String(response.headers['set-cookie']);
  assert.match(cookie, /^assay\.session_token=/);
  assert.match(cookie, /HttpOnly/i);
  assert.match(cookie, /SameSite=Strict/i);
  assert.equal(response.headers['cache-control'], 'no-store');
});

test('behind https every sign-in cookie is for this host only, and the session works', async () => {
  const base = 'https://assay.example.org';
  const secure = await createTestNode(
    database,
    identityRoutes,
    undefined,
    {},
    undefined,
    { allowedHosts: ['assay.example.org'] },
    {
      baseUrl: base,
    },
  );
  const browser = createBrowser(secure.app, base);
  const { email } = await createTenant(database);
  const responses = [await browser.signIn(email), await browser.send('POST', '/auth/sign-in/passkey/options')];
  const cookies = responses.flatMap(({ headers }) => [headers['set-cookie'] ?? []].flat());
  assert.ok(cookies.length >= 3, String(cookies));
  for (const cookie of cookies) {
    assert.match(cookie, /^__Host-assay\.\w+=/);
    assert.match(cookie, /; Secure(;|$)/i);
    assert.match(cookie, /; Path=\/(;|$)/i);
    assert.doesNotMatch(cookie, /Domain/i);
  }
  assert.equal((await browser.api('GET', '/profile')).body.email, email);
  const value = browser.cookie('session_token')!;
  const sent = (cookie: string) =>
    call(secure, { cookie, origin: base, host: 'assay.example.org' }, 'GET', '/profile').then(({ status }) => status);
  const own = `__Host-assay.session_token=${value}`;
  assert.equal(await sent(`assay.session_token=tossed.by.a.sibling; ${own}`), 200);
  assert.equal(await sent(`assay.session_token=${value}`), 401);
  assert.equal(await sent(`__Secure-assay.session_token=${value}`), 401);
  await secure.close();
});

test('a wrong password, an unknown person and a sign-up are refused, the first two alike', async () => {
  const { email } = await createTenant(database);
  const wrong = await signIn(email, 'wrong password');
  const unknown = await signIn('nobody@example.com');
  assert.equal(wrong.statusCode, 401);
  const bodyOf = (response: typeof wrong) => ({ ...response.json().error, request_id: null });
  assert.deepEqual([unknown.statusCode, bodyOf(unknown)], [wrong.statusCode, bodyOf(wrong)]);
  const payload = { email: 'eve@example.com', password: testPassword, name: 'Eve' };
  const signUp = await node.app.inject({
    method: 'POST',
    url: '/auth/sign-up/email',
    payload,
    remoteAddress: newAddress(),
  });
  assert.ok(signUp.statusCode >= 400 && signUp.statusCode < 500);
  assert.equal((await admin.query(`SELECT FROM users WHERE email = 'eve@example.com'`)).rowCount, 0);
});

test('a session reads and writes as its person, with its own rate limit', async () => {
  const owner = await createTenant(database);
  const session = await sessionOf(owner.email);
  const response = await call(node, session, 'GET', '/organization');
  assert.equal(response.body.id, owner.orgId);
  assert.match(String(response.headers['ratelimit-policy']), /q=1200/);
  assert.equal(
    (await call(node, session, 'POST', '/organization/invitations', { email: 'a@example.com' })).status,
    201,
  );
});

test('wrong tokens from an address lock out neither its valid tokens nor its sessions', async () => {
  const owner = await createTenant(database);
  const session = await sessionOf(owner.email);
  const strict = await createTestNode(database, organizationRoutes, undefined, {}, defaultFailedAuthentications);
  const bad = [];
  for (let count = 0; count < 60; count += 1)
    bad.push((await call(strict, createToken(), 'GET', '/organization')).status);
  assert.deepEqual([bad[19], bad.at(-1)], [401, 429]);
  for (const credential of [owner.token, session]) {
    assert.equal((await call(strict, credential, 'GET', '/organization')).status, 200);
  }
  await strict.close();
});

test('a session changes nothing from a page of another origin', async () => {
  const { email } = await createTenant(database);
  const { cookie } = await sessionOf(email);
  const invitation = { email: 'a@example.com' };
  const host = '127.0.0.1:8080';
  for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:8080.evil.example', undefined]) {
    const headers = { cookie, host, ...(origin !== undefined && { origin }) };
    const response = await call(node, headers, 'POST', '/organization/invitations', invitation);
    assert.equal(statusAndCode(response), '403 forbidden', String(origin));
  }
  const own = { cookie, host: 'assay.internal:9000', origin: 'http://assay.internal:9000' };
  assert.equal((await call(node, own, 'POST', '/organization/invitations', invitation)).status, 201);
});

test('a session ends within a second of signing out', async () => {
  const { email } = await createTenant(database);
  const session = await sessionOf(email);
  assert.equal((await call(node, session, 'GET', '/organization')).status, 200);
  const out = await node.app.inject({ method: 'POST', url: '/auth/sign-out', headers: session, payload: {} });
  assert.equal(out.statusCode, 204, out.body);
  await within(1_100, async () => (await call(node, session, 'GET', '/organization')).status === 401);
});

test('a new password ends the sessions, and the old one no longer works', async () => {
  const { email } = await createTenant(database);
  await sessionOf(email);
  const { password } = await resetPassword(database, email);
  assert.equal((await signIn(email)).statusCode, 401);
  assert.equal((await signIn(email, password)).statusCode, 200);
  const { rows } = await admin.query('SELECT FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1', [
    email,
  ]);
  assert.equal(rows.length, 1);
});

test('changes of the profile, and its tokens, are available to sessions only', async () => {
  const { token } = await createTenant(database);
  for (const [method, path] of [
    ['PATCH', '/profile'],
    ['GET', '/profile/tokens'],
    ['POST', '/profile/tokens'],
    ['DELETE', '/profile/tokens/tok_01jd3q5r8wf0ht6vsx2p9k4m7n'],
  ] as const) {
    assert.equal(statusAndCode(await call(node, token, method, path)), '403 session_required', path);
  }
});

test('a token created in the profile is shown once, works, and stops working when it is revoked', async () => {
  const owner = await createTenant(database);
  const session = await sessionOf(owner.email);
  const wanted = { name: 'Dashboard', scopes: ['organization:read'], expires_at: '2099-01-01T00:00:00Z' };
  const made = await call(node, session, 'POST', '/profile/tokens', wanted);
  assert.equal(made.status, 201);
  assert.ok(isToken(made.body.token));
  assert.deepEqual([made.body.scopes, made.body.expires_at], [wanted.scopes, wanted.expires_at]);
  assert.equal((await call(node, made.body.token, 'GET', '/organization')).status, 200);
  const list = await call(node, session, 'GET', '/profile/tokens');
  assert.deepEqual(
    list.body.data.map(({ name }: { name: string }) => name),
    ['Dashboard', 'Test'],
  );
  assert.ok(!JSON.stringify(list.body).includes(made.body.token));
  const path = `/profile/tokens/${made.body.id}`;
  const stranger = await sessionOf((await createTestMember(database, owner.orgId, 'owner')).email);
  assert.equal(statusAndCode(await call(node, stranger, 'DELETE', path)), '404 not_found');
  assert.equal((await call(node, session, 'DELETE', path)).status, 204);
  assert.equal(statusAndCode(await call(node, session, 'DELETE', path)), '404 not_found');
  await within(1_000, async () => (await call(node, made.body.token, 'GET', '/organization')).status === 401);
});

test('a token cannot be created with an unknown scope, an empty list of scopes or a time in the past', async () => {
  const session = await sessionOf((await createTenant(database)).email);
  const fieldOf = async (body: object) => {
    const response = await call(node, session, 'POST', '/profile/tokens', body);
    assert.equal(response.status, 400);
    return response.body.error.details[0].field;
  };
  assert.match(await fieldOf({ name: 'x', scopes: ['everything'] }), /^scopes/);
  assert.equal(await fieldOf({ name: 'x', scopes: [] }), 'scopes');
  assert.equal(await fieldOf({ name: 'x', expires_at: '2001-01-01T00:00:00Z' }), 'expires_at');
  assert.equal(await fieldOf({ name: 'x', expires_at: '2099-01-01' }), 'expires_at');
  assert.equal(await fieldOf({ name: '' }), 'name');
});

test('a session works in the chosen organization, and in no other', async () => {
  const first = await createTenant(database, 'First');
  const second = await createTenant(database, 'Second');
  const third = await createTenant(database, 'Third');
  await database.transaction(second.orgId, (tx) => insertMember(tx, second.orgId, first.userId, 'viewer'));
  const session = await sessionOf(first.email);
  const before = await call(node, session, 'GET', '/profile');
  assert.equal(before.body.organization.id, first.orgId);
  assert.deepEqual(
    before.body.organizations.map(({ name, role }: Record<string, string>) => [name, role]),
    [
      ['First', 'owner'],
      ['Second', 'viewer'],
    ],
  );
  const chosen = await call(node, session, 'PATCH', '/profile', { organization_id: second.orgId });
  assert.equal(chosen.body.organization.id, second.orgId);
  await within(1_000, async () => (await call(node, session, 'GET', '/organization')).body.id === second.orgId);
  const response = await call(node, session, 'PATCH', '/profile', { organization_id: third.orgId });
  assert.equal(statusAndCode(response), '400 invalid_request');
});

test('while the database is unavailable a sign-in and a session are 503 with Retry-After', async () => {
  const away = openDatabase({ connectionString: 'postgres://assay_app@127.0.0.1:9/none' });
  const lonely = await createTestNode(away, organizationRoutes);
  const payload = { email: 'a@example.com', password: testPassword };
  const signedIn = await lonely.app.inject({ method: 'POST', url: '/auth/sign-in/email', payload });
  assert.equal(signedIn.statusCode, 503);
  const session = await sessionOf((await createTenant(database)).email);
  for (const credential of [session, createToken()]) {
    const response = await call(lonely, credential, 'GET', '/organization');
    assert.equal(statusAndCode(response), '503 unavailable');
    assert.ok(Number(response.headers['retry-after']) > 0);
  }
  await lonely.close();
  await away.close();
});

test('expired sessions are removed, others stay', async () => {
  const { email } = await createTenant(database);
  await sessionOf(email);
  const session = await sessionOf(email);
  const token = decodeURIComponent(session.cookie.split('=')[1]!).split('.')[0];
  await admin.query(`UPDATE sessions SET expires_at = now() - interval '1 second' WHERE token = $1`, [token]);
  await identityTicks[0]!.run({ database });
  const { rows } = await admin.query(
    'SELECT token FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1',
    [email],
  );
  assert.equal(rows.length, 1);
  assert.notEqual(rows[0].token, token);
});
