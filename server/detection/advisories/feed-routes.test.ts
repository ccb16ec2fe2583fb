import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startApplication } from '../../../tests/harness/application.ts';
import { signIn } from '../../../tests/harness/furnished.ts';
import { createTenant, createTestMember } from '../../../tests/harness/people.ts';

const app = await startApplication();
const { database } = app;
after(() => app.close());

// The first organization runs the installation.
const first = await createTenant(database);
const admin = await createTestMember(database, first.orgId, 'admin');
const other = await createTenant(database);
const [owner, adminOfFirst, ownerOfOther] = [
  await signIn(app, first.email),
  await signIn(app, admin.email),
  await signIn(app, other.email),
];

const kev = JSON.stringify({ vulnerabilities: [{ cveID: 'CVE-2021-44228', dateAdded: '2021-12-10' }] });

async function call(headers: Record<string, string>, method: 'GET' | 'POST', path: string, payload?: string) {
  const response = await app.node.app.inject({
    method,
    url: `/api/v1${path}`,
    headers: { ...headers, ...(payload !== undefined && { 'content-type': 'application/octet-stream' }) },
    ...(payload !== undefined && { payload }),
  });
  return { status: response.statusCode, body: response.json() };
}

const states = async (headers: Record<string, string>) =>
  (await call(headers, 'GET', '/feeds')).body.data.map(({ name, status, may_load }: Record<string, unknown>) => [
    name,
    status,
    may_load,
  ]);

test('every organization can list the loaded feeds; owners of the first one can load them', async () => {
  const none = (may: boolean) => ['kev', 'epss', 'advisories'].map((name) => [name, 'not_loaded', may]);
  assert.deepEqual(await states(owner), none(true));
  assert.deepEqual(await states(adminOfFirst), none(false));
  assert.deepEqual(await states(ownerOfOther), none(false));
  for (const person of [adminOfFirst, ownerOfOther]) {
    const { status, body } = await call(person, 'POST', '/feeds/kev/upload', kev);
    assert.deepEqual([status, body.error.code], [403, 'forbidden']);
    assert.equal((await call(person, 'POST', '/feeds/load')).status, 403);
  }
  assert.equal(
    (await call({ authorization: `Bearer ${first.token}` }, 'GET', '/feeds')).body.error.code,
    'session_required',
  );
  assert.deepEqual(await states(owner), none(true));
});

test('an uploaded file is loaded like the daily one, and recorded', async () => {
  const loaded = await call(owner, 'POST', '/feeds/kev/upload', kev);
  assert.deepEqual([loaded.status, loaded.body], [200, { added: 1, changed: 0, removed: 0, unchanged: 0 }]);
  assert.deepEqual((await states(ownerOfOther))[0], ['kev', 'loaded', false]);
  assert.equal((await call(owner, 'POST', '/feeds/kev/upload', kev)).body.unchanged, 1);
  const [stored] = await database.single<{ count: number }>(null, {
    text: 'SELECT count(*)::int AS count FROM known_exploited',
  });
  assert.equal(stored!.count, 1);
  const { body } = await call(owner, 'GET', '/audit-events?action=feed.uploaded');
  assert.deepEqual(
    body.data.map(({ target, details }: { target: { id: string }; details: object }) => [target.id, details]),
    Array(2).fill(['kev', { bytes: kev.length }]),
  );
});

test('an unreadable file, an unknown feed and an unknown ecosystem are refused and change nothing', async () => {
  const damaged = await call(owner, 'POST', '/feeds/kev/upload', '{"vulnerabilities": [{}]}');
  assert.deepEqual([damaged.status, damaged.body.error.code], [400, 'invalid_request']);
  assert.match(damaged.body.error.message, /cveID/);
  assert.equal((await call(owner, 'POST', '/feeds/kev/upload', '')).status, 400);
  assert.equal((await call(owner, 'POST', '/feeds/osv/upload', kev)).status, 404);
  assert.equal((await call(owner, 'POST', '/feeds/advisories/upload', kev)).body.error.details[0].field, 'ecosystem');
  assert.equal((await call(owner, 'POST', '/feeds/advisories/upload?ecosystem=npm', kev)).status, 400);
  assert.deepEqual(await states(owner), [
    ['kev', 'loaded', true],
    ['epss', 'not_loaded', true],
    ['advisories', 'not_loaded', true],
  ]);
});

test('loading without a source says how to set one', async () => {
  const { status, body } = await call(owner, 'POST', '/feeds/load');
  assert.equal(status, 409);
  assert.match(body.error.message, /ASSAY_KEV/);
});
