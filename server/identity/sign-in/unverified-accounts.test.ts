import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { createTestNode } from '../../../tests/harness/identity.ts';
import {
  createPerson,
  createTenant,
  createTestMember,
  createTokenFor,
  type Person,
  testPassword,
} from '../../../tests/harness/people.ts';
import { hashInvitationToken } from '../../organization/invitation-token.ts';
import { sendInvitation } from '../../organization/jobs.ts';
import { organizationRoutes } from '../../organization/routes.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import { type Browser, createBrowser } from '../browser.fixture.ts';
import { resetPassword } from '../commands/user-command.ts';
import { memberAccessRoutes } from '../member-access/routes.ts';
import { identityRoutes } from '../profile/routes.ts';
import { hashToken } from '../token.ts';
import { signInMailJobs } from './mail-jobs.ts';

const db = await createTestDatabase();
const { database } = db;
const routes = [...identityRoutes, ...organizationRoutes, ...memberAccessRoutes];
const mailing = (sendsMail: boolean) => createTestNode(database, routes, undefined, {}, undefined, {}, { sendsMail });
/** The same installation without and with a mail server. */
const [before, later] = [await mailing(false), await mailing(true)];
const admin = new pg.Client({ connectionString: db.adminUrl });
await admin.connect();
after(async () => {
  await before.close();
  await later.close();
  await admin.end();
  await db.drop();
});

type TestNode = typeof before;
const stolen = 'password of the attacker';
const own = 'password of the person';
let addresses = 0;
const newEmail = () => `ciso${++addresses}@bigcorp.example`;

/** Runs the waiting jobs like a worker, and returns the mails. */
async function work(writesFiles = false): Promise<Mail[]> {
  const mails: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void mails.push(mail), close: () => {}, writesFiles };
  const { rows } = await admin.query(
    `DELETE FROM graphile_worker._private_jobs j USING graphile_worker._private_tasks t
     WHERE t.id = j.task_id RETURNING t.identifier AS name, j.payload`,
  );
  for (const { name, payload } of rows) {
    const job = [sendInvitation, ...signInMailJobs].find((each) => each.name === name);
    await job?.run(payload as never, { database, mailer, baseUrl: 'https://assay.example.org' });
  }
  return mails;
}

const tokenOf = (text: string) => /token=([\w-]{43})/.exec(text)![1]!;

/**
 * Sends an invitation, and returns the token of the link: from the response when no mail is sent, else from the mail.
 */
async function invite(node: TestNode, { orgId, userId, token }: Person, email: string, role = 'analyst') {
  const response = await node.app.inject({
    method: 'POST',
    url: '/api/v1/organization/invitations',
    headers: { authorization: `Bearer ${token}` },
    payload: { email, role },
  });
  assert.equal(response.statusCode, 201, `${orgId} ${userId} ${response.body}`);
  const { url } = response.json();
  return tokenOf(url ?? (await work()).find(({ to }) => to === email)!.text);
}

const accept = (browser: Browser, token: string, password?: string) =>
  browser.send('POST', '/auth/accept-invitation', { token, ...(password !== undefined && { password }) });
const preview = async (node: TestNode, token: string, browser = createBrowser(node.app)) => {
  const { body } = await browser.send('POST', '/auth/invitation', { token });
  return [body.has_account, body.can_accept];
};

/** Signs in again and returns the organizations that the person has access to. */
async function organizationsOf(node: TestNode, email: string, password: string): Promise<string[]> {
  const browser = createBrowser(node.app);
  await browser.signIn(email, password);
  const { body } = await browser.api('GET', '/profile');
  return body.organizations?.map(({ id }: { id: string }) => id) ?? [];
}
const trySignIn = async (node: TestNode, email: string, password: string) =>
  (await createBrowser(node.app).send('POST', '/auth/sign-in/email', { email, password })).status;

/**
 * Creates an account with every kind of credential, which the owner of an organization made in another person's name.
 */
async function capture(node: TestNode) {
  const email = newEmail();
  const mallory = await createTenant(database, 'Mallory');
  const browser = createBrowser(node.app);
  const made = await accept(browser, await invite(node, mallory, email), stolen);
  assert.equal(made.status, 201, made.text);
  await browser.signIn(email, stolen);
  const userId: string = made.body.user.id;
  const token = await createTokenFor(database, mallory.orgId, userId);
  await admin.query(
    `INSERT INTO passkeys (id, user_id, name, public_key, credential_id, counter, device_type, backed_up)
     VALUES ('pk_' || $1, $1, 'x', 'x', 'c_' || $1, 0, 'x', false)`,
    [userId],
  );
  await admin.query(`INSERT INTO accounts (id, account_id, provider_id, user_id) VALUES ('a_' || $1, $1, 'oidc', $1)`, [
    userId,
  ]);
  return { email, mallory, browser, userId, token };
}

const waysInto = async (userId: string) =>
  Number(
    (
      await admin.query(
        `SELECT (SELECT count(*) FROM passkeys WHERE user_id = $1) + (SELECT count(*) FROM sessions WHERE user_id = $1)
              + (SELECT count(*) FROM accounts WHERE user_id = $1 AND provider_id <> 'credential')
              + (SELECT count(*) FROM two_factors WHERE user_id = $1)
              + (SELECT count(*) FROM api_tokens WHERE user_id = $1 AND revoked_at IS NULL) AS count`,
        [userId],
      )
    ).rows[0].count,
  );

test('without a mail server an account created before its owner arrives never gets access to the organization that invites the owner', async () => {
  const { email, mallory, browser, userId } = await capture(before);
  const company = await createTenant(database, 'Company');
  const link = await invite(before, company, email, 'admin');
  assert.deepEqual(await preview(before, link), [false, false]);
  assert.deepEqual(await preview(before, link, browser), [false, false]);
  const fromOther = await accept(browser, link);
  assert.deepEqual([fromOther.status, fromOther.body.error.details[0].field], [400, 'password']);
  const made = await accept(createBrowser(before.app), link, own);
  assert.equal(made.status, 201, made.text);
  assert.notEqual(made.body.user.id, userId);
  assert.deepEqual(await organizationsOf(before, email, stolen), [mallory.orgId]);
  assert.deepEqual(await organizationsOf(before, email, own), [company.orgId]);
  assert.deepEqual((await browser.api('GET', '/profile')).body.organizations.length, 1);
  assert.deepEqual((await browser.send('GET', '/auth/accounts')).body, { data: [] });
});

test('when a mail server is added later, the owner gets the created account, and all its former credentials end', async () => {
  const { email, mallory, browser, userId, token } = await capture(before);
  assert.ok((await waysInto(userId)) >= 4);
  // The attacker requests one too, without success: the link is in the owner's mail.
  assert.equal((await browser.api('POST', '/profile/email', { email })).status, 202);
  const [mail] = await work();
  assert.deepEqual([mail!.to, /Mallory/.test(mail!.text)], [email, true]);
  const owner = createBrowser(later.app);
  const reset = await owner.send('POST', '/auth/reset-password', { token: tokenOf(mail!.text), new_password: own });
  assert.equal(reset.status, 204, reset.text);
  assert.equal(await waysInto(userId), 0);
  assert.equal((await browser.api('GET', '/profile')).status, 401);
  const withToken = { authorization: `Bearer ${token}` };
  const byToken = await later.app.inject({ method: 'GET', url: '/api/v1/profile', headers: withToken });
  assert.equal(byToken.statusCode, 401);
  assert.equal(await trySignIn(later, email, stolen), 401);
  // Once verified, it accepts the other invitation, but only from its own session.
  const company = await createTenant(database, 'Company');
  const link = await invite(later, company, email);
  assert.deepEqual(await preview(later, link), [true, false]);
  const alone = await accept(createBrowser(later.app), link, 'a third password');
  assert.deepEqual([alone.status, alone.body.error.code], [409, 'already_exists']);
  await owner.signIn(email, own);
  assert.deepEqual(await preview(later, link, owner), [true, true]);
  assert.equal((await accept(owner, link)).body.user.id, userId);
  assert.deepEqual((await organizationsOf(later, email, own)).sort(), [mallory.orgId, company.orgId].sort());
  assert.equal(await trySignIn(later, email, stolen), 401);
});

test('a link that was only mailed verifies the address, and neither the inviter nor another organization gets access', async () => {
  const email = newEmail();
  const mallory = await createTenant(database, 'Mallory');
  const company = await createTenant(database, 'Company');
  const first = await invite(later, mallory, email);
  const second = await invite(later, company, email);
  const person = createBrowser(later.app);
  const made = await accept(person, first, own);
  assert.equal(made.status, 201, made.text);
  await person.signIn(email, own);
  assert.equal((await accept(person, second)).status, 201);
  assert.equal((await organizationsOf(later, email, own)).length, 2);
});

test('a link whose mail became a file, or that the inviter saw, does not verify', async () => {
  const email = newEmail();
  const tenant = await createTenant(database);
  await later.app.inject({
    method: 'POST',
    url: '/api/v1/organization/invitations',
    headers: { authorization: `Bearer ${tenant.token}` },
    payload: { email },
  });
  const [mail] = await work(true);
  await accept(createBrowser(later.app), tokenOf(mail!.text), own);
  await createBrowser(later.app).send('POST', '/auth/request-password-reset', { email });
  const [file] = await work(true);
  const next = { token: tokenOf(file!.text), new_password: 'chosen by the operator' };
  assert.equal((await createBrowser(later.app).send('POST', '/auth/reset-password', next)).status, 204);
  const { rows } = await admin.query('SELECT email_verified FROM users WHERE email = $1', [email]);
  assert.deepEqual(rows, [{ email_verified: false }]);
});

test('a resent invitation is accepted by its new link only, with what that link shows', async () => {
  const email = newEmail();
  const tenant = await createTenant(database);
  const seen = await invite(before, tenant, email);
  const { rows } = await admin.query('SELECT id FROM invitations WHERE email = $1', [email]);
  const path = `/api/v1/organization/invitations/${rows[0].id}/resend`;
  await later.app.inject({ method: 'POST', url: path, headers: { authorization: `Bearer ${tenant.token}` } });
  const mailed = tokenOf((await work())[0]!.text);
  assert.equal((await accept(createBrowser(later.app), seen, stolen)).status, 404);
  assert.equal((await accept(createBrowser(later.app), mailed, own)).status, 201);
  const users = await admin.query('SELECT email_verified FROM users WHERE email = $1', [email]);
  assert.deepEqual(users.rows, [{ email_verified: true }]);
});

test('a verified account accepts from its own session only, and a link that others saw reveals nothing about it', async () => {
  const person = await createTenant(database);
  const company = await createTenant(database, 'Company');
  const stranger = createBrowser(before.app);
  await stranger.signIn((await createTenant(database)).email);
  const link = await invite(before, company, person.email);
  assert.deepEqual(await preview(before, link), [false, false]);
  assert.equal((await accept(createBrowser(before.app), link)).status, 400);
  assert.equal((await accept(stranger, link)).status, 400);
  // The inviter follows the link and gets a separate account, as with any address.
  const separate = await accept(stranger, link, stolen);
  assert.equal(separate.status, 201);
  assert.notEqual(separate.body.user.id, person.userId);
  assert.deepEqual(await organizationsOf(before, person.email, stolen), [company.orgId]);
  assert.deepEqual(await organizationsOf(before, person.email, testPassword), [person.orgId]);
  const another = await createTenant(database, 'Another');
  const browser = createBrowser(before.app);
  await browser.signIn(person.email);
  const next = await invite(before, another, person.email);
  assert.deepEqual(await preview(before, next, browser), [false, true]);
  assert.equal((await accept(browser, next)).body.user.id, person.userId);
});

test('an unverified account has no access to a second organization, whatever the table of members says', async () => {
  const { email, userId, mallory, browser } = await capture(before);
  const company = await createTenant(database, 'Company');
  await admin.query(`INSERT INTO members (org_id, user_id, role) VALUES ($1, $2, 'owner')`, [company.orgId, userId]);
  const token = await createTokenFor(database, company.orgId, userId);
  const headers = { authorization: `Bearer ${token}` };
  assert.equal((await before.app.inject({ url: '/api/v1/profile', headers })).statusCode, 401);
  assert.deepEqual(await organizationsOf(before, email, stolen), [mallory.orgId]);
  const switched = await browser.api('PATCH', '/profile', { organization_id: company.orgId });
  assert.equal(switched.status, 400);
  const bearer = await admin.query('SELECT role FROM bearer_of_token($1)', [hashToken(token)]);
  assert.deepEqual(bearer.rows, [{ role: null }]);
  const { rows } = await admin.query('SELECT org_id FROM memberships_of_user($1)', [userId]);
  assert.deepEqual(rows, [{ org_id: mallory.orgId }]);
});

const refusalOf = ({ status, body }: { status: number; body: { error: { code: string } } }) =>
  `${status} ${body.error.code}`;

test('a generated password joins no accounts, accepts no invitation and changes no address', async () => {
  const { email, userId, mallory } = await capture(before);
  await createPerson(database, email);
  const owner = createBrowser(before.app);
  await owner.signIn(email);
  const { code } = (await owner.send('POST', '/auth/accounts/join-code', {})).body;
  const invitation = await invite(before, await createTenant(database, 'Company'), email);
  const { password } = await resetPassword(database, userId);
  const browser = createBrowser(before.app);
  await browser.signIn(email, password);
  await admin.query(
    `INSERT INTO sign_in_links (token_hash, kind, user_id, email, mailed, expires_at)
     VALUES ($1, 'email', $2, $3, false, now() + interval '1 hour')`,
    [hashInvitationToken('e'.repeat(43)), userId, newEmail()],
  );
  const refused = [
    await browser.send('GET', '/auth/accounts'),
    await browser.send('POST', '/auth/accounts/join-code', {}),
    await browser.send('POST', '/auth/accounts/join', { code }),
    await accept(browser, invitation),
    await browser.send('POST', '/auth/confirm-email', { token: 'e'.repeat(43) }),
  ].map(refusalOf);
  assert.deepEqual([...new Set(refused)], ['403 password_change_required'], refused.join());
  const change = { current_password: password, new_password: own };
  assert.equal((await browser.api('PUT', '/profile/password', change)).status, 204);
  assert.equal((await browser.send('POST', '/auth/accounts/join', { code })).status, 204);
  assert.deepEqual(await organizationsOf(before, email, testPassword), [mallory.orgId]);
});

test('a person who claims an account with a generated password chooses another one in doing so', async () => {
  const { email, userId, mallory } = await capture(later);
  await admin.query('UPDATE users SET email_verified = false, organization_id = $2 WHERE id = $1', [
    userId,
    mallory.orgId,
  ]);
  await resetPassword(database, userId);
  await createBrowser(later.app).send('POST', '/auth/request-password-reset', { email });
  const token = tokenOf((await work()).find(({ to }) => to === email)!.text);
  await createBrowser(later.app).send('POST', '/auth/reset-password', { token, new_password: own });
  const browser = createBrowser(later.app);
  await browser.signIn(email, own);
  assert.equal((await browser.api('GET', '/organization')).status, 200);
});

test('a session that an administrator ended, or that is older than 30 days, joins nothing', async () => {
  const { email, userId, browser } = await capture(before);
  await createPerson(database, email);
  const owner = createBrowser(before.app);
  await owner.signIn(email);
  const { code } = (await owner.send('POST', '/auth/accounts/join-code', {})).body;
  const join = async () => refusalOf(await browser.send('POST', '/auth/accounts/join', { code, password: stolen }));
  await admin.query('UPDATE members SET sessions_from = now() WHERE user_id = $1', [userId]);
  assert.equal(await join(), '401 unauthenticated');
  await admin.query('UPDATE members SET sessions_from = NULL WHERE user_id = $1', [userId]);
  await admin.query(`UPDATE sessions SET signed_in_at = now() - interval '31 days' WHERE user_id = $1`, [userId]);
  assert.equal(await join(), '401 unauthenticated');
});

test('the person joins an account of their address into their own from a session of each', async () => {
  const { email, userId, mallory, token } = await capture(before);
  const person = await createPerson(database, email);
  const mine = createBrowser(before.app);
  await mine.signIn(email);
  const { body: list } = await mine.send('GET', '/auth/accounts');
  assert.deepEqual(
    list.data.map(({ id, organizations }: { id: string; organizations: string[] }) => [id, organizations]),
    [[userId, ['Mallory']]],
  );
  await admin.query(
    `INSERT INTO finding_views (org_id, id, name, owner_id, private_to, filter)
     SELECT $1, 'viw_' || $2, 'Mine', $2, $2, '{}'`,
    [mallory.orgId, userId],
  );
  const { body } = await mine.send('POST', '/auth/accounts/join-code', {});
  const other = createBrowser(before.app);
  await other.signIn(email, stolen);
  const join = (browser: Browser, code = body.code) => browser.send('POST', '/auth/accounts/join', { code });
  assert.deepEqual([(await join(createBrowser(before.app))).status, (await join(other, 'x')).status], [401, 400]);
  assert.equal((await join(other)).status, 204);
  const { rows: moves } = await admin.query(
    `SELECT j.payload FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
     WHERE t.identifier = 'move-assignments'`,
  );
  assert.deepEqual(moves, [{ payload: { org_id: mallory.orgId, from: userId, into: person.id } }]);
  assert.deepEqual(await organizationsOf(before, email, testPassword), [mallory.orgId]);
  const views = await admin.query('SELECT private_to, owner_id FROM finding_views WHERE org_id = $1', [mallory.orgId]);
  assert.deepEqual(views.rows, [{ private_to: person.id, owner_id: person.id }]);
  assert.equal(await trySignIn(before, email, stolen), 401);
  assert.equal((await other.api('GET', '/profile')).status, 401);
  assert.equal(await waysInto(userId), 0);
  const headers = { authorization: `Bearer ${token}` };
  assert.equal((await before.app.inject({ url: '/api/v1/profile', headers })).statusCode, 401);
  assert.deepEqual((await mine.send('GET', '/auth/accounts')).body, { data: [] });
  const { rows } = await admin.query(
    `SELECT user_id, subject_id FROM audit_events WHERE org_id = $1 AND action = 'account.joined'`,
    [mallory.orgId],
  );
  assert.deepEqual(rows, [{ user_id: person.id, subject_id: userId }]);
});

test('accounts of different addresses, or without a verified one, are not joined, and a code expires with its session', async () => {
  const [one, two] = [await capture(before), await capture(before)];
  const verified = await createTenant(database);
  const browser = createBrowser(before.app);
  await browser.signIn(verified.email);
  const codeOf = async (by: Browser) => (await by.send('POST', '/auth/accounts/join-code', {})).body.code;
  for (const [from, code] of [
    [one.browser, await codeOf(browser)],
    [one.browser, await codeOf(two.browser)],
    [browser, await codeOf(one.browser)],
  ] as const) {
    const refused = await from.send('POST', '/auth/accounts/join', { code });
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'conflict']);
    assert.equal((await from.send('POST', '/auth/accounts/join', { code })).status, 400);
  }
  await createPerson(database, one.email);
  const owner = createBrowser(before.app);
  await owner.signIn(one.email);
  const code = await codeOf(owner);
  await owner.send('POST', '/auth/sign-out');
  assert.equal((await one.browser.send('POST', '/auth/accounts/join', { code })).status, 400);
});

test('one password for several accounts of an address asks for one of them, and signs in to each', async () => {
  const { email, mallory } = await capture(before);
  const company = await createTenant(database, 'Company');
  await accept(createBrowser(before.app), await invite(before, company, email), stolen);
  const browser = createBrowser(before.app);
  const asked = await browser.send('POST', '/auth/sign-in/email', { email, password: stolen });
  assert.equal(asked.body.status, 'account_required');
  assert.deepEqual(
    asked.body.accounts.map(({ organizations }: { organizations: string[] }) => organizations[0]).sort(),
    ['Company', 'Mallory'],
  );
  assert.equal(asked.headers['set-cookie'], undefined);
  const reached = [];
  for (const { id } of asked.body.accounts) {
    const chosen = await browser.send('POST', '/auth/sign-in/email', { email, password: stolen, user_id: id });
    assert.equal(chosen.body.user.id, id);
    reached.push((await browser.api('GET', '/profile')).body.organization.id);
  }
  assert.deepEqual(reached.sort(), [mallory.orgId, company.orgId].sort());
  const other = await createTenant(database);
  const foreign = { email, password: stolen, user_id: other.userId };
  assert.equal((await browser.send('POST', '/auth/sign-in/email', foreign)).body.status, 'account_required');
});

test('the time of a wrong password does not depend on how many accounts the address has', async () => {
  const { email } = await capture(before);
  for (let count = 0; count < 6; count++) {
    const tenant = await createTenant(database);
    const made = await accept(createBrowser(before.app), await invite(before, tenant, email), `${own} ${count}`);
    assert.equal(made.status, 201, made.text);
  }
  await createPerson(database, email);
  const times: Record<'many' | 'none', number[]> = { many: [], none: [] };
  for (let round = 0; round < 9; round++) {
    for (const [kind, address] of [
      ['many', email],
      ['none', `nobody${round}@example.com`],
    ] as const) {
      const startedAt = performance.now();
      assert.equal(await trySignIn(before, address, 'wrong one'), 401);
      times[kind].push(performance.now() - startedAt);
    }
  }
  const median = (list: number[]) => list.sort((a, b) => a - b)[4]!;
  const ratio = median(times.many) / median(times.none);
  assert.ok(ratio > 0.4 && ratio < 2.5, `${ratio} ${JSON.stringify(times)}`);
});

test('when accounts verify an address at the same time, one becomes verified and all are claimed', async () => {
  const { email } = await capture(before);
  for (let count = 0; count < 3; count++) {
    const tenant = await createTenant(database);
    await accept(createBrowser(before.app), await invite(before, tenant, email), stolen);
  }
  await createBrowser(later.app).send('POST', '/auth/request-password-reset', { email });
  const links = (await work()).map(({ text }) => tokenOf(text));
  assert.equal(links.length, 4);
  const resets = await Promise.all(
    links.map((token, index) =>
      createBrowser(later.app).send('POST', '/auth/reset-password', { token, new_password: `${own} ${index}` }),
    ),
  );
  assert.deepEqual(
    resets.map(({ status }) => status),
    [204, 204, 204, 204],
  );
  const { rows } = await admin.query(
    'SELECT count(*) FILTER (WHERE email_verified)::int AS verified FROM users WHERE email = $1',
    [email],
  );
  assert.equal(rows[0].verified, 1);
  assert.equal(await trySignIn(later, email, stolen), 401);
});

test('a removed member of an organization gets a new, empty account there, and the old one is retired', async () => {
  const { email, mallory, browser, userId } = await capture(before);
  await admin.query('DELETE FROM members WHERE user_id = $1', [userId]);
  const made = await accept(createBrowser(before.app), await invite(before, mallory, email), own);
  assert.equal(made.status, 201, made.text);
  assert.notEqual(made.body.user.id, userId);
  assert.equal(await trySignIn(before, email, stolen), 401);
  assert.equal((await browser.api('GET', '/profile')).status, 401);
});

test('for two people of an organization with one address, the one who verified it is meant', async () => {
  const tenant = await createTenant(database);
  const email = newEmail();
  await accept(createBrowser(before.app), await invite(before, tenant, email), stolen);
  const member = await createTestMember(database, tenant.orgId, 'analyst');
  await admin.query('UPDATE users SET email = $1 WHERE id = $2', [email, member.userId]);
  const { findMemberId } = await import('../../organization/queries.ts');
  const found = await database.transaction(tenant.orgId, (tx) => findMemberId(tx, tenant.orgId, email));
  assert.equal(found, member.userId);
});

test('a new address is confirmed only in a session of the account, and takes over no unverified account', async () => {
  const attacker = await createTenant(database);
  const browser = createBrowser(later.app);
  await browser.signIn(attacker.email);
  const email = newEmail();
  await browser.api('POST', '/profile/email', { email });
  const token = tokenOf((await work()).find(({ to }) => to === email)!.text);
  const victim = await createBrowser(later.app).send('POST', '/auth/confirm-email', { token });
  assert.deepEqual([victim.status, victim.body.error.code], [401, 'unauthenticated']);
  assert.equal((await browser.send('POST', '/auth/confirm-email', { token })).status, 200);
});

test('the unverified account of another address becomes that of the person who follows the link', async () => {
  const { browser, userId } = await capture(before);
  const email = newEmail();
  await browser.api('POST', '/profile/email', { email });
  const token = tokenOf((await work()).find(({ to }) => to === email)!.text);
  const without = await createBrowser(later.app).send('POST', '/auth/confirm-email', { token });
  assert.deepEqual([without.status, without.body.error.details[0].field], [400, 'new_password']);
  const confirmed = await createBrowser(later.app).send('POST', '/auth/confirm-email', { token, new_password: own });
  assert.deepEqual([confirmed.status, confirmed.body], [200, { email }]);
  assert.deepEqual([await trySignIn(later, email, stolen), await trySignIn(later, email, own)], [401, 200]);
  assert.equal(await waysInto(userId), 1);
});
