import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../tests/harness/database.ts';
import { call, createTestNode } from '../../tests/harness/identity.ts';
import { createPerson, createTenant, createTestMember } from '../../tests/harness/people.ts';
import { memberAccessRoutes } from '../identity/member-access/routes.ts';
import type { Mail, Mailer } from '../platform/mail/mail.ts';
import { organizationTicks, sendInvitation } from './jobs.ts';
import { insertMember } from './queries.ts';
import { organizationRoutes } from './routes.ts';

const db = await createTestDatabase();
const { database } = db;
const node = await createTestNode(database, [...organizationRoutes, ...memberAccessRoutes]);
const admin = new pg.Client({ connectionString: db.adminUrl });
await admin.connect();
after(async () => {
  await node.close();
  await admin.end();
  await db.drop();
});

const statusAndCode = ({ status, body }: Awaited<ReturnType<typeof call>>) => `${status} ${body?.error?.code ?? 'ok'}`;
const invite = (token: string, body: object) => call(node, token, 'POST', '/organization/invitations', body);

/** The end of the transport: collects the mails that the job sends. */
function collect() {
  const mails: Mail[] = [];
  const mailer: Mailer = { send: async (mail) => void mails.push(mail), close: () => {} };
  return { mails, services: { database, mailer, baseUrl: 'https://assay.example.org/' } };
}

const jobsOf = async (orgId: string) =>
  (
    await admin.query(
      `SELECT p.payload FROM graphile_worker._private_jobs p JOIN graphile_worker._private_tasks t ON t.id = p.task_id
       WHERE t.identifier = 'send-invitation' AND p.payload->>'org_id' = $1 ORDER BY p.id`,
      [orgId],
    )
  ).rows.map(({ payload }) => payload as { org_id: string; invitation_id: string });

test('an invitation is pending for 7 days and its mail is enqueued with it', async () => {
  const owner = await createTenant(database);
  const { status, body } = await invite(owner.token, { email: ' Grace.Hopper@Example.COM ' });
  assert.equal(status, 201);
  assert.equal(body.email, 'grace.hopper@example.com');
  assert.equal(body.role, 'analyst');
  assert.equal(body.status, 'pending');
  assert.equal(body.invited_by.id, owner.userId);
  assert.equal(Date.parse(body.expires_at) - Date.parse(body.created_at), 7 * 86_400_000);
  assert.deepEqual(await jobsOf(owner.orgId), [{ org_id: owner.orgId, invitation_id: body.id }]);
});

test('the mail has a link whose token is stored nowhere in clear text', async () => {
  const owner = await createTenant(database, 'Tom & <b>Jerry</b>\u2028Inc.');
  await invite(owner.token, { email: 'ada@example.com' });
  const { mails, services } = collect();
  const [job] = await jobsOf(owner.orgId);
  await sendInvitation.run(job!, services);
  assert.equal(mails.length, 1);
  assert.equal(mails[0]!.to, 'ada@example.com');
  assert.equal(mails[0]!.subject, 'Invitation to Tom & <b>Jerry</b> Inc. on Assay');
  const token = /https:\/\/assay\.example\.org\/accept-invitation\?token=([\w-]{43})\n/.exec(mails[0]!.text)![1]!;
  assert.ok(mails[0]!.html!.includes(token));
  assert.ok(!mails[0]!.html!.includes('<b>'));
  const { rows } = await admin.query('SELECT i::text AS row FROM invitations i WHERE org_id = $1', [owner.orgId]);
  assert.ok(!rows[0].row.includes(token));
});

test('an invitation whose job was lost is still mailed, and only once', async () => {
  const owner = await createTenant(database);
  await invite(owner.token, { email: 'lost@example.com' });
  const [job] = await jobsOf(owner.orgId);
  await admin.query(`DELETE FROM graphile_worker._private_jobs WHERE payload->>'org_id' = $1`, [owner.orgId]);
  const takeUp = () => Promise.all(organizationTicks.map(({ run }) => run({ database, headChannels: [] })));
  await Promise.all([takeUp(), takeUp()]);
  assert.deepEqual(await jobsOf(owner.orgId), [job]);
  const { mails, services } = collect();
  await sendInvitation.run(job!, services);
  assert.equal(mails.length, 1);
  await admin.query(`DELETE FROM graphile_worker._private_jobs WHERE payload->>'org_id' = $1`, [owner.orgId]);
  await takeUp();
  assert.deepEqual(await jobsOf(owner.orgId), []);
});

test('an invitation that was revoked before the mail left is not mailed', async () => {
  const owner = await createTenant(database);
  const { body } = await invite(owner.token, { email: 'ada@example.com' });
  const path = `/organization/invitations/${body.id}`;
  assert.equal((await call(node, owner.token, 'DELETE', path)).status, 204);
  assert.equal(statusAndCode(await call(node, owner.token, 'DELETE', path)), '409 conflict');
  const { mails, services } = collect();
  for (const job of await jobsOf(owner.orgId)) await sendInvitation.run(job, services);
  assert.deepEqual(mails, []);
});

test('a pending invitation is replaced by the next one for the same address', async () => {
  const owner = await createTenant(database);
  const first = await invite(owner.token, { email: 'ada@example.com' });
  const second = await invite(owner.token, { email: 'ADA@example.com', role: 'admin' });
  const { body } = await call(node, owner.token, 'GET', '/organization/invitations');
  assert.deepEqual(
    body.data.map(({ id, role, status }: { id: string; role: string; status: string }) => [id, role, status]),
    [
      [second.body.id, 'admin', 'pending'],
      [first.body.id, 'analyst', 'revoked'],
    ],
  );
});

test('ten simultaneous invitations of one address leave one pending', async () => {
  const owner = await createTenant(database);
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => invite(owner.token, { email: 'ada@example.com' })),
  );
  assert.deepEqual(
    responses.map(({ status }) => status),
    Array(10).fill(201),
  );
  const { rows } = await admin.query(`SELECT FROM invitations WHERE org_id = $1 AND status = 'pending'`, [owner.orgId]);
  assert.equal(rows.length, 1);
});

test("a member's address is 409 already_exists, naming the member", async () => {
  const owner = await createTenant(database);
  const member = await createTestMember(database, owner.orgId, 'viewer');
  const response = await invite(owner.token, { email: member.email.toUpperCase() });
  assert.equal(statusAndCode(response), '409 already_exists');
  assert.equal(response.body.error.details[0].id, member.userId);
});

test('nobody can invite above their own role', async () => {
  const owner = await createTenant(database);
  const member = await createTestMember(database, owner.orgId, 'admin');
  assert.equal(statusAndCode(await invite(member.token, { email: 'a@example.com', role: 'owner' })), '403 forbidden');
  assert.equal(statusAndCode(await invite(member.token, { email: 'a@example.com', role: 'admin' })), '201 ok');
  assert.equal(statusAndCode(await invite(owner.token, { email: 'b@example.com', role: 'owner' })), '201 ok');
});

test('nobody can void an invitation that they could not have made, by inviting the same address, resending or revoking', async () => {
  const owner = await createTenant(database);
  const adminMember = await createTestMember(database, owner.orgId, 'admin');
  const email = 'next-owner@example.com';
  const { body: invitation } = await invite(owner.token, { email, role: 'owner' });
  const path = `/organization/invitations/${invitation.id}`;
  assert.equal(statusAndCode(await invite(adminMember.token, { email, role: 'viewer' })), '403 forbidden');
  assert.equal(statusAndCode(await call(node, adminMember.token, 'POST', `${path}/resend`)), '403 forbidden');
  assert.equal(statusAndCode(await call(node, adminMember.token, 'DELETE', path)), '403 forbidden');
  const { body } = await call(node, owner.token, 'GET', '/organization/invitations');
  assert.deepEqual([body.data.length, body.data[0].id, body.data[0].status], [1, invitation.id, 'pending']);
  assert.equal(statusAndCode(await invite(owner.token, { email, role: 'viewer' })), '201 ok');
  assert.equal(statusAndCode(await invite(adminMember.token, { email, role: 'admin' })), '201 ok');
});

test("an invalid address or role and an unknown field are 400 with the field's name", async () => {
  const owner = await createTenant(database);
  const fieldOf = async (body: object) => (await invite(owner.token, body)).body.error.details[0].field;
  assert.equal(await fieldOf({ email: 'nobody' }), 'email');
  assert.equal(await fieldOf({ email: 'a@example.com\nBcc: b@example.com' }), 'email');
  assert.equal(await fieldOf({ email: 'a@example.com', role: 'root' }), 'role');
  assert.equal(await fieldOf({ email: 'a@example.com', rôle: 'viewer' }), 'rôle');
  assert.equal(await fieldOf({}), 'email');
});

test('an invitation whose time has passed is expired', async () => {
  const owner = await createTenant(database);
  await invite(owner.token, { email: 'ada@example.com' });
  await admin.query(`UPDATE invitations SET expires_at = now() - interval '1 second' WHERE org_id = $1`, [owner.orgId]);
  const { body } = await call(node, owner.token, 'GET', '/organization/invitations');
  assert.equal(body.data[0].status, 'expired');
  const { mails, services } = collect();
  for (const job of await jobsOf(owner.orgId)) await sendInvitation.run(job, services);
  assert.deepEqual(mails, []);
});

test("another organization's invitation is not found", async () => {
  const owner = await createTenant(database);
  const other = await createTenant(database);
  const { body } = await invite(owner.token, { email: 'ada@example.com' });
  const response = await call(node, other.token, 'DELETE', `/organization/invitations/${body.id}`);
  assert.equal(statusAndCode(response), '404 not_found');
  assert.deepEqual((await call(node, other.token, 'GET', '/organization/invitations')).body.data, []);
});

const statusOf = async (orgId: string, id: string) =>
  (await admin.query('SELECT status FROM invitations WHERE org_id = $1 AND id = $2', [orgId, id])).rows[0].status;

test('the open invitations of a removed member are revoked with the removal', async () => {
  const owner = await createTenant(database);
  const admins = await createTestMember(database, owner.orgId, 'admin');
  const first = await invite(admins.token, { email: 'first@example.com', role: 'admin' });
  const kept = await invite(owner.token, { email: 'kept@example.com' });
  const { services, mails } = collect();
  for (const job of await jobsOf(owner.orgId)) await sendInvitation.run(job, services);
  const token = /\?token=([\w-]{43})/.exec(mails.find(({ to }) => to === 'first@example.com')!.text)![1]!;
  assert.equal((await call(node, owner.token, 'DELETE', `/organization/members/${admins.userId}`)).status, 204);
  assert.equal(await statusOf(owner.orgId, first.body.id), 'revoked');
  assert.equal(await statusOf(owner.orgId, kept.body.id), 'pending');
  const accepted = await node.app.inject({
    method: 'POST',
    url: '/auth/accept-invitation',
    payload: { token, password: 'correct horse battery' },
  });
  assert.equal(accepted.statusCode, 404, accepted.body);
  const { rows } = await admin.query(
    `SELECT subject_id FROM audit_events WHERE org_id = $1 AND action = 'invitation.revoked'`,
    [owner.orgId],
  );
  assert.deepEqual(rows, [{ subject_id: first.body.id }]);
});

test('a member with a lowered role keeps the invitations that it allows, and loses the others', async () => {
  const owner = await createTenant(database);
  const second = await createTestMember(database, owner.orgId, 'owner');
  const asOwner = (await invite(second.token, { email: 'owner@example.com', role: 'owner' })).body.id;
  const asAnalyst = (await invite(second.token, { email: 'analyst@example.com' })).body.id;
  const lower = (role: string) => call(node, owner.token, 'PATCH', `/organization/members/${second.userId}`, { role });
  assert.equal((await lower('admin')).status, 200);
  assert.deepEqual(
    [await statusOf(owner.orgId, asOwner), await statusOf(owner.orgId, asAnalyst)],
    ['revoked', 'pending'],
  );
  assert.equal((await lower('analyst')).status, 200);
  assert.equal(await statusOf(owner.orgId, asAnalyst), 'revoked');
});

test('a removed member cannot return with an old invitation to their own address', async () => {
  const owner = await createTenant(database);
  const old = await invite(owner.token, { email: 'again@example.com', role: 'admin' });
  const person = await createPerson(database, 'again@example.com');
  await database.transaction(owner.orgId, (tx) => insertMember(tx, owner.orgId, person.id, 'viewer'));
  assert.equal((await call(node, owner.token, 'DELETE', `/organization/members/${person.id}`)).status, 204);
  assert.equal(await statusOf(owner.orgId, old.body.id), 'revoked');
});

test('an invitation made while its sender is removed does not outlive the removal', async () => {
  for (let round = 0; round < 5; round++) {
    const owner = await createTenant(database);
    const admins = await createTestMember(database, owner.orgId, 'admin');
    await call(node, admins.token, 'GET', '/organization/members');
    await Promise.all([
      ...[1, 2, 3].map((index) => invite(admins.token, { email: `late${index}@example.com` })),
      call(node, owner.token, 'DELETE', `/organization/members/${admins.userId}`),
    ]);
    const { rows } = await admin.query(`SELECT FROM invitations WHERE org_id = $1 AND status = 'pending'`, [
      owner.orgId,
    ]);
    assert.equal(rows.length, 0, `round ${round}`);
  }
});
