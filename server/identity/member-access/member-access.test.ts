import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { call, createTestNode } from '../../../tests/harness/identity.ts';
import { createTenant, createTestMember, createTokenFor, testPassword } from '../../../tests/harness/people.ts';
import { within } from '../../../tests/harness/within.ts';
import { insertMember } from '../../organization/queries.ts';
import type { Role } from '../../organization/roles.ts';
import { organizationRoutes } from '../../organization/routes.ts';
import { newId } from '../../platform/id.ts';
import { createBrowser } from '../browser.fixture.ts';
import { identityRoutes } from '../profile/routes.ts';
import { memberAccessRoutes } from './routes.ts';

const db = await createTestDatabase();
const { database } = db;
const node = await createTestNode(database, [...organizationRoutes, ...identityRoutes, ...memberAccessRoutes]);
const admin = new pg.Client({ connectionString: db.adminUrl });
await admin.connect();
after(async () => {
  await node.close();
  await admin.end();
  await db.drop();
});

const statusAndCode = ({ status, body }: { status: number; body: { error?: { code: string } } | null }) =>
  `${status} ${body?.error?.code ?? 'ok'}`;
const pathOf = (userId: string, rest: string) => `/organization/members/${userId}/${rest}`;
const idsOf = ({ body }: { body: { data: { id: string }[] } }) => body.data.map(({ id }) => id);

/** A change takes effect with its notification, which the node gets within a second. */
const refuses = (request: () => Promise<Parameters<typeof statusAndCode>[0]>, expected: string) =>
  within(1_000, async () => statusAndCode(await request()) === expected);

async function signedIn(email: string) {
  const browser = createBrowser(node.app);
  await browser.signIn(email);
  return browser;
}

const join = (orgId: string, userId: string, role: Role = 'viewer') =>
  database.transaction(orgId, (tx) => insertMember(tx, orgId, userId, role));

/** Creates a person who belongs to two organizations and joined `first` first. */
async function createTwice() {
  const [first, second] = [await createTenant(database, 'First'), await createTenant(database, 'Second')];
  const person = await createTestMember(database, first.orgId, 'analyst');
  await join(second.orgId, person.userId);
  return { first, second, person, elsewhere: await createTokenFor(database, second.orgId, person.userId) };
}

test('a session can make someone an owner only with the password or, for a person without one, after a recent sign-in', async () => {
  const owner = await createTenant(database);
  const member = await createTestMember(database, owner.orgId, 'admin');
  const browser = await signedIn(owner.email);
  const change = (json: object) => browser.api('PATCH', `/organization/members/${member.userId}`, json);
  assert.equal((await change({ role: 'analyst' })).status, 200);
  assert.equal(statusAndCode(await change({ role: 'owner' })), '403 recent_sign_in_required');
  assert.equal((await change({ role: 'owner', password: 'wrong one' })).status, 400);
  assert.equal((await change({ role: 'owner', password: testPassword })).status, 200);
  await change({ role: 'admin' });
  await admin.query(`DELETE FROM accounts WHERE user_id = $1 AND provider_id = 'credential'`, [owner.userId]);
  assert.equal((await change({ role: 'owner' })).status, 200);
  await change({ role: 'admin' });
  await admin.query(`UPDATE sessions SET created_at = created_at - interval '16 minutes' WHERE user_id = $1`, [
    owner.userId,
  ]);
  assert.equal(statusAndCode(await change({ role: 'owner' })), '403 recent_sign_in_required');
});

test('a session can invite an owner only with the password', async () => {
  const owner = await createTenant(database);
  const browser = await signedIn(owner.email);
  const invite = (json: object) =>
    browser.api('POST', '/organization/invitations', { email: 'x@example.com', ...json });
  assert.equal((await invite({ role: 'admin' })).status, 201);
  assert.equal(statusAndCode(await invite({ role: 'owner' })), '403 recent_sign_in_required');
  assert.equal((await invite({ role: 'owner', password: 'wrong one' })).status, 400);
  assert.equal((await invite({ role: 'owner', password: testPassword })).status, 201);
});

test("an admin can list a member's tokens in the organization, without their secrets, and no others", async () => {
  const { first, second, person } = await createTwice();
  const ours = await call(node, first.token, 'GET', pathOf(person.userId, 'tokens'));
  const theirs = await call(node, second.token, 'GET', pathOf(person.userId, 'tokens'));
  assert.deepEqual([idsOf(ours).length, idsOf(theirs).length], [1, 1]);
  assert.notDeepEqual(idsOf(ours), idsOf(theirs));
  assert.deepEqual(Object.keys(ours.body.data[0]).sort(), [
    'created_at',
    'expires_at',
    'id',
    'last_used_at',
    'name',
    'scopes',
  ]);
  await createTokenFor(database, first.orgId, person.userId);
  const page = await call(node, first.token, 'GET', pathOf(person.userId, 'tokens?limit=1'));
  const next = await call(
    node,
    first.token,
    'GET',
    pathOf(person.userId, `tokens?limit=1&next_cursor=${page.body.next_cursor}`),
  );
  assert.deepEqual([idsOf(next), next.body.next_cursor], [idsOf(ours), null]);
  const ofAnother = pathOf(first.userId, `tokens?limit=1&next_cursor=${page.body.next_cursor}`);
  assert.equal(statusAndCode(await call(node, first.token, 'GET', ofAnother)), '400 invalid_cursor');
});

test('a token that an admin revokes is refused by the next request, and only that one', async () => {
  const { first, person, elsewhere } = await createTwice();
  const kept = await createTokenFor(database, first.orgId, person.userId);
  assert.equal((await call(node, person.token, 'GET', '/organization')).status, 200);
  const [, oldest] = idsOf(await call(node, first.token, 'GET', pathOf(person.userId, 'tokens')));
  const path = pathOf(person.userId, `tokens/${oldest}`);
  assert.equal((await call(node, first.token, 'DELETE', path)).status, 204);
  await refuses(() => call(node, person.token, 'GET', '/organization'), '401 token_revoked');
  for (const token of [kept, elsewhere]) assert.equal((await call(node, token, 'GET', '/organization')).status, 200);
  assert.equal(statusAndCode(await call(node, first.token, 'DELETE', path)), '404 not_found');
});

test('the tokens of another member, organization or kind are not found', async () => {
  const { first, second, person } = await createTwice();
  const [own] = idsOf(await call(node, first.token, 'GET', pathOf(first.userId, 'tokens')));
  const [foreign] = idsOf(await call(node, second.token, 'GET', pathOf(person.userId, 'tokens')));
  for (const id of [own, foreign, newId('tok'), person.userId, 'nonsense']) {
    const response = await call(node, first.token, 'DELETE', pathOf(person.userId, `tokens/${id}`));
    assert.equal(statusAndCode(response), '404 not_found', id);
  }
  for (const id of [second.userId, newId('usr'), first.orgId, 'nonsense']) {
    for (const [method, rest] of [
      ['GET', 'tokens'],
      ['DELETE', `tokens/${own}`],
      ['GET', 'sessions'],
      ['DELETE', 'sessions'],
    ] as const) {
      const response = await call(node, first.token, method, pathOf(id, rest));
      assert.equal(statusAndCode(response), '404 not_found', `${method} ${id} ${rest}`);
    }
  }
  assert.equal((await call(node, first.token, 'GET', '/organization')).status, 200);
});

test('sessions that an admin ended are refused by the next request, and the person signs in again', async () => {
  const owner = await createTenant(database);
  const person = await createTestMember(database, owner.orgId, 'analyst');
  const browsers = [await signedIn(person.email), await signedIn(person.email)];
  for (const browser of browsers) assert.equal((await browser.api('GET', '/organization')).status, 200);
  const list = await call(node, owner.token, 'GET', pathOf(person.userId, 'sessions'));
  assert.deepEqual(
    list.body.data.map((session: { is_current: boolean; user_agent: string }) => [
      session.is_current,
      session.user_agent,
    ]),
    [
      [false, 'Test browser'],
      [false, 'Test browser'],
    ],
  );
  const page = await call(node, owner.token, 'GET', pathOf(person.userId, 'sessions?limit=1'));
  assert.deepEqual([idsOf(page), typeof page.body.next_cursor], [idsOf(list).slice(0, 1), 'string']);
  assert.equal((await call(node, owner.token, 'DELETE', pathOf(person.userId, 'sessions'))).status, 204);
  for (const browser of browsers) await refuses(() => browser.api('GET', '/organization'), '401 unauthenticated');
  assert.deepEqual(idsOf(await call(node, owner.token, 'GET', pathOf(person.userId, 'sessions'))), []);
  const { rows } = await admin.query('SELECT id FROM sessions WHERE user_id = $1', [person.userId]);
  assert.deepEqual(rows, [], 'nothing is left of the sessions of a person who belongs to no other organization');
  const again = await signedIn(person.email);
  assert.equal((await again.api('GET', '/organization')).status, 200);
  assert.equal(idsOf(await call(node, owner.token, 'GET', pathOf(person.userId, 'sessions'))).length, 1);
  assert.equal((await call(node, person.token, 'GET', '/organization')).status, 200);
});

test("an admin ends the sessions of a person of several organizations only for the admin's own organization", async () => {
  const { first, second, person } = await createTwice();
  const [here, there] = [await signedIn(person.email), await signedIn(person.email)];
  assert.equal((await there.api('PATCH', '/profile', { organization_id: second.orgId })).status, 200);
  assert.equal((await here.api('PATCH', '/profile', { organization_id: first.orgId })).status, 200);
  const unchosen = await signedIn(person.email);
  assert.equal((await call(node, first.token, 'DELETE', pathOf(person.userId, 'sessions'))).status, 204);
  await refuses(() => here.api('GET', '/organization'), '401 unauthenticated');
  assert.equal((await there.api('GET', '/organization')).body.name, 'Second');
  assert.equal((await unchosen.api('GET', '/organization')).body.name, 'Second');
  const back = await there.api('PATCH', '/profile', { organization_id: first.orgId });
  assert.deepEqual([back.status, back.body.error.details[0].field], [400, 'organization_id']);
  assert.equal((await there.api('GET', '/organization')).body.name, 'Second');
  assert.deepEqual(idsOf(await call(node, first.token, 'GET', pathOf(person.userId, 'sessions'))), []);
  assert.equal(idsOf(await call(node, second.token, 'GET', pathOf(person.userId, 'sessions'))).length, 3);
});

test('an account without access to the organization has no sessions listed there', async () => {
  const { first, second, person } = await createTwice();
  await signedIn(person.email);
  await admin.query('UPDATE users SET email_verified = false, organization_id = $2 WHERE id = $1', [
    person.userId,
    second.orgId,
  ]);
  assert.deepEqual(idsOf(await call(node, first.token, 'GET', pathOf(person.userId, 'sessions'))), []);
  assert.equal((await call(node, first.token, 'DELETE', pathOf(person.userId, 'sessions'))).status, 204);
  assert.equal(idsOf(await call(node, second.token, 'GET', pathOf(person.userId, 'sessions'))).length, 1);
});

test('an admin acts on members up to the admin role: an owner keeps tokens and sessions', async () => {
  const owner = await createTenant(database);
  const deputy = await createTestMember(database, owner.orgId, 'admin');
  const peer = await createTestMember(database, owner.orgId, 'admin');
  const browser = await signedIn(owner.email);
  const [tokenId] = idsOf(await call(node, deputy.token, 'GET', pathOf(owner.userId, 'tokens')));
  for (const rest of [`tokens/${tokenId}`, 'sessions']) {
    const response = await call(node, deputy.token, 'DELETE', pathOf(owner.userId, rest));
    assert.equal(statusAndCode(response), '403 forbidden', rest);
  }
  assert.equal((await call(node, owner.token, 'GET', '/organization')).status, 200);
  assert.equal((await browser.api('GET', '/organization')).status, 200);
  assert.equal((await call(node, deputy.token, 'DELETE', pathOf(peer.userId, 'sessions'))).status, 204);
  await database.transaction(owner.orgId, (tx) =>
    tx.query({ text: `UPDATE members SET role = 'viewer' WHERE user_id = $1`, values: [deputy.userId] }),
  );
  // The node may still have the former role in its cache: the check is in the transaction.
  const stale = await call(node, deputy.token, 'DELETE', pathOf(peer.userId, 'sessions'));
  assert.equal(statusAndCode(stale), '403 forbidden');
});
