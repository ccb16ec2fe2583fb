import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { call, createTestNode } from '../../../tests/harness/identity.ts';
import { createTenant, createTestMember } from '../../../tests/harness/people.ts';
import { removeMember } from '../../organization/change-member.ts';
import { viewRoutes } from './routes.ts';

const db = await createTestDatabase();
const { database } = db;
const node = await createTestNode(database, viewRoutes);
after(async () => {
  await node.close();
  await db.drop();
});

const filter = { severity: ['critical'], assignee: ['me'] };

async function organization() {
  const owner = await createTenant(database);
  const member = (role: 'viewer' | 'analyst' | 'admin') => createTestMember(database, owner.orgId, role);
  return { owner, admin: await member('admin'), analyst: await member('analyst'), viewer: await member('viewer') };
}

const save = async (token: string, body: object) => {
  const answer = await call(node, token, 'POST', '/views', { filter: {}, ...body });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
};
const namesSeenBy = async (token: string) =>
  (await call(node, token, 'GET', '/views')).body.data.map((view: { name: string }) => view.name);

test('a view is returned as saved, and a change keeps the fields that it does not contain', async () => {
  const { analyst } = await organization();
  const view = await save(analyst.token, { name: ' Mine ', filter, sort: '-severity', columns: ['title', 'rule.id'] });
  const { id, owner, created_at: _at, updated_at: _updated, ...rest } = view;
  const columns = ['title', 'rule.id'];
  assert.deepEqual(rest, { name: 'Mine', shared: false, filter, sort: '-severity', columns, editable: true });
  assert.equal(owner.id, analyst.userId);
  const changed = await call(node, analyst.token, 'PATCH', `/views/${id}`, { filter: {}, sort: null });
  assert.equal(changed.status, 200);
  assert.deepEqual([changed.body.name, changed.body.filter, changed.body.sort], ['Mine', {}, null]);
  assert.deepEqual(changed.body.columns, columns);
});

test('a private view is seen, changed and deleted by its owner only', async () => {
  const { owner, analyst } = await organization();
  const { id } = await save(analyst.token, { name: 'Secret' });
  assert.deepEqual(await namesSeenBy(analyst.token), ['Secret']);
  assert.deepEqual(await namesSeenBy(owner.token), []);
  assert.equal((await call(node, owner.token, 'PATCH', `/views/${id}`, { name: 'x' })).status, 404);
  assert.equal((await call(node, owner.token, 'DELETE', `/views/${id}`)).status, 404);
  assert.equal((await call(node, analyst.token, 'DELETE', `/views/${id}`)).status, 204);
  assert.equal((await call(node, analyst.token, 'DELETE', `/views/${id}`)).status, 404);
});

test('a shared view is seen by all, and changed and deleted by its owner and admins', async () => {
  const { owner, admin, analyst, viewer } = await organization();
  const { id } = await save(analyst.token, { name: 'Team', shared: true });
  const seen = (await call(node, viewer.token, 'GET', '/views')).body.data[0];
  assert.deepEqual([seen.name, seen.editable], ['Team', false]);
  for (const method of ['PATCH', 'DELETE'] as const) {
    const refused = await call(
      node,
      viewer.token,
      method,
      `/views/${id}`,
      method === 'PATCH' ? { name: 'x' } : undefined,
    );
    assert.equal(refused.status, 403);
  }
  assert.equal((await call(node, admin.token, 'PATCH', `/views/${id}`, { name: 'Team A' })).body.name, 'Team A');
  assert.equal((await call(node, admin.token, 'PATCH', `/views/${id}`, { shared: false })).status, 403);
  assert.equal((await call(node, analyst.token, 'PATCH', `/views/${id}`, { shared: false })).body.shared, false);
  assert.deepEqual(await namesSeenBy(owner.token), []);
});

test('a viewer may save private views; the refusal to share one states the required permission', async () => {
  const { viewer } = await organization();
  const { id } = await save(viewer.token, { name: 'Mine' });
  for (const refused of [
    await call(node, viewer.token, 'POST', '/views', { name: 'All', shared: true, filter: {} }),
    await call(node, viewer.token, 'PATCH', `/views/${id}`, { shared: true }),
  ]) {
    assert.equal(refused.status, 403);
    assert.match(refused.body.error.message, /role analyst/);
  }
});

test('names are unique, ignoring case, among shared views and among those of a person', async () => {
  const { analyst, admin } = await organization();
  await save(analyst.token, { name: 'One' });
  await save(admin.token, { name: 'one' });
  await save(admin.token, { name: 'ONE', shared: true });
  const { id } = await save(analyst.token, { name: 'Two' });
  const same = await call(node, analyst.token, 'POST', '/views', { name: 'oNe', filter: {} });
  const renamed = await call(node, analyst.token, 'PATCH', `/views/${id}`, { name: 'ONE' });
  const shared = await call(node, analyst.token, 'PATCH', `/views/${id}`, { name: 'ONE', shared: true });
  for (const { status, body } of [same, renamed, shared]) {
    assert.deepEqual([status, body.error.code], [409, 'already_exists']);
  }
});

test('a filter that the list would refuse is refused when it is saved', async () => {
  const { analyst } = await organization();
  for (const wrong of [
    { severity: ['grave'] },
    { color: ['red'] },
    { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' },
  ]) {
    const { status, body } = await call(node, analyst.token, 'POST', '/views', { name: 'x', filter: wrong });
    assert.equal(status, 400);
    assert.match(body.error.message, /^filter\./);
  }
});

test('pages of views contain each view once, private and shared in one order', async () => {
  const { analyst, viewer } = await organization();
  const saved: string[] = [];
  for (let index = 0; index < 7; index += 1) {
    saved.push((await save(analyst.token, { name: `view ${index}`, shared: index % 2 === 0 })).id);
    await save(viewer.token, { name: `other ${index}` });
  }
  const listed: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const after: string = cursor === '' ? '' : `&next_cursor=${cursor}`;
    const { body } = await call(node, analyst.token, 'GET', `/views?limit=2${after}`);
    listed.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = body.next_cursor;
  }
  assert.deepEqual(listed, saved);
});

test("a member's private views are deleted with the member; the shared ones stay without an owner, for admins", async () => {
  const { owner, analyst, viewer } = await organization();
  await save(analyst.token, { name: 'Mine' });
  const shared = await save(analyst.token, { name: 'Ours', shared: true });
  const changer = { userId: owner.userId, tokenId: null, address: null, role: 'owner' as const };
  await database.transaction(owner.orgId, (tx) => removeMember(tx, owner.orgId, changer, analyst.userId));
  const { data } = (await call(node, viewer.token, 'GET', '/views')).body;
  assert.deepEqual(
    data.map((view: { id: string; owner: unknown }) => [view.id, view.owner]),
    [[shared.id, null]],
  );
  const [row] = await database.single<{ count: number }>(owner.orgId, {
    text: 'SELECT count(*)::integer AS count FROM finding_views WHERE org_id = $1',
    values: [owner.orgId],
  });
  assert.equal(row!.count, 1);
  assert.equal((await call(node, owner.token, 'DELETE', `/views/${shared.id}`)).status, 204);
});

test('changes of shared views are in the audit log', async () => {
  const { analyst, orgId } = await organization().then(({ analyst }) => ({ analyst, orgId: analyst.orgId }));
  const { id } = await save(analyst.token, { name: 'Ours', shared: true });
  await call(node, analyst.token, 'PATCH', `/views/${id}`, { name: 'All of ours' });
  await call(node, analyst.token, 'DELETE', `/views/${id}`);
  const rows = await database.single<{ action: string }>(orgId, {
    text: 'SELECT action FROM audit_events WHERE org_id = $1 AND subject_id = $2 ORDER BY id',
    values: [orgId, id],
  });
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['view.shared', 'view.updated', 'view.deleted'],
  );
});
