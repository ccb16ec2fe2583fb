import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordEndedScan } from '../../tests/harness/furnished.ts';
import { call } from '../../tests/harness/identity.ts';
import { createTenant, createTestMember } from '../../tests/harness/people.ts';
import { openCredential } from './credential.ts';
import {
  addRepository,
  bearer,
  database,
  get,
  keyring,
  node,
  onDeleted,
  orgId,
  patch,
  post,
  remove,
  repository,
  rowOf,
  tenant,
} from './data-sources.fixture.ts';
import { listScannableDataSources } from './queries.ts';

test('an update changes the fields that it contains and leaves the rest', async () => {
  const { id, config } = await addRepository(repository({ branch: 'main', credential: { token: 't' } }));
  const renamed = await patch(id, { name: 'Payments' });
  assert.deepEqual(
    [renamed.status, renamed.body.name, renamed.body.config, renamed.body.has_credential],
    [200, 'Payments', config, true],
  );
  const moved = await patch(id, { config: { branch: null } });
  assert.deepEqual(moved.body.config, { ...config, branch: null });
  const widened = await patch(id, { config: { branches: 'all' } });
  assert.deepEqual(widened.body.config, { ...config, branch: null, branches: 'all' });
  const narrowed = await patch(id, { config: { branches: null } });
  assert.deepEqual(narrowed.body.config, { ...config, branch: null });
  assert.deepEqual(openCredential(keyring, orgId, await rowOf(id)), { token: 't' });
  assert.equal((await patch(id, { config: { credential: { password: 'new' } } })).body.has_credential, true);
  assert.deepEqual(openCredential(keyring, orgId, await rowOf(id)), { password: 'new' });
  assert.equal((await patch(id, { config: { credential: null } })).body.has_credential, false);
  for (const body of [{}, { config: {} }, { kind: 'host' }, { config: { address: 'x' } }, { config: { branch: '' } }]) {
    assert.equal((await patch(id, body)).status, 400, JSON.stringify(body));
  }
});

test('tags, owner, criticality and exposure are stored, changed independently, and audited', async () => {
  const said = { tags: ['pci', 'PCI', ' web '], owner: tenant.userId, criticality: 'high', exposure: 'public' };
  const { body } = await post({ kind: 'upload', name: 'portal', ...said });
  const importanceOf = ({ tags, owner, criticality, exposure }: Record<string, unknown>) => [
    ...[tags, (owner as { id: string } | null)?.id, criticality, exposure],
  ];
  assert.deepEqual(importanceOf(body), [['pci', 'web'], tenant.userId, 'high', 'public']);
  const member = await createTestMember(database, orgId, 'viewer');
  const changed = await patch(body.id, { owner: member.email, criticality: 'low' });
  assert.deepEqual(importanceOf(changed.body), [['pci', 'web'], member.userId, 'low', 'public']);
  assert.deepEqual(importanceOf((await patch(body.id, { name: 'web portal' })).body), importanceOf(changed.body));
  assert.equal((await patch(body.id, { owner: null })).body.owner, null);
  const [plain] = (await call(node, tenant.token, 'GET', '/data-sources?limit=1')).body.data;
  assert.deepEqual(importanceOf(plain), [['pci', 'web'], undefined, 'low', 'public']);
  const other = await createTenant(database);
  for (const body_ of [
    { owner: other.userId },
    { owner: 'nobody@example.com' },
    { tags: ['a,b'] },
    { criticality: 'x' },
  ])
    assert.equal((await patch(body.id, body_)).status, 400, JSON.stringify(body_));
  const [event] = await database.single<{ before: object; after: object }>(orgId, {
    text: `SELECT before, after FROM audit_events WHERE org_id = $1 AND subject_id = $2 AND action = 'data_source.updated'
           ORDER BY occurred_at LIMIT 1`,
    values: [orgId, body.id],
  });
  assert.deepEqual(event, {
    before: { owner: tenant.userId, criticality: 'high' },
    after: { owner: member.userId, criticality: 'low' },
  });
});

test('by default a data source has medium criticality, is internal, and has no owner', async () => {
  const { tags, owner, criticality, exposure } = await addRepository();
  assert.deepEqual([tags, owner, criticality, exposure], [[], null, 'medium', 'internal']);
});

test('a stored credential does not follow the URL to another host', async () => {
  const { id } = await addRepository(repository({ credential: { token: 't' } }));
  for (const url of [
    'https://evil.example.com/a',
    'https://git.example.com:444/a',
    'ssh://git.example.com/a',
    'git://git.example.com/a',
  ]) {
    const response = await patch(id, { config: { url } });
    assert.equal(response.body.error?.details[0].field, 'config.credential', url);
  }
  assert.equal((await patch(id, { config: { url: 'https://git.example.com/team/renamed' } })).status, 200);
  assert.equal((await patch(id, { config: { url: 'https://other.example.com/a', credential: null } })).status, 200);
});

test('an update to the address of another data source is refused with its id', async () => {
  const [first, second] = [await addRepository(), await addRepository()];
  const response = await patch(second.id, { config: { url: first.config.url } });
  assert.equal(response.status, 409);
  assert.equal(response.body.error.details[0].id, first.id);
});

test('If-Match guards changes by people and ignores those by scans', async () => {
  const { id } = await addRepository();
  const { etag } = (await get(id)).headers;
  await recordEndedScan(database, orgId, id, { status: 'failed', error: 'Not reachable.' });
  const scanned = await get(id);
  assert.equal(scanned.body.status_message, 'Not reachable.');
  assert.notEqual(scanned.headers.etag, etag);
  const notModified = await call(
    node,
    bearer({ 'if-none-match': String(scanned.headers.etag) }),
    'GET',
    `/data-sources/${id}`,
  );
  assert.equal(notModified.status, 304);
  const ifMatch = { 'if-match': String(etag) };
  assert.equal((await patch(id, { name: 'First' }, ifMatch)).status, 200);
  assert.equal((await patch(id, { name: 'Second' }, ifMatch)).status, 412);
  assert.equal((await remove(id, ifMatch)).status, 412);
  assert.equal((await remove(id, { 'if-match': '*' })).status, 204);
});

test('of simultaneous updates with one If-Match exactly one succeeds', async () => {
  const { id } = await addRepository();
  const headers = { 'if-match': String((await get(id)).headers.etag) };
  const responses = await Promise.all(
    Array.from({ length: 6 }, (_, index) => patch(id, { name: `Name ${index}` }, headers)),
  );
  assert.deepEqual(responses.map((response) => response.status).sort(), [200, 412, 412, 412, 412, 412]);
});

test('deletion removes it from lists and scans, destroys the credential, and runs the hooks of later slices in the same transaction', async () => {
  const { id } = await addRepository(repository({ credential: { token: 't' } }));
  const seen: string[] = [];
  onDeleted.push(async (tx, org, dataSourceId) => {
    const { rows } = await tx.query({
      text: 'SELECT deleted_at, sealed_credential FROM data_sources WHERE org_id = $1 AND id = $2',
      values: [org, dataSourceId],
    });
    assert.equal(rows[0]!.sealed_credential, null);
    assert.notEqual(rows[0]!.deleted_at, null);
    seen.push(dataSourceId);
  });
  onDeleted.push(async () => {
    if (seen.length === 1) throw new Error('a later slice fails');
  });
  assert.equal((await remove(id)).status, 500);
  assert.equal((await get(id)).status, 200, 'nothing of a failed deletion stays');
  assert.equal((await remove(id)).status, 204);
  onDeleted.length = 0;
  assert.deepEqual(seen, [id, id]);
  for (const response of [await get(id), await remove(id), await patch(id, { name: 'x' })])
    assert.equal(response.status, 404);
  const scannable = await database.transaction(orgId, (tx) => listScannableDataSources(tx, orgId, ['git_repository']));
  assert.ok(!scannable.some((row) => row.id === id));
});
