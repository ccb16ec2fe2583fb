import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createTestDatabase } from '../../tests/harness/database.ts';
import { call, createTestNode } from '../../tests/harness/identity.ts';
import { eventually } from '../../tests/harness/installation.ts';
import { createTenant, createTestMember, createTokenFor } from '../../tests/harness/people.ts';
import { within } from '../../tests/harness/within.ts';
import { changeMemberRole, removeMember } from '../organization/change-member.ts';
import { setOrganizationLimits } from '../organization/organization-command.ts';
import { organizationRoutes } from '../organization/routes.ts';
import { revokeTokenById } from './commands/token-command.ts';
import { memberAccessRoutes } from './member-access/routes.ts';
import { createToken } from './token.ts';

const db = await createTestDatabase();
const { database } = db;
const routes = [...organizationRoutes, ...memberAccessRoutes];
const nodes = [await createTestNode(database, routes), await createTestNode(database, routes)];
const node = nodes[0]!;
after(async () => {
  for (const one of nodes) await one.close();
  await db.drop();
});

const statusAndCode = ({ status, body }: Awaited<ReturnType<typeof call>>) => `${status} ${body?.error?.code ?? 'ok'}`;

async function admin(text: string, values: unknown[] = []) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: db.adminUrl });
  await client.connect();
  const { rows } = await client.query(text, values);
  await client.end();
  return rows;
}

test('a token is recognised by its bearer header, whatever the case of the scheme', async () => {
  const { token, orgId } = await createTenant(database);
  for (const authorization of [`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token}`]) {
    const response = await call(node, { authorization }, 'GET', '/organization');
    assert.equal(response.status, 200);
    assert.equal(response.body.id, orgId);
  }
});

test('an unknown token is 401 with WWW-Authenticate: Bearer', async () => {
  const { token } = await createTenant(database);
  const wrong: (Record<string, string> | null)[] = [
    null,
    { authorization: '' },
    { authorization: token },
    { authorization: `Basic ${token}` },
    { authorization: `Bearer ${token} x` },
    { authorization: `Bearer ${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}` },
    { authorization: `Bearer ${createToken()}` },
    { cookie: 'assay.session_token=forged.signature' },
  ];
  for (const headers of wrong) {
    const response = await call(node, headers, 'GET', '/organization');
    assert.equal(statusAndCode(response), '401 unauthenticated', JSON.stringify(headers));
    assert.equal(response.headers['www-authenticate'], 'Bearer');
  }
});

test('a token with a wrong checksum is refused without a database query', async () => {
  const { token } = await createTenant(database);
  const asked = database.pool.totalCount;
  const closed = await createTestNode({ ...database, single: () => assert.fail('asked') }, organizationRoutes);
  const mistyped = `${token.slice(0, 10)}${token[10] === 'x' ? 'y' : 'x'}${token.slice(11)}`;
  assert.equal(statusAndCode(await call(closed, mistyped, 'GET', '/organization')), '401 unauthenticated');
  await closed.close();
  assert.ok(database.pool.totalCount <= asked);
});

test('an expired token is 401 token_expired', async () => {
  const { token, orgId } = await createTenant(database);
  await admin(`UPDATE api_tokens SET expires_at = now() - interval '1 second' WHERE org_id = $1`, [orgId]);
  assert.equal(statusAndCode(await call(node, token, 'GET', '/organization')), '401 token_expired');
});

test('a token that expires while it is cached is refused at that moment', async () => {
  const { token, orgId } = await createTenant(database);
  await admin(`UPDATE api_tokens SET expires_at = now() + interval '2 seconds' WHERE org_id = $1`, [orgId]);
  assert.equal((await call(node, token, 'GET', '/organization')).status, 200);
  const isRefused = async () => statusAndCode(await call(node, token, 'GET', '/organization')) === '401 token_expired';
  await within(2_500, isRefused);
});

test('a revoked token is refused on every node from the next request on', async () => {
  const { token, orgId } = await createTenant(database);
  const [{ id }] = (await admin('SELECT id FROM api_tokens WHERE org_id = $1', [orgId])) as [{ id: string }];
  for (const one of nodes) assert.equal((await call(one, token, 'GET', '/organization')).status, 200);
  await revokeTokenById(database, id);
  for (const one of nodes) {
    await within(
      1_000,
      async () => statusAndCode(await call(one, token, 'GET', '/organization')) === '401 token_revoked',
    );
  }
});

test('a revocation without a notification takes effect within a second', async () => {
  const { token, orgId } = await createTenant(database);
  for (const one of nodes) assert.equal((await call(one, token, 'GET', '/organization')).status, 200);
  await admin('UPDATE api_tokens SET revoked_at = now() WHERE org_id = $1', [orgId]);
  for (const one of nodes) {
    await within(
      1_100,
      async () => statusAndCode(await call(one, token, 'GET', '/organization')) === '401 token_revoked',
    );
  }
});

test('a lowered role and a removed member take effect on every node within a second', async () => {
  const owner = await createTenant(database);
  const member = await createTestMember(database, owner.orgId, 'admin');
  const changer = { userId: owner.userId, tokenId: null, address: null, role: 'owner' as const };
  const invite = (index: number) =>
    call(nodes[index]!, member.token, 'DELETE', '/organization/invitations/inv_01jd3q5r8wf0ht6vsx2p9k4m7n');
  for (const index of [0, 1]) assert.equal(statusAndCode(await invite(index)), '404 not_found');
  await database.transaction(owner.orgId, (tx) => changeMemberRole(tx, owner.orgId, changer, member.userId, 'viewer'));
  for (const index of [0, 1]) await within(1_000, async () => statusAndCode(await invite(index)) === '403 forbidden');
  await database.transaction(owner.orgId, (tx) => removeMember(tx, owner.orgId, changer, member.userId));
  for (const index of [0, 1])
    await within(1_000, async () => statusAndCode(await invite(index)) === '401 token_revoked');
});

test('a scope narrows a token, and a role limits it', async () => {
  const owner = await createTenant(database);
  const narrow = await createTokenFor(database, owner.orgId, owner.userId, { scopes: ['findings:read'] });
  assert.equal(statusAndCode(await call(node, narrow, 'GET', '/organization')), '403 insufficient_scope');
  const viewer = await createTestMember(database, owner.orgId, 'viewer');
  assert.equal((await call(node, viewer.token, 'GET', '/organization')).status, 200);
  const invitation = { email: 'x@example.com' };
  assert.equal(
    statusAndCode(await call(node, viewer.token, 'POST', '/organization/invitations', invitation)),
    '403 forbidden',
  );
});

test('changed limits of an organization take effect with the next request', async () => {
  const { token, orgId } = await createTenant(database);
  const policy = async () => (await call(node, token, 'GET', '/organization')).headers['ratelimit-policy'];
  assert.match(String(await policy()), /q=200000/);
  await setOrganizationLimits(database, orgId, { plan: 'enterprise', rate: 1_000, burst: 3_000 });
  await within(500, async () => String(await policy()).includes('q=3000;'));
  await setOrganizationLimits(database, orgId, { plan: 'default', rate: null, burst: null });
  await within(500, async () => String(await policy()).includes('q=200000;'));
});

test('the last use of a token and the activity of its user are recorded to the minute, never before their creation, with one write a minute', async () => {
  const { token, orgId } = await createTenant(database);
  const read = async () =>
    (await admin(
      `SELECT t.last_used_at, m.last_active_at, t.xmin::text AS version,
         greatest(date_trunc('minute', now()), t.created_at) AS used, greatest(date_trunc('minute', now()), m.joined_at) AS active
       FROM api_tokens t JOIN members m USING (org_id, user_id) WHERE org_id = $1`,
      [orgId],
    )) as Record<'last_used_at' | 'last_active_at' | 'used' | 'active' | 'version', Date | null>[];
  const use = async () => {
    const before = (await read())[0]!;
    for (let round = 0; round < 20; round++) await call(node, token, 'GET', '/organization');
    await eventually(async () => (await read())[0]!.last_active_at !== null);
    return { before, after: (await read())[0]! };
  };
  const { before, after: first } = await use();
  const within = (time: Date, [from, to]: Date[]) => time >= from! && time <= to!;
  assert.ok(within(first.last_used_at!, [before.used!, first.used!]), JSON.stringify([before, first]));
  assert.ok(within(first.last_active_at!, [before.active!, first.active!]), JSON.stringify([before, first]));
  const { after: later } = await use();
  if (later.last_used_at!.getTime() === first.last_used_at!.getTime()) assert.equal(later.version, first.version);
});

test('a node that receives no notifications caches nothing', async () => {
  const { token, orgId } = await createTenant(database);
  assert.equal((await call(node, token, 'GET', '/organization')).status, 200);
  // One connection for all changes, so that a round takes milliseconds and many fit in before the node listens again.
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: db.adminUrl });
  await client.connect();
  await client.query(
    // Ends all connections of the node, since the listening one can't be identified.
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  await within(900, async () => {
    await client.query('UPDATE api_tokens SET revoked_at = NULL WHERE org_id = $1', [orgId]);
    await call(node, token, 'GET', '/organization');
    await client.query('UPDATE api_tokens SET revoked_at = now() WHERE org_id = $1', [orgId]);
    return statusAndCode(await call(node, token, 'GET', '/organization')) === '401 token_revoked';
  });
  await client.end();
});
