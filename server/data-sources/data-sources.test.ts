import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createTestDatabase } from '../../tests/harness/database.ts';
import { call, createTenant, createTestMember, createTestNode, createTokenFor } from '../../tests/harness/identity.ts';
import { createNetworkPolicy } from '../platform/network-policy.ts';
import { createKeyring } from '../platform/sealed.ts';
import { openCredential } from './credential.ts';
import type { DataSourceDeleted } from './delete-data-source.ts';
import { type DataSourceRow, findDataSource, listScannableDataSources, updateScanOutcome } from './queries.ts';
import { dataSourceRoutes } from './routes.ts';

const localRepositories = await mkdtemp(join(tmpdir(), 'assay-sources-'));
const keyring = createKeyring(randomBytes(32).toString('hex'));
const resolve = async (host: string) => {
  if (host.endsWith('.unknown.example')) throw new Error('ENOTFOUND');
  return [{ address: host.startsWith('inside') ? '10.0.0.1' : '93.184.216.34', family: 4 as const }];
};
const networkPolicy = createNetworkPolicy({ allowed: ['allowed.corp', '10.9.0.0/16'], resolve });
const onDeleted: DataSourceDeleted[] = [];
const dataSources = { networkPolicy, keyring, localRepositories: [localRepositories], onDeleted };

const testDatabase = await createTestDatabase();
const { database } = testDatabase;
const node = await createTestNode(database, dataSourceRoutes, undefined, { dataSources });
after(async () => {
  await node.close();
  await testDatabase.drop();
  await rm(localRepositories, { recursive: true });
});

const tenant = await createTenant(database);
const { orgId } = tenant;
const bearer = (more: Record<string, string>) => ({ authorization: `Bearer ${tenant.token}`, ...more });
const post = (body: object, token = tenant.token) => call(node, token, 'POST', '/data-sources', body);
const get = (id: string) => call(node, tenant.token, 'GET', `/data-sources/${id}`);
const patch = (id: string, body: object, headers = {}) =>
  call(node, bearer(headers), 'PATCH', `/data-sources/${id}`, body);
const remove = (id: string, headers = {}) => call(node, bearer(headers), 'DELETE', `/data-sources/${id}`);
const rowOf = async (id: string) => (await database.single<DataSourceRow>(orgId, findDataSource(orgId, id)))[0]!;

let count = 0;
const repository = (more: object = {}) => ({ url: `https://git.example.com/team/app${++count}.git`, ...more });
const addRepository = async (config: object = repository()) => {
  const { status, body } = await post({ kind: 'git_repository', config });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
};

test('every kind is added, answered whole with its address, and found again', async () => {
  await mkdir(join(localRepositories, 'sample'));
  const given: [object, string, object][] = [
    [
      { kind: 'git_repository', config: { url: 'git@github.com:example/api.git', branch: 'main' } },
      'api',
      { url: 'git@github.com:example/api.git', branch: 'main' },
    ],
    [
      { kind: 'git_repository', config: { url: `file://${localRepositories}/sample` } },
      'sample',
      { url: `file://${localRepositories}/sample`, branch: null },
    ],
    [
      { kind: 'website', name: ' Shop ', config: { url: 'https://www.example.com' } },
      'Shop',
      { url: 'https://www.example.com/' },
    ],
    [{ kind: 'host', config: { address: 'Allowed.corp' } }, 'allowed.corp', { address: 'allowed.corp' }],
    [{ kind: 'host', config: { address: '10.9.1.1' } }, '10.9.1.1', { address: '10.9.1.1' }],
    [{ kind: 'container_image', config: { reference: 'alpine:3.20' } }, 'alpine', { reference: 'alpine:3.20' }],
    [{ kind: 'upload', name: 'Results' }, 'Results', {}],
    [{ kind: 'upload', name: 'Results', config: {} }, 'Results', {}],
    [
      { kind: 'website', config: { url: 'https://a.unknown.example/' } },
      'a.unknown.example',
      { url: 'https://a.unknown.example/' },
    ],
  ];
  for (const [body, name, config] of given) {
    const created = await post(body);
    assert.equal(created.status, 201, JSON.stringify(created.body));
    assert.equal(created.body.name, name);
    assert.deepEqual(created.body.config, config);
    assert.deepEqual(Object.keys(created.body), [
      'id',
      'kind',
      'name',
      'config',
      'has_credential',
      'status',
      'status_message',
      'open_findings',
      'last_scanned_at',
      'created_at',
    ]);
    assert.equal(created.headers.location, `/api/v1/data-sources/${created.body.id}`);
    const found = await get(created.body.id);
    assert.deepEqual(found.body, created.body);
    assert.equal(found.headers.etag, created.headers.etag);
  }
});

test('what is wrong is refused with the field and what is accepted', async () => {
  const wrong: [object, string, RegExp][] = [
    [{}, 'kind', /required/],
    [{ kind: 'ftp' }, 'kind', /one of git_repository/],
    [{ kind: 'git_repository' }, 'config', /required/],
    [{ kind: 'git_repository', config: {} }, 'config.url', /required/],
    [{ kind: 'git_repository', config: { url: 'https://u:p@git.example.com/a' } }, 'config.url', /config\.credential/],
    [
      { kind: 'git_repository', config: { url: 'https://git.example.com/a', brunch: 'x' } },
      'config.brunch',
      /known are url, branch, credential/,
    ],
    [{ kind: 'git_repository', config: { url: 'https://git.example.com/a', branch: 'a..b' } }, 'config.branch', /git/],
    [{ kind: 'git_repository', config: { url: 'file:///etc' } }, 'config.url', /ASSAY_LOCAL_REPOSITORIES/],
    [
      { kind: 'website', config: { url: 'https://www.example.com', branch: 'x' } },
      'config.branch',
      /not a known field/,
    ],
    [{ kind: 'host', config: { address: '10.0.0.0/8' } }, 'config.address', /range/],
    [{ kind: 'upload' }, 'name', /required for an upload/],
    [{ kind: 'upload', name: 'x', config: { url: 'https://x' } }, 'config.url', /none/],
    [{ kind: 'upload', name: ' \t' }, 'name', /one line/],
    [{ kind: 'upload', name: 'a\nb' }, 'name', /one line/],
    [{ kind: 'upload', name: 'x', extra: 1 }, 'extra', /not a known field/],
  ];
  for (const [body, field, message] of wrong) {
    const answer = await post(body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.equal(answer.body.error.details[0].field, field, JSON.stringify(answer.body));
    assert.match(answer.body.error.message, message);
  }
});

test('targets inside the network are refused, whatever they are called', async () => {
  const inside: object[] = [
    { kind: 'git_repository', config: { url: 'https://inside.example.com/a' } },
    { kind: 'git_repository', config: { url: 'ssh://git@0x7f.1/a' } },
    { kind: 'git_repository', config: { url: 'git@localhost:a' } },
    { kind: 'git_repository', config: { url: 'git://[::1]/a' } },
    { kind: 'website', config: { url: 'http://169.254.169.254/latest/meta-data/' } },
    { kind: 'website', config: { url: 'http://2130706433/' } },
    { kind: 'host', config: { address: '10.0.0.1' } },
    { kind: 'host', config: { address: 'metadata.internal' } },
    { kind: 'container_image', config: { reference: 'localhost:5000/app' } },
  ];
  for (const body of inside) {
    const answer = await post(body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.match(answer.body.error.message, /ASSAY_ALLOWED_TARGETS/);
  }
  const { id } = await addRepository();
  assert.equal((await patch(id, { config: { url: 'https://inside.example.com/a' } })).status, 400);
});

test('the same kind and address is there once, told with its id, and free again after deletion', async () => {
  const first = await addRepository({ url: 'https://git.example.com/same.git' });
  const again = await post({
    kind: 'git_repository',
    name: 'Another name',
    config: { url: 'https://GIT.example.com/same/' },
  });
  assert.equal(again.status, 409);
  assert.equal(again.body.error.code, 'already_exists');
  assert.equal(again.body.error.details[0].id, first.id);
  assert.equal((await post({ kind: 'website', config: { url: 'https://git.example.com/same' } })).status, 201);
  const other = await createTenant(database);
  assert.equal(
    (await post({ kind: 'git_repository', config: { url: 'https://git.example.com/same' } }, other.token)).status,
    201,
  );
  assert.equal((await remove(first.id)).status, 204);
  await addRepository({ url: 'https://git.example.com/same' });
});

test('of many who add the same at once one succeeds, and all others learn its id', async () => {
  const config = repository();
  const answers = await Promise.all(Array.from({ length: 8 }, () => post({ kind: 'git_repository', config })));
  const created = answers.filter((answer) => answer.status === 201);
  assert.equal(created.length, 1);
  for (const answer of answers.filter((one) => one.status !== 201)) {
    assert.equal(answer.status, 409);
    assert.equal(answer.body.error.details[0].id, created[0]!.body.id);
  }
});

const privateKey = ['-----BEGIN', 'OPENSSH PRIVATE KEY-----\nAAAA\n-----END', 'OPENSSH PRIVATE KEY-----\n'].join(' ');

test('a credential is kept sealed, never answered, and opens only for its data source', async () => {
  const token = randomBytes(12).toString('hex');
  const created = await post({
    kind: 'git_repository',
    config: repository({ credential: { username: 'bot', token } }),
  });
  assert.equal(created.status, 201);
  assert.equal(created.body.has_credential, true);
  const list = await call(node, tenant.token, 'GET', '/data-sources?limit=200');
  for (const answer of [created, await get(created.body.id), list])
    assert.ok(!JSON.stringify(answer.body).includes(token));
  const row = await rowOf(created.body.id);
  assert.ok(!JSON.stringify(row).includes(token));
  assert.deepEqual(openCredential(keyring, orgId, row), { username: 'bot', token });
  const thief = await addRepository();
  assert.throws(() => openCredential(keyring, orgId, { ...row, id: thief.id }));
  assert.throws(() => openCredential(keyring, 'org_other', row));
});

test('a credential must be of the kind that the URL takes', async () => {
  const https = (credential: object) => post({ kind: 'git_repository', config: repository({ credential }) });
  const ssh = (credential: object) =>
    post({ kind: 'git_repository', config: { url: `git@git.example.com:team/key${++count}`, credential } });
  for (const good of [
    https({ token: 't' }),
    https({ password: 'p' }),
    https({ username: 'u', password: 'p' }),
    ssh({ private_key: privateKey }),
    ssh({ private_key: privateKey, passphrase: 'p' }),
  ]) {
    assert.equal((await good).status, 201);
  }
  const bad = [
    https({}),
    https({ username: 'u' }),
    https({ token: 't', password: 'p' }),
    https({ private_key: privateKey }),
    https({ token: 'two\nlines' }),
    https({ token: '' }),
    ssh({ token: 't' }),
    ssh({ private_key: 'ssh-rsa AAAA' }),
    ssh({ passphrase: 'p' }),
    post({ kind: 'git_repository', config: { url: 'git://git.example.com/a', credential: { token: 't' } } }),
  ];
  for (const answer of await Promise.all(bad)) {
    assert.equal(answer.status, 400);
    assert.match(answer.body.error.details[0].field, /^config\.credential/);
  }
});

test('an update changes what it names and leaves the rest', async () => {
  const { id, config } = await addRepository(repository({ branch: 'main', credential: { token: 't' } }));
  const renamed = await patch(id, { name: 'Payments' });
  assert.deepEqual(
    [renamed.status, renamed.body.name, renamed.body.config, renamed.body.has_credential],
    [200, 'Payments', config, true],
  );
  const moved = await patch(id, { config: { branch: null } });
  assert.deepEqual(moved.body.config, { ...config, branch: null });
  assert.deepEqual(openCredential(keyring, orgId, await rowOf(id)), { token: 't' });
  assert.equal((await patch(id, { config: { credential: { password: 'new' } } })).body.has_credential, true);
  assert.deepEqual(openCredential(keyring, orgId, await rowOf(id)), { password: 'new' });
  assert.equal((await patch(id, { config: { credential: null } })).body.has_credential, false);
  for (const body of [{}, { config: {} }, { kind: 'host' }, { config: { address: 'x' } }, { config: { branch: '' } }]) {
    assert.equal((await patch(id, body)).status, 400, JSON.stringify(body));
  }
});

test('a stored credential does not follow the URL to another host', async () => {
  const { id } = await addRepository(repository({ credential: { token: 't' } }));
  for (const url of [
    'https://evil.example.com/a',
    'https://git.example.com:444/a',
    'ssh://git.example.com/a',
    'git://git.example.com/a',
  ]) {
    const answer = await patch(id, { config: { url } });
    assert.equal(answer.body.error?.details[0].field, 'config.credential', url);
  }
  assert.equal((await patch(id, { config: { url: 'https://git.example.com/team/renamed' } })).status, 200);
  assert.equal((await patch(id, { config: { url: 'https://other.example.com/a', credential: null } })).status, 200);
});

test('an update to an address that another one has is refused with its id', async () => {
  const [first, second] = [await addRepository(), await addRepository()];
  const answer = await patch(second.id, { config: { url: first.config.url } });
  assert.equal(answer.status, 409);
  assert.equal(answer.body.error.details[0].id, first.id);
});

test('If-Match guards changes by people and does not mind scans', async () => {
  const { id } = await addRepository();
  const { etag } = (await get(id)).headers;
  await database.transaction(orgId, (tx) =>
    updateScanOutcome(tx, orgId, id, { status: 'error', message: 'Not reachable.', at: new Date() }),
  );
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

test('of updates at once with one If-Match exactly one wins', async () => {
  const { id } = await addRepository();
  const headers = { 'if-match': String((await get(id)).headers.etag) };
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) => patch(id, { name: `Name ${index}` }, headers)),
  );
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 412, 412, 412, 412, 412]);
});

test('deletion takes it from lists and scans, destroys the credential, and runs what later slices add in the same transaction', async () => {
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
  for (const answer of [await get(id), await remove(id), await patch(id, { name: 'x' })])
    assert.equal(answer.status, 404);
  const scannable = await database.transaction(orgId, (tx) => listScannableDataSources(tx, orgId, ['git_repository']));
  assert.ok(!scannable.some((row) => row.id === id));
});

test('the list walks all, newest first, with no repetition while others are added', async () => {
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

test('another organization finds nothing, reading needs sources:read, writing an admin with sources:write', async () => {
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

test('a query that forgets the organization gets nothing', async () => {
  await addRepository();
  assert.equal((await database.single(null, { text: 'SELECT 1 FROM data_sources' })).length, 0);
  const other = await createTenant(database);
  assert.equal((await database.single(other.orgId, { text: 'SELECT 1 FROM data_sources' })).length, 0);
});

test('open findings are counted from the figures', async () => {
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
