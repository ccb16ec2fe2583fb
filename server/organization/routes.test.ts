import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../tests/harness/database.ts';
import { call, createTestNode } from '../../tests/harness/identity.ts';
import { createTenant, createTestMember, createTokenFor } from '../../tests/harness/people.ts';
import { memberAccessRoutes } from '../identity/member-access/routes.ts';
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
const auditOf = async (orgId: string) =>
  (await admin.query('SELECT action FROM audit_events WHERE org_id = $1 ORDER BY occurred_at', [orgId])).rows.map(
    ({ action }) => action,
  );

test('the organization has its plan, its rate limit and its number of members', async () => {
  const owner = await createTenant(database, 'Example Inc.');
  await createTestMember(database, owner.orgId, 'viewer');
  const { status, body } = await call(node, owner.token, 'GET', '/organization');
  assert.equal(status, 200);
  assert.match(body.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assert.deepEqual(
    { ...body, created_at: null },
    {
      id: owner.orgId,
      name: 'Example Inc.',
      plan: 'default',
      rate_limit: { requests_per_minute: 100_000, burst_per_minute: 200_000 },
      member_count: 2,
      created_at: null,
      runs_installation: true,
    },
  );
});

test('the pages of members contain each once and nobody of another organization', async () => {
  const owner = await createTenant(database);
  await createTenant(database);
  const expected = [owner.userId];
  for (let index = 0; index < 6; index++)
    expected.push((await createTestMember(database, owner.orgId, 'viewer')).userId);
  const seen: string[] = [];
  let cursor = '';
  do {
    const { body } = await call(node, owner.token, 'GET', `/organization/members?limit=3${cursor}`);
    seen.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = body.next_cursor === null ? '' : `&next_cursor=${body.next_cursor}`;
  } while (cursor !== '');
  assert.deepEqual(seen, expected);
});

test("a member's role can be changed by members of the same role or above, up to their own role", async () => {
  const owner = await createTenant(database);
  const first = await createTestMember(database, owner.orgId, 'admin');
  const second = await createTestMember(database, owner.orgId, 'analyst');
  const change = (by: string, id: string, role: string) =>
    call(node, by, 'PATCH', `/organization/members/${id}`, { role }).then(statusAndCode);
  assert.equal(await change(first.token, second.userId, 'admin'), '200 ok');
  assert.equal(await change(first.token, second.userId, 'owner'), '403 forbidden');
  assert.equal(await change(first.token, owner.userId, 'viewer'), '403 forbidden');
  assert.equal(await change(owner.token, second.userId, 'owner'), '200 ok');
  assert.equal(await change(owner.token, second.userId, 'root'), '400 invalid_request');
  assert.equal(await change(owner.token, first.userId, 'viewer'), '200 ok');
  assert.equal((await call(node, owner.token, 'PATCH', `/organization/members/${first.userId}`, {})).status, 400);
  assert.deepEqual((await auditOf(owner.orgId)).filter((action) => action === 'member.role_changed').length, 3);
});

test('the last owner can be neither lowered nor removed', async () => {
  const owner = await createTenant(database);
  const path = `/organization/members/${owner.userId}`;
  const lowered = await call(node, owner.token, 'PATCH', path, { role: 'admin' });
  assert.equal(statusAndCode(lowered), '409 conflict');
  assert.match(lowered.body.error.message, /last owner/);
  assert.equal(statusAndCode(await call(node, owner.token, 'DELETE', path)), '409 conflict');
});

test('owners who remove or lower each other at the same time leave one owner', async () => {
  for (let round = 0; round < 10; round++) {
    const owner = await createTenant(database);
    const others = await Promise.all([1, 2, 3].map(() => createTestMember(database, owner.orgId, 'owner')));
    const all = [owner, ...others];
    await Promise.all(
      all.flatMap((by, index) => {
        const path = `/organization/members/${all[(index + 1) % all.length]!.userId}`;
        return [
          call(node, by.token, 'DELETE', path),
          call(node, by.token, 'PATCH', `/organization/members/${by.userId}`, { role: 'viewer' }),
        ];
      }),
    );
    const { rows } = await admin.query(`SELECT FROM members WHERE org_id = $1 AND role = 'owner'`, [owner.orgId]);
    assert.ok(rows.length >= 1, `round ${round}`);
  }
});

test('removing a member also removes their tokens of this organization', async () => {
  const owner = await createTenant(database);
  const other = await createTenant(database);
  const member = await createTestMember(database, owner.orgId, 'analyst');
  await admin.query(`INSERT INTO members (org_id, user_id, role) VALUES ($1, $2, 'viewer')`, [
    other.orgId,
    member.userId,
  ]);
  const elsewhere = await createTokenFor(database, other.orgId, member.userId);
  assert.equal((await call(node, owner.token, 'DELETE', `/organization/members/${member.userId}`)).status, 204);
  assert.equal(statusAndCode(await call(node, member.token, 'GET', '/organization')), '401 token_revoked');
  assert.equal((await call(node, elsewhere, 'GET', '/organization')).status, 200);
  const { body } = await call(node, owner.token, 'GET', '/organization/members');
  assert.deepEqual(
    body.data.map(({ id }: { id: string }) => id),
    [owner.userId],
  );
});

test('a member of another organization, another kind of id and nonsense are not found', async () => {
  const owner = await createTenant(database);
  const other = await createTenant(database);
  for (const id of [other.userId, other.orgId, 'usr_x', 'nonsense', '%00']) {
    for (const method of ['PATCH', 'DELETE'] as const) {
      const body = method === 'PATCH' ? { role: 'viewer' } : undefined;
      const response = await call(node, owner.token, method, `/organization/members/${id}`, body);
      assert.equal(statusAndCode(response), '404 not_found', `${method} ${id}`);
    }
  }
  assert.equal((await call(node, other.token, 'GET', '/organization/members')).body.data.length, 1);
});
