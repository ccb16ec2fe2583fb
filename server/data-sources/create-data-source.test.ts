import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { call } from '../../tests/harness/identity.ts';
import { createTenant } from '../../tests/harness/people.ts';
import { openCredential } from './credential.ts';
import {
  addRepository,
  database,
  get,
  keyring,
  localRepositories,
  node,
  orgId,
  patch,
  post,
  remove,
  repository,
  rowOf,
  tenant,
} from './data-sources.fixture.ts';

test('every kind is added, returned whole with its address, and found again', async () => {
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
      'tags',
      'owner',
      'criticality',
      'exposure',
      'status',
      'status_message',
      'scanners',
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

test('an invalid field is refused with its name and the accepted values', async () => {
  const wrong: [object, string, RegExp][] = [
    [{}, 'kind', /required/],
    [{ kind: 'ftp' }, 'kind', /one of git_repository/],
    [{ kind: 'git_repository' }, 'config', /required/],
    [{ kind: 'git_repository', config: {} }, 'config.url', /required/],
    [{ kind: 'git_repository', config: { url: 'https://u:p@git.example.com/a' } }, 'config.url', /config\.credential/],
    [
      { kind: 'git_repository', config: { url: 'https://git.example.com/a', brunch: 'x' } },
      'config.brunch',
      /known are url, branch, branches, credential/,
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
    [{ kind: 'upload', name: `${'a'.repeat(60_000)}\n` }, 'name', /one line/],
    [{ kind: 'upload', name: 'x', extra: 1 }, 'extra', /not a known field/],
  ];
  for (const [body, field, message] of wrong) {
    const response = await post(body);
    assert.equal(response.status, 400, JSON.stringify(body));
    assert.equal(response.body.error.details[0].field, field, JSON.stringify(response.body));
    assert.match(response.body.error.message, message);
  }
});

test('targets inside the network are refused, whatever their name', async () => {
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
    const response = await post(body);
    assert.equal(response.status, 400, JSON.stringify(body));
    assert.match(response.body.error.message, /ASSAY_ALLOWED_TARGETS/);
  }
  const { id } = await addRepository();
  assert.equal((await patch(id, { config: { url: 'https://inside.example.com/a' } })).status, 400);
});

test('a kind and address can be added only once, the refusal contains the existing id, and deletion frees the address', async () => {
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

test('of many simultaneous requests for the same data source one succeeds, and the others get its id', async () => {
  const config = repository();
  const responses = await Promise.all(Array.from({ length: 8 }, () => post({ kind: 'git_repository', config })));
  const created = responses.filter((response) => response.status === 201);
  assert.equal(created.length, 1);
  for (const response of responses.filter((one) => one.status !== 201)) {
    assert.equal(response.status, 409);
    assert.equal(response.body.error.details[0].id, created[0]!.body.id);
  }
});

const privateKey = ['-----BEGIN', 'OPENSSH PRIVATE KEY-----\nAAAA\n-----END', 'OPENSSH PRIVATE KEY-----\n'].join(' ');

test('a credential is stored sealed, never returned, and opens only for its data source', async () => {
  const token = randomBytes(12).toString('hex');
  const created = await post({
    kind: 'git_repository',
    config: repository({ credential: { username: 'bot', token } }),
  });
  assert.equal(created.status, 201);
  assert.equal(created.body.has_credential, true);
  const list = await call(node, tenant.token, 'GET', '/data-sources?limit=200');
  for (const response of [created, await get(created.body.id), list])
    assert.ok(!JSON.stringify(response.body).includes(token));
  const row = await rowOf(created.body.id);
  assert.ok(!JSON.stringify(row).includes(token));
  assert.deepEqual(openCredential(keyring, orgId, row), { username: 'bot', token });
  const thief = await addRepository();
  assert.throws(() => openCredential(keyring, orgId, { ...row, id: thief.id }));
  assert.throws(() => openCredential(keyring, 'org_other', row));
});

test('a credential must be of the kind that the URL needs', async () => {
  const https = (credential: object) => post({ kind: 'git_repository', config: repository({ credential }) });
  const ssh = (credential: object) =>
    post({
      kind: 'git_repository',
      config: repository({ url: `git@git.example.com:team/${randomBytes(4).toString('hex')}`, credential }),
    });
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
  for (const response of await Promise.all(bad)) {
    assert.equal(response.status, 400);
    assert.match(response.body.error.details[0].field, /^config\.credential/);
  }
});
