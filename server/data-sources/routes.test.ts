import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call } from '../../tests/harness/identity.ts';
import { createTenant, createTestMember, createTokenFor } from '../../tests/harness/people.ts';
import { addRepository, database, get, node, orgId, post, tenant } from './data-sources.fixture.ts';

test('the list returns all, newest first, with none repeated while others are added', async () => {
  const walker = await createTenant(database);
  const add = (index: number) => post({ kind: 'upload', name: `Upload ${index}` }, walker.token);
  const ids: string[] = [];
  for (let index = 0; index < 7; index += 1) ids.push((await add(index)).body.id);
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = `limit=3${cursor && `&next_cursor=${cursor}`}`;
    const { status, body } = await call(node, walker.token, 'GET', `/data-sources?${query}`);
    assert.equal(status, 200);
    seen.push(...body.data.map((item: { id: string }) => item.id));
    cursor = body.next_cursor;
    await add(99);
  }
  assert.deepEqual(seen, ids.toSorted().reverse());
  const first = await call(node, walker.token, 'GET', '/data-sources?limit=1');
  const foreign = await call(node, tenant.token, 'GET', `/data-sources?next_cursor=${first.body.next_cursor}`);
  assert.equal(foreign.body.error.code, 'invalid_cursor');
});

test('another organization finds nothing; reading needs sources:read, and writing needs an admin with sources:write', async () => {
  const { id } = await addRepository();
  const other = await createTenant(database);
  for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
    const body = method === 'PATCH' ? { name: 'x' } : undefined;
    for (const path of [`/data-sources/${id}`, '/data-sources/ds_x', '/data-sources/fnd_01jd3x7k2pfr6v0t9y8n7m6k5j']) {
      assert.equal((await call(node, other.token, method, path, body)).status, 404, `${method} ${path}`);
    }
  }
  const analyst = await createTestMember(database, orgId, 'analyst');
  assert.equal((await call(node, analyst.token, 'GET', `/data-sources/${id}`)).status, 200);
  assert.equal((await post({ kind: 'upload', name: 'x' }, analyst.token)).status, 403);
  const reader = await createTokenFor(database, orgId, tenant.userId, { scopes: ['sources:read'] });
  assert.equal((await post({ kind: 'upload', name: 'x' }, reader)).body.error.code, 'insufficient_scope');
  const narrow = await createTokenFor(database, orgId, tenant.userId, { scopes: ['findings:read'] });
  assert.equal((await call(node, narrow, 'GET', '/data-sources')).status, 403);
});

test('a query without the organization returns nothing', async () => {
  await addRepository();
  assert.equal((await database.single(null, { text: 'SELECT 1 FROM data_sources' })).length, 0);
  const other = await createTenant(database);
  assert.equal((await database.single(other.orgId, { text: 'SELECT 1 FROM data_sources' })).length, 0);
});

test('open findings come from the stored counts', async () => {
  const { id } = await addRepository();
  const rows = [
    ['new', 2],
    ['triaged', 3],
    ['in_progress', 4],
    ['resolved', 50],
    ['false_positive', 60],
  ];
  await database.transaction(orgId, async (tx) => {
    for (const [status, number] of rows) {
      await tx.query({
        text: `INSERT INTO finding_counts (org_id, data_source_id, source, severity, status, count) VALUES ($1, $2, 'secrets', 4, $3, $4)`,
        values: [orgId, id, status, number],
      });
    }
  });
  assert.equal((await get(id)).body.open_findings, 9);
});
