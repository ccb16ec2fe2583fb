import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { createTestNode } from '../../../tests/harness/identity.ts';
import { createTenant, testPassword } from '../../../tests/harness/people.ts';
import { outsideRoutes } from '../../api.ts';
import { addressKey } from '../../platform/http/failed-authentications.ts';
import { createBrowser } from '../browser.fixture.ts';
import { identityRoutes } from '../profile/routes.ts';
import { totpOf } from '../totp.fixture.ts';

const db = await createTestDatabase();
const { database } = db;
const node = await createTestNode(database, identityRoutes);
const admin = new pg.Client({ connectionString: db.adminUrl });
await admin.connect();
after(async () => {
  await node.close();
  await admin.end();
  await db.drop();
});

const evil = { origin: 'https://evil.example' };

test('a page of another site changes nothing with the cookie of a person, whatever the endpoint', async () => {
  const { email } = await createTenant(database);
  const browser = createBrowser(node.app);
  await browser.signIn(email);
  const writes = [
    ...identityRoutes.map((route) => ({ ...route, path: `/api/v1${route.path}` })),
    ...outsideRoutes,
  ].filter(({ method }) => method !== 'GET');
  assert.ok(writes.length > 25);
  for (const { method, path, requestExample } of writes) {
    const url = path.replace('{id}', 'tok_01jd3q5r8wf0ht6vsx2p9k4m7n');
    for (const headers of [evil, { origin: 'null' }]) {
      const body = requestExample as object | undefined;
      const response = await browser.send(method, url, body, { headers });
      assert.deepEqual([response.status, response.body.error.code], [403, 'forbidden'], `${method} ${path}`);
    }
  }
  assert.equal((await browser.api('GET', '/profile')).status, 200);
});

test('a form of another site signs nobody in as another person, and signs nobody out', async () => {
  const { email } = await createTenant(database);
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    const response = await node.app.inject({
      method: 'POST',
      url: '/auth/sign-in/email',
      headers: { ...evil, 'content-type': type },
      payload: JSON.stringify({ email, password: testPassword }),
    });
    assert.equal(response.headers['set-cookie'], undefined);
    assert.ok(response.statusCode >= 400);
  }
});

test('the cookies of a sign-in are for our own pages and not for scripts', async () => {
  const { email } = await createTenant(database);
  const browser = createBrowser(node.app);
  await browser.signIn(email);
  const { body } = await browser.api('POST', '/profile/two-factor', { password: testPassword });
  await browser.api('POST', '/profile/two-factor/confirm', { code: totpOf(body.secret) });
  const other = createBrowser(node.app);
  const responses = [
    await other.signIn(email),
    await other.send('POST', '/auth/sign-in/code', { code: totpOf(body.secret, 1), trust_device: true }),
    await other.send('POST', '/auth/sign-in/passkey/options'),
  ];
  const cookies = responses.flatMap(({ headers }) => [headers['set-cookie'] ?? []].flat());
  assert.ok(cookies.length >= 3);
  for (const cookie of cookies) assert.match(cookie, /HttpOnly.*SameSite=Strict|SameSite=Strict.*HttpOnly/i, cookie);
});

test('there is no session before the second factor was used', async () => {
  const { email } = await createTenant(database);
  const browser = createBrowser(node.app);
  await browser.signIn(email);
  const { body } = await browser.api('POST', '/profile/two-factor', { password: testPassword });
  await browser.api('POST', '/profile/two-factor/confirm', { code: totpOf(body.secret) });
  await browser.send('POST', '/auth/sign-out');
  const first = await createBrowser(node.app).signIn(email);
  const { rows } = await admin.query('SELECT FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1', [
    email,
  ]);
  assert.deepEqual([first.body.status, rows.length], ['code_required', 0]);
});

test('guessed codes count against the same address limit as passwords', async () => {
  const address = '198.51.100.7';
  const { email } = await createTenant(database);
  const own = createBrowser(node.app);
  await own.signIn(email);
  const { body } = await own.api('POST', '/profile/two-factor', { password: testPassword });
  await own.api('POST', '/profile/two-factor/confirm', { code: totpOf(body.secret) });
  const browser = createBrowser(node.app, undefined, address);
  const limit = async () => {
    const text = `SELECT full_at AS at FROM guess_limits WHERE key = $1`;
    const [row] = (await admin.query<{ at: Date }>(text, [addressKey(address)])).rows;
    return Number(row?.at ?? 0);
  };
  assert.equal((await browser.send('POST', '/auth/sign-in/email', { email, password: 'wrong' })).status, 401);
  const afterPassword = await limit();
  await browser.signIn(email);
  const guess = () => browser.send('POST', '/auth/sign-in/code', { code: '000000' });
  assert.equal((await guess()).status, 401);
  assert.ok((await limit()) > afterPassword && afterPassword > 0);
  // Sets the state after this number of simultaneous guesses: real ones would take so long that the limit would admit
  // more.
  await admin.query(`UPDATE guess_limits SET full_at = now() + interval '1 hour' WHERE key = $1`, [
    addressKey(address),
  ]);
  assert.equal((await guess()).status, 429);
});

test('every event of an account is in the audit log of its organizations', async () => {
  const { email, orgId } = await createTenant(database);
  const browser = createBrowser(node.app);
  await browser.signIn(email);
  const { body } = await browser.api('POST', '/profile/two-factor', { password: testPassword });
  await browser.api('POST', '/profile/two-factor/confirm', { code: totpOf(body.secret) });
  const renewal = { password: testPassword, code: totpOf(body.secret, 1) };
  const { recovery_codes: codes } = (await browser.api('POST', '/profile/two-factor/recovery-codes', renewal)).body;
  await browser.api('POST', '/profile/two-factor/remove', { password: testPassword, code: codes[0] });
  const change = { current_password: testPassword, new_password: 'another horse battery' };
  await browser.api('PUT', '/profile/password', change);
  const other = createBrowser(node.app);
  await other.signIn(email, change.new_password);
  await browser.api('DELETE', '/profile/sessions');
  await browser.send('POST', '/auth/sign-out');
  const { rows } = await admin.query(
    `SELECT action, details->>'method' AS method, address FROM audit_events
     WHERE org_id = $1 AND action LIKE 'account.%' ORDER BY id`,
    [orgId],
  );
  assert.deepEqual(
    rows.map(({ action }) => action.replace('account.', '')),
    [
      ...['signed_in', 'two_factor_enabled', 'recovery_codes_renewed', 'recovery_code_used', 'two_factor_removed'],
      ...['password_changed', 'signed_in', 'session_ended', 'signed_out'],
    ],
  );
  assert.equal(rows[0].method, 'password');
  assert.ok(rows.every(({ address }) => String(address).startsWith('10.')));
});
