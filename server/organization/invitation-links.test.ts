import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../tests/harness/database.ts';
import { call, createTestNode } from '../../tests/harness/identity.ts';
import { createTenant, createTestMember } from '../../tests/harness/people.ts';
import { memberAccessRoutes } from '../identity/member-access/routes.ts';
import { organizationRoutes } from './routes.ts';

const db = await createTestDatabase();
const { database } = db;
const routes = [...organizationRoutes, ...memberAccessRoutes];
const mailing = await createTestNode(database, routes);
const silent = await createTestNode(database, routes, undefined, {}, undefined, {}, { sendsMail: false });
const admin = new pg.Client({ connectionString: db.adminUrl });
await admin.connect();
after(async () => {
  await mailing.close();
  await silent.close();
  await admin.end();
  await db.drop();
});

const invitations = '/organization/invitations';
const invite = (node: typeof mailing, token: string, email: string, role = 'analyst') =>
  call(node, token, 'POST', invitations, { email, role });
const resend = (node: typeof mailing, token: string, id: string) =>
  call(node, token, 'POST', `${invitations}/${id}/resend`);
const accept = (url: string) =>
  silent.app.inject({
    method: 'POST',
    url: '/auth/accept-invitation',
    payload: { token: new URL(url).searchParams.get('token'), password: 'correct horse battery' },
  });
const mails = async () =>
  (await admin.query(`SELECT count(*)::int AS n FROM graphile_worker.jobs WHERE task_identifier = 'send-invitation'`))
    .rows[0].n;

test('without a mail server, an invitation returns its link once, and the link works once', async () => {
  const owner = await createTenant(database);
  const before = await mails();
  const created = await invite(silent, owner.token, 'grace@example.com');
  assert.match(created.body.url, /^http:\/\/127\.0\.0\.1:8080\/accept-invitation\?token=[\w-]{43}$/);
  assert.equal(await mails(), before);
  const listed = await call(silent, owner.token, 'GET', invitations);
  assert.doesNotMatch(JSON.stringify(listed.body), /token/);
  assert.equal((await accept(created.body.url)).statusCode, 201);
  assert.equal((await accept(created.body.url)).statusCode, 404);
});

test('an Idempotency-Key stores no link', async () => {
  const owner = await createTenant(database);
  const headers = { authorization: `Bearer ${owner.token}`, 'idempotency-key': 'once' };
  const send = () =>
    silent.app.inject({ method: 'POST', url: `/api/v1${invitations}`, headers, payload: { email: 'key@example.com' } });
  const token = new URL((await send()).json().url).searchParams.get('token')!;
  assert.ok(!(await send()).body.includes(token));
  const { rows } = await admin.query('SELECT * FROM idempotency_keys');
  assert.ok(!JSON.stringify(rows).includes(token));
});

test('with a mail server, the link is only in the mail', async () => {
  const owner = await createTenant(database);
  const before = await mails();
  const created = await invite(mailing, owner.token, 'mail@example.com');
  const again = await resend(mailing, owner.token, created.body.id);
  assert.deepEqual([created.body.url, again.status, again.body.url], [null, 200, null]);
  // The waiting mail will contain the newest link; another mail would invalidate it.
  assert.equal(await mails(), before + 1);
});

test('sending an invitation again revives an expired one, and its old link stops working', async () => {
  const owner = await createTenant(database);
  const created = await invite(silent, owner.token, 'late@example.com');
  await admin.query(`UPDATE invitations SET expires_at = now() - interval '1 day' WHERE id = $1`, [created.body.id]);
  const again = await resend(silent, owner.token, created.body.id);
  assert.deepEqual([again.body.id, again.body.status], [created.body.id, 'pending']);
  assert.notEqual(again.body.url, created.body.url);
  assert.equal((await accept(created.body.url)).statusCode, 404);
  assert.equal((await accept(again.body.url)).statusCode, 201);
});

test("an invitation that was accepted or revoked, is above one's own role, or is of another organization is not sent again", async () => {
  const owner = await createTenant(database);
  const deputy = await createTestMember(database, owner.orgId, 'admin');
  const other = await createTenant(database);
  const refusal = async (token: string, id: string) => (await resend(silent, token, id)).body.error.code;

  const accepted = await invite(silent, owner.token, 'done@example.com');
  await accept(accepted.body.url);
  assert.equal(await refusal(owner.token, accepted.body.id), 'conflict');
  const revoked = await invite(silent, owner.token, 'gone@example.com');
  await call(silent, owner.token, 'DELETE', `${invitations}/${revoked.body.id}`);
  assert.equal(await refusal(owner.token, revoked.body.id), 'conflict');
  const high = await invite(silent, owner.token, 'boss@example.com', 'owner');
  assert.equal(await refusal(deputy.token, high.body.id), 'forbidden');
  assert.equal(await refusal(other.token, high.body.id), 'not_found');
  assert.equal((await accept(high.body.url)).statusCode, 201);
});

test('an administrator can rename the organization, and no lower role can', async () => {
  const owner = await createTenant(database, 'Before');
  const analyst = await createTestMember(database, owner.orgId, 'analyst');
  const other = await createTenant(database, 'Other');
  const rename = (token: string, json: object) => call(mailing, token, 'PATCH', '/organization', json);
  assert.equal((await rename(analyst.token, { name: 'Mine' })).body.error.code, 'forbidden');
  assert.equal((await rename(owner.token, {})).status, 400);
  assert.equal((await rename(owner.token, { name: ' \u202e ' })).status, 400);
  assert.equal((await rename(owner.token, { name: '  After ' })).body.name, 'After');
  assert.equal((await call(mailing, owner.token, 'GET', '/organization')).body.name, 'After');
  assert.equal((await call(mailing, other.token, 'GET', '/organization')).body.name, 'Other');
});
