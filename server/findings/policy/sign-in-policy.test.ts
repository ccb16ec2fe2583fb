import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { call, createTestNode } from '../../../tests/harness/identity.ts';
import { createTenant, createTestMember, createTokenFor, testPassword } from '../../../tests/harness/people.ts';
import { within } from '../../../tests/harness/within.ts';
import { createBrowser } from '../../identity/browser.fixture.ts';
import { identityRoutes } from '../../identity/profile/routes.ts';
import { totpOf } from '../../identity/totp.fixture.ts';
import { resetSignInPolicy } from '../../organization/organization-command.ts';
import { insertMember } from '../../organization/queries.ts';
import { organizationRoutes } from '../../organization/routes.ts';
import { defaultSignInPolicy, sessionRefusal, signInMethods } from '../../organization/sign-in-policy.ts';
import { policyRoutes } from './policy-routes.ts';

const db = await createTestDatabase();
const { database } = db;
const routes = [...identityRoutes, ...organizationRoutes, ...policyRoutes];
const nodes = [await createTestNode(database, routes), await createTestNode(database, routes)];
const [node, other] = nodes as [(typeof nodes)[0], (typeof nodes)[0]];
const admin = new pg.Client({ connectionString: db.adminUrl });
await admin.connect();
after(async () => {
  for (const each of nodes) await each.close();
  await admin.end();
  await db.drop();
});

/** Replaces the sign-in policy with a token of the owner, whose own request the policy may refuse. */
async function setPolicy(token: string, changes: object) {
  const { body: policy } = await call(node, token, 'GET', '/organization/policy');
  const body = { ...policy, sign_in: { ...policy.sign_in, ...changes }, lock_out: true };
  const response = await call(node, token, 'PUT', '/organization/policy', body);
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body;
}

async function signedIn(email: string, on = node) {
  const browser = createBrowser(on.app);
  await browser.signIn(email);
  return browser;
}

const outcome = ({ status, body }: { status: number; body: { error?: { code: string } } | null }) =>
  body?.error ? `${status} ${body.error.code}` : String(status);

/** A change of permissions takes effect on every node within a second. */
const soon = (read: () => Promise<string>, expected: string) => within(1_000, async () => (await read()) === expected);

test('an organization without a policy accepts every sign-in; a policy without sign_in keeps that part', async () => {
  const { token } = await createTenant(database);
  const first = await call(node, token, 'GET', '/organization/policy');
  assert.deepEqual(first.body.sign_in, defaultSignInPolicy);
  const set = await setPolicy(token, { token_longest_days: 90 });
  assert.equal(set.sign_in.token_longest_days, 90);
  const { sign_in: _, ...old } = set;
  const replaced = await call(node, token, 'PUT', '/organization/policy', { ...old, test_grace_days: 3 });
  assert.equal(replaced.body.sign_in.token_longest_days, 90);
  assert.notEqual(replaced.headers.etag, first.headers.etag);
});

test('each condition refuses the sessions that do not meet it, and no others', () => {
  const refused = (changes: object) =>
    signInMethods.flatMap((method) =>
      [false, true]
        .filter((secondFactor) => sessionRefusal({ ...defaultSignInPolicy, ...changes }, { method, secondFactor }))
        .map((secondFactor) => `${method} ${secondFactor}`),
    );
  assert.deepEqual(refused({}), []);
  assert.deepEqual(
    refused({ second_factor: true }),
    signInMethods.map((method) => `${method} false`),
  );
  assert.ok(refused({ single_sign_on: true }).every((session) => !session.startsWith('single_sign_on')));
  assert.equal(refused({ single_sign_on: true }).length, 8);
  assert.ok(refused({ password: false }).every((session) => !/^(passkey|single)/.test(session)));
  assert.equal(refused({ password: false }).length, 6);
  const old = { method: null, secondFactor: false };
  assert.ok(sessionRefusal({ ...defaultSignInPolicy, password: false }, old));
});

test('a session without a required second factor has no access to the organization on any node, and full access once it is set up', async () => {
  const { orgId, token } = await createTenant(database);
  const { email } = await createTestMember(database, orgId, 'analyst');
  const browser = await signedIn(email);
  const elsewhere = createBrowser(other.app);
  await elsewhere.signIn(email);
  assert.equal((await elsewhere.api('GET', '/organization/members')).status, 200);
  await setPolicy(token, { second_factor: true });
  await soon(async () => outcome(await elsewhere.api('GET', '/organization/members')), '403 second_factor_required');
  await soon(async () => outcome(await browser.api('GET', '/organization')), '403 second_factor_required');
  assert.equal(
    outcome(await browser.api('POST', '/profile/tokens', { name: 'A way around' })),
    '403 second_factor_required',
  );
  const profile = await browser.api('GET', '/profile');
  assert.deepEqual([profile.status, profile.body.sign_in_refusal.code], [200, 'second_factor_required']);
  assert.match(profile.body.sign_in_refusal.message, /Set one up in your profile/);

  const { secret } = (await browser.api('POST', '/profile/two-factor', { password: testPassword })).body;
  assert.equal((await browser.api('POST', '/profile/two-factor/confirm', { code: totpOf(secret) })).status, 204);
  assert.equal((await browser.api('GET', '/organization')).status, 200);
  assert.equal((await browser.api('GET', '/profile')).body.sign_in_refusal, null);
  const changed = { current_password: testPassword, new_password: `${testPassword} again` };
  assert.equal((await browser.api('PUT', '/profile/password', changed)).status, 204);
  assert.equal((await browser.api('GET', '/organization')).status, 200, 'a new password forgot the second factor');
  const removed = await browser.api('POST', '/profile/two-factor/remove', {
    password: changed.new_password,
    code: totpOf(secret, 1),
  });
  assert.equal(removed.status, 204, removed.text);
  await soon(async () => outcome(await browser.api('GET', '/organization')), '403 second_factor_required');
});

test('the policy of one organization does not affect another one of the same person', async () => {
  const strict = await createTenant(database, 'Strict');
  const { email, userId, orgId, token } = await createTestMember(database, strict.orgId, 'viewer');
  const lenient = await createTenant(database, 'Lenient');
  await database.transaction(lenient.orgId, (tx) => insertMember(tx, lenient.orgId, userId, 'viewer'));
  await setPolicy(strict.token, { second_factor: true, allowed_addresses: ['192.0.2.0/24'] });
  const browser = await signedIn(email);
  assert.equal(outcome(await browser.api('GET', '/organization')), '403 address_not_allowed');
  const switched = await browser.api('PATCH', '/profile', { organization_id: lenient.orgId });
  assert.deepEqual([switched.status, switched.body.sign_in_refusal], [200, null]);
  assert.equal((await browser.api('GET', '/organization')).body.id, lenient.orgId);
  const back = await browser.api('PATCH', '/profile', { organization_id: orgId });
  assert.deepEqual([back.status, back.body.sign_in_refusal.code], [200, 'address_not_allowed']);
  assert.equal(outcome(await call(node, token, 'GET', '/profile')), '403 address_not_allowed');
  const theirs = await createTokenFor(database, lenient.orgId, userId);
  assert.equal((await call(node, theirs, 'GET', '/organization')).status, 200);
});

test('tokens and sessions are accepted from listed addresses only, within a second on every node', async () => {
  const { token, email } = await createTenant(database);
  const from = (on: typeof node, remoteAddress: string) =>
    on.app.inject({ url: '/api/v1/organization', remoteAddress, headers: { authorization: `Bearer ${token}` } });
  for (const each of nodes) assert.equal((await from(each, '203.0.113.9')).statusCode, 200);
  await setPolicy(token, { allowed_addresses: ['127.0.0.1', '192.0.2.0/24', '2001:db8::/32'] });
  await soon(async () => String((await from(other, '203.0.113.9')).statusCode), '403');
  for (const address of ['192.0.2.200', '::ffff:192.0.2.200', '2001:db8:9::1']) {
    assert.equal((await from(other, address)).statusCode, 200, address);
  }
  for (const address of ['192.0.3.1', '2001:db9::1', '::ffff:203.0.113.9']) {
    assert.equal((await from(node, address)).statusCode, 403, address);
  }
  const outside = await signedIn(email);
  assert.equal(outcome(await outside.api('GET', '/organization')), '403 address_not_allowed');
  const inside = createBrowser(node.app, undefined, '192.0.2.44');
  await inside.signIn(email);
  assert.equal((await inside.api('GET', '/organization')).status, 200);
});

test('a change that would refuse the request itself needs lock_out, and the operator can undo it', async () => {
  const { token, orgId, email } = await createTenant(database);
  const { body: policy } = await call(node, token, 'GET', '/organization/policy');
  const put = (sign_in: object, more: object = {}) =>
    call(node, token, 'PUT', '/organization/policy', {
      ...policy,
      sign_in: { ...policy.sign_in, ...sign_in },
      ...more,
    });
  const refused = await put({ allowed_addresses: ['192.0.2.0/24'] });
  assert.equal(outcome(refused), '409 conflict');
  assert.match(refused.body.error.message, /127\.0\.0\.1.*"lock_out": true/s);
  assert.equal((await put({ allowed_addresses: ['127.0.0.0/8'] })).status, 200);
  const browser = createBrowser(node.app, undefined, '127.0.0.1');
  await browser.signIn(email);
  const own = { ...policy, sign_in: { ...policy.sign_in, second_factor: true } };
  assert.equal(outcome(await browser.api('PUT', '/organization/policy', own)), '409 conflict');
  assert.equal((await browser.api('PUT', '/organization/policy', { ...own, lock_out: true })).status, 200);
  await soon(async () => outcome(await browser.api('GET', '/organization')), '403 second_factor_required');
  assert.equal((await put({ allowed_addresses: ['192.0.2.0/24'] }, { lock_out: true })).status, 200);
  await soon(async () => outcome(await call(node, token, 'GET', '/organization')), '403 address_not_allowed');
  await resetSignInPolicy(database, orgId);
  await soon(async () => outcome(await call(other, token, 'GET', '/organization')), '200');
  await soon(async () => outcome(await browser.api('GET', '/organization')), '200');
  const { rows } = await admin.query(
    `SELECT user_id, after FROM audit_events WHERE org_id = $1 AND action = 'policy.updated' ORDER BY id DESC LIMIT 1`,
    [orgId],
  );
  assert.deepEqual([rows[0].user_id, rows[0].after.sign_in.allowed_addresses], [null, []]);
});

test('a policy that nobody could meet, or with a text that is not an address, is refused', async () => {
  const { token } = await createTenant(database);
  const { body: policy } = await call(node, token, 'GET', '/organization/policy');
  const fields = async (changes: object) => {
    const body = { ...policy, sign_in: { ...policy.sign_in, ...changes }, lock_out: true };
    return (await call(node, token, 'PUT', '/organization/policy', body)).body.error?.details?.[0]?.field;
  };
  assert.equal(await fields({ single_sign_on: true }), 'sign_in.single_sign_on');
  assert.equal(await fields({ allowed_addresses: ['127.0.0.1', 'example.com'] }), 'sign_in.allowed_addresses[1]');
  assert.equal(await fields({ token_longest_days: 0 }), 'sign_in.token_longest_days');
});

test('a token ends when the policy says so, whatever its own expiry, and new ones cannot outlive it', async () => {
  const { token, orgId, userId, email } = await createTenant(database);
  const old = await createTokenFor(database, orgId, userId);
  await admin.query(
    `UPDATE api_tokens SET created_at = now() - interval '10 days' WHERE id = (SELECT max(id) FROM api_tokens WHERE org_id = $1)`,
    [orgId],
  );
  await setPolicy(token, { token_longest_days: 9 });
  await soon(async () => outcome(await call(node, old, 'GET', '/organization')), '401 token_expired');
  assert.equal((await call(node, token, 'GET', '/organization')).status, 200);
  const browser = await signedIn(email);
  const inDays = (days: number) => `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19)}Z`;
  const late = await browser.api('POST', '/profile/tokens', { name: 'Late', expires_at: inDays(10) });
  assert.deepEqual([late.status, late.body.error.details[0].field], [400, 'expires_at']);
  const made = await browser.api('POST', '/profile/tokens', { name: 'Made' });
  assert.equal(made.status, 201, made.text);
  assert.equal(made.body.expires_at.slice(0, 10), inDays(9).slice(0, 10));
  await setPolicy(token, { token_longest_days: 11 });
  await soon(async () => outcome(await call(node, old, 'GET', '/organization')), '200');
  const listed = (await browser.api('GET', '/profile/tokens')).body.data.at(-2);
  assert.equal(listed.expires_at.slice(0, 10), inDays(1).slice(0, 10));
});

test('a session ends 30 days after the sign-in, however much it is used', async () => {
  const { email } = await createTenant(database);
  const browser = await signedIn(email);
  const age = (days: number) =>
    admin.query(
      `UPDATE sessions s SET signed_in_at = now() - make_interval(days => $2) FROM users u WHERE u.id = s.user_id AND u.email = $1`,
      [email, days],
    );
  await age(29);
  const { body } = await browser.send('GET', '/auth/session');
  const left = Date.parse(body.expires_at) - Date.now();
  assert.ok(left > 0 && left <= 86_400_000, body.expires_at);
  assert.equal((await browser.api('GET', '/profile/sessions')).body.data[0].expires_at, body.expires_at);
  await age(30);
  assert.equal((await browser.send('GET', '/auth/session')).body.user, null);
  await soon(async () => outcome(await browser.api('GET', '/profile')), '401 unauthenticated');
});
