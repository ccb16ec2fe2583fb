import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { createTestNode } from '../../../tests/harness/identity.ts';
import { createPerson, createTenant, testPassword } from '../../../tests/harness/people.ts';
import { invitePerson, withdrawInvitation } from '../../organization/invite-person.ts';
import { sendInvitation } from '../../organization/jobs.ts';
import type { Role } from '../../organization/roles.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import { verifyPassword } from '../password.ts';
import { acceptInvitation } from './accept-invitation.ts';

const db = await createTestDatabase();
const { database } = db;
const admin = new pg.Client({ connectionString: db.adminUrl });
await admin.connect();
after(async () => {
  await admin.end();
  await db.drop();
});

/** Sends an invitation, and returns the token from the mail. */
async function invite(email: string, role: Role = 'analyst') {
  const owner = await createTenant(database);
  const inviter = { userId: owner.userId, tokenId: null, address: null, role: 'owner' as const };
  const { id } = await database.transaction(owner.orgId, (tx) =>
    invitePerson(tx, owner.orgId, inviter, { email, role }),
  );
  const mails: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void mails.push(mail), close: () => {} };
  const mail = async () => {
    await sendInvitation.run(
      { org_id: owner.orgId, invitation_id: id },
      { database, mailer, baseUrl: 'http://localhost' },
    );
    return /\?token=([\w-]+)/.exec(mails.at(-1)!.text)![1]!;
  };
  return { owner, inviter, id, mail, token: await mail() };
}

const memberRole = async (orgId: string, email: string) =>
  (
    await admin.query(
      'SELECT m.role FROM members m JOIN users u ON u.id = m.user_id WHERE m.org_id = $1 AND u.email = $2',
      [orgId, email],
    )
  ).rows[0]?.role;

const notOpen = { code: 'not_found' };

test('a person without an account gets one with their name and password, as argon2id in the sign-in table', async () => {
  const { token, owner } = await invite('grace@example.com', 'admin');
  const accepted = await acceptInvitation(database, token, { name: 'Grace Hopper', password: testPassword });
  assert.deepEqual([accepted.isNewUser, accepted.role, accepted.user.name], [true, 'admin', 'Grace Hopper']);
  assert.match(accepted.user.id, /^usr_/);
  assert.equal(await memberRole(owner.orgId, 'grace@example.com'), 'admin');
  const { rows } = await admin.query('SELECT provider_id, password FROM accounts WHERE user_id = $1', [
    accepted.user.id,
  ]);
  assert.equal(rows[0].provider_id, 'credential');
  assert.ok(await verifyPassword(rows[0].password, testPassword));
});

test('a verified account joins by its own session, and keeps its name and password', async () => {
  const person = await createPerson(database);
  const { token, owner } = await invite(person.email, 'viewer');
  const stranger = await createPerson(database);
  await assert.rejects(acceptInvitation(database, token, { userId: stranger.id }), /password: is needed/);
  const another = { name: 'Mallory', password: 'another password' };
  await assert.rejects(acceptInvitation(database, token, another), { code: 'already_exists' });
  const accepted = await acceptInvitation(database, token, { name: 'Mallory', userId: person.id });
  assert.deepEqual([accepted.isNewUser, accepted.user.id, accepted.user.name], [false, person.id, person.name]);
  assert.equal(await memberRole(owner.orgId, person.email), 'viewer');
  const { rows } = await admin.query('SELECT password FROM accounts WHERE user_id = $1', [person.id]);
  assert.ok(await verifyPassword(rows[0].password, testPassword));
});

test('a link works once, even when it is followed many times at once', async () => {
  const { token, owner } = await invite('once@example.com');
  const attempts = await Promise.allSettled(
    Array.from({ length: 8 }, () => acceptInvitation(database, token, { password: testPassword })),
  );
  assert.equal(attempts.filter(({ status }) => status === 'fulfilled').length, 1);
  assert.equal(await memberRole(owner.orgId, 'once@example.com'), 'analyst');
  await assert.rejects(acceptInvitation(database, token, { password: testPassword }), notOpen);
});

test('a link that was revoked, has expired or was invented does not work', async () => {
  const revoked = await invite('revoked@example.com');
  const { orgId } = revoked.owner;
  await database.transaction(orgId, (tx) => withdrawInvitation(tx, orgId, revoked.inviter, revoked.id));
  const expired = await invite('expired@example.com');
  await admin.query('UPDATE invitations SET expires_at = now() WHERE id = $1', [expired.id]);
  for (const token of [revoked.token, expired.token, 'x', '']) {
    await assert.rejects(acceptInvitation(database, token, { password: testPassword }), notOpen);
  }
});

test('when the mail is sent again, only its newer link works', async () => {
  const { token, mail } = await invite('again@example.com');
  const newer = await mail();
  await assert.rejects(acceptInvitation(database, token, { password: testPassword }), notOpen);
  assert.equal((await acceptInvitation(database, newer, { password: testPassword })).isNewUser, true);
});

test('a password that is missing or too short leaves the invitation open', async () => {
  const { token } = await invite('later@example.com');
  await assert.rejects(acceptInvitation(database, token, {}), /password: is needed/);
  await assert.rejects(acceptInvitation(database, token, { password: 'short' }), /8 to 128/);
  assert.equal((await acceptInvitation(database, token, { password: testPassword })).user.name, 'later');
});

test('the page behind the link reads it without using it, for a new and an existing account', async () => {
  const node = await createTestNode(database, []);
  const read = (token: string) => node.app.inject({ method: 'POST', url: '/auth/invitation', payload: { token } });
  const known = await createPerson(database);
  for (const [email, hasAccount] of [
    ['preview@example.com', false],
    [known.email, true],
  ] as const) {
    const { token, owner } = await invite(email, 'viewer');
    for (let times = 0; times < 2; times++) {
      const { role, invited_by, organization, ...rest } = (await read(token)).json();
      assert.deepEqual([role, organization, rest.email, rest.has_account], ['viewer', 'Example', email, hasAccount]);
      assert.equal(invited_by, owner.email.split('@')[0]);
    }
  }
  assert.equal((await read('no')).statusCode, 404);
  await node.close();
});

test('the page behind the link can accept it without any other credential, and then sign in', async () => {
  const { token, owner } = await invite('page@example.com', 'viewer');
  const node = await createTestNode(database, []);
  const post = (url: string, payload: object) => node.app.inject({ method: 'POST', url, payload });
  const wrong = await post('/auth/accept-invitation', { token, passwort: testPassword });
  assert.deepEqual([wrong.statusCode, wrong.json().error.details[0].field], [400, 'passwort']);
  const response = await post('/auth/accept-invitation', { token, name: 'Page', password: testPassword });
  assert.equal(response.statusCode, 201, response.body);
  assert.deepEqual([response.json().organization_id, response.json().role], [owner.orgId, 'viewer']);
  assert.equal((await post('/auth/accept-invitation', { token, password: testPassword })).statusCode, 404);
  assert.equal(
    (await post('/auth/sign-in/email', { email: 'page@example.com', password: testPassword })).statusCode,
    200,
  );
  await node.close();
});

test('wrong invitation tokens beyond 20 a minute are 429, but an open invitation can still be accepted from the address', async () => {
  const { token } = await invite('katherine@example.com');
  const node = await createTestNode(database, [], undefined, {}, { requestsPerMinute: 20, burstPerMinute: 40 });
  const accept = (payload: object) => node.app.inject({ method: 'POST', url: '/auth/accept-invitation', payload });
  // A slow machine takes long enough for some more to be admitted.
  let refused = await accept({ token: 'no' });
  let admitted = 0;
  for (; refused.statusCode === 404 && admitted < 100; admitted += 1)
    refused = await accept({ token: `no${admitted}` });
  assert.equal(refused.statusCode, 429);
  assert.ok(admitted >= 20, `${admitted} admitted`);
  assert.match(String(refused.headers['retry-after']), /^[1-9]\d*$/);
  assert.equal((await accept({ token, password: testPassword })).statusCode, 201);
  await node.close();
});
