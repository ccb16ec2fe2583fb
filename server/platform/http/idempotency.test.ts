import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import Type from 'typebox';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { ApiError } from '../errors.ts';
import { claimKey, purgeIdempotencyKeys } from './idempotency-queries.ts';
import { createLibrary, defineRoute } from './library.fixture.ts';

const db = await createTestDatabase();
let runs: string[] = [];
let gate: Promise<void> | null = null;

const shared = {
  tag: 'Tests',
  summary: 'Counts its runs',
  description: 'Counts its runs.',
  permission: { role: 'viewer', scope: 'books:read' },
  errors: [],
};
const Count = Type.Object({ runs: Type.Integer() });
const countResponse = { schema: Count, description: 'How often it ran.', example: { runs: 1 } };

async function work(what: string) {
  runs.push(what);
  await gate;
  if (what === 'refused' && runs.length === 1) throw new ApiError('conflict', 'Not now.');
  if (what === 'broken' && runs.length === 1) throw new Error('broken');
  return { runs: runs.length };
}

const { app } = await createLibrary({
  database: db.database,
  routes: [
    defineRoute({
      ...shared,
      method: 'POST',
      path: '/runs',
      operationId: 'run',
      body: Type.Object({ what: Type.String() }),
      responses: { 201: countResponse },
      handler: async ({ body, reply }) => {
        reply.header('location', `/api/v1/runs/${runs.length + 1}`).header('etag', '"1"');
        return work(body.what);
      },
    }),
    defineRoute({
      ...shared,
      method: 'POST',
      path: '/transactions',
      operationId: 'runInTransaction',
      body: Type.Object({ what: Type.String() }),
      responses: { 201: countResponse },
      handler: ({ body, transaction }) =>
        transaction(async (tx) => {
          await tx.query({ text: 'SELECT 1' });
          return work(body.what);
        }),
    }),
    defineRoute({
      ...shared,
      method: 'POST',
      path: '/account',
      operationId: 'changeAccount',
      ofAccount: true,
      body: Type.Object({ what: Type.String() }),
      responses: { 201: countResponse },
      handler: ({ body, transaction }) =>
        transaction(async (tx) => {
          const { rows } = await tx.query<{ org: string }>({ text: `SELECT current_setting('app.org_id') AS org` });
          assert.equal(rows[0]!.org, '');
          return work(body.what);
        }),
    }),
    defineRoute({
      ...shared,
      method: 'POST',
      path: '/secrets',
      operationId: 'makeSecret',
      sensitive: true,
      responses: { 201: countResponse },
      handler: () => work('secret'),
    }),
    defineRoute({
      ...shared,
      method: 'POST',
      path: '/uploads',
      operationId: 'upload',
      rawBody: { description: 'Anything.', contentTypes: ['application/octet-stream'] },
      responses: { 202: countResponse },
      handler: async ({ upload }) => {
        let size = 0;
        for await (const chunk of upload) size += chunk.length;
        return work(`${size} bytes`);
      },
    }),
  ],
});
beforeEach(() => {
  runs = [];
  gate = null;
});
after(async () => {
  await app.close();
  await db.drop();
});

async function post(path: string, key: string | undefined, json: unknown, token = 'analyst') {
  const response = await app.inject({
    method: 'POST',
    url: `/api/v1${path}`,
    headers: {
      authorization: `Bearer ${token}`,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(json === undefined ? {} : { payload: typeof json === 'string' ? json : JSON.stringify(json) }),
  });
  const body = response.body === '' ? undefined : JSON.parse(response.body);
  return { status: response.statusCode, headers: response.headers, body, code: body?.error?.code, raw: response.body };
}

for (const path of ['/runs', '/transactions']) {
  test(`POST ${path}: the same key and body does the work once and returns the same`, async () => {
    const first = await post(path, `same${path}`, { what: 'x' });
    const second = await post(path, `same${path}`, { what: 'x' });
    assert.equal(runs.length, 1);
    assert.equal(first.headers['idempotency-replayed'], undefined);
    assert.equal(second.headers['idempotency-replayed'], 'true');
    assert.deepEqual([second.status, second.raw], [first.status, first.raw]);
    for (const name of ['location', 'etag', 'content-type']) assert.equal(second.headers[name], first.headers[name]);
    assert.notEqual(second.headers['x-request-id'], first.headers['x-request-id']);
  });

  test(`POST ${path}: the same key with another body, or on another path, is 409 idempotency_conflict`, async () => {
    await post(path, `other${path}`, { what: 'x' });
    assert.equal((await post(path, `other${path}`, { what: 'y' })).code, 'idempotency_conflict');
    assert.equal((await post('/secrets', `other${path}`, undefined)).code, 'idempotency_conflict');
    assert.equal(runs.length, 1);
  });

  test(`POST ${path}: many equal calls at once do the work once; the others get 409 or its response`, async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    const first = post(path, `many${path}`, { what: 'x' });
    while (runs.length === 0) await new Promise((next) => setImmediate(next));
    const others = await Promise.all(Array.from({ length: 8 }, () => post(path, `many${path}`, { what: 'x' })));
    assert.ok(
      others.every(
        (response) => response.code === 'idempotency_in_progress' && response.headers['retry-after'] === '1',
      ),
    );
    resolve();
    assert.equal((await first).status, 201);
    assert.equal((await post(path, `many${path}`, { what: 'x' })).status, 201);
    assert.equal(runs.length, 1);
  });

  test(`POST ${path}: a failed call may be tried again with its key`, async () => {
    assert.equal((await post(path, `refused${path}`, { what: 'refused' })).status, 409);
    assert.equal((await post(path, `refused${path}`, { what: 'refused' })).status, 201);
    runs = [];
    assert.equal((await post(path, `broken${path}`, { what: 'broken' })).status, 500);
    assert.equal((await post(path, `broken${path}`, { what: 'broken' })).status, 201);
  });
}

test('a key belongs to one credential of one organization', async () => {
  for (const token of ['analyst', 'analyst2', 'other']) {
    assert.equal((await post('/runs', 'mine', { what: 'x' }, token)).headers['idempotency-replayed'], undefined);
  }
  assert.equal(runs.length, 3);
});

test('without a key every call does the work', async () => {
  await post('/runs', undefined, { what: 'x' });
  await post('/runs', undefined, { what: 'x' });
  assert.equal(runs.length, 2);
});

test('a request that is refused for its shape leaves its key unused', async () => {
  assert.equal((await post('/runs', 'shape', { what: 1 })).status, 400);
  assert.equal((await post('/runs', 'shape', { what: 'x' })).status, 201);
});

test('a key that is empty, too long or not visible ASCII is 400', async () => {
  for (const key of ['a b', 'x'.repeat(256), 'ä']) assert.equal((await post('/runs', key, { what: 'x' })).status, 400);
  assert.equal((await post('/runs', 'x'.repeat(255), { what: 'x' })).status, 201);
});

test('the response of a sensitive route is not stored', async () => {
  assert.equal((await post('/secrets', 'secret', undefined)).status, 201);
  const again = await post('/secrets', 'secret', undefined);
  assert.equal(again.code, 'idempotency_conflict');
  assert.equal(runs.length, 1);
  const rows = await db.database.single<{ body: null }>('org_1', {
    text: `SELECT body FROM idempotency_keys WHERE org_id = 'org_1' AND key = 'secret'`,
  });
  assert.deepEqual(rows, [{ body: null }]);
});

test('an upload is compared by its content', async () => {
  const file = JSON.stringify({ text: 'x'.repeat(3_000_000) });
  assert.equal((await post('/uploads', 'upload', file)).status, 202);
  const again = await post('/uploads', 'upload', file);
  assert.equal(again.headers['idempotency-replayed'], 'true');
  assert.equal((await post('/uploads', 'upload', `${file} `)).code, 'idempotency_conflict');
  assert.deepEqual(runs, [`${file.length} bytes`]);
});

const ownerOf = (key: string) => ({
  ...{ orgId: 'org_1', userId: 'analyst', credentialId: 'analyst', key },
  runId: 'a-dead-process',
});
const lapse = (key: string) =>
  db.database.single('org_1', {
    text: `UPDATE idempotency_keys SET leased_until = now() - interval '1 s' WHERE org_id = 'org_1' AND key = $1`,
    values: [key],
  });

test('a process that died blocks its key only until its lease expires', async () => {
  assert.ok(await claimKey(db.database, ownerOf('dead'), null));
  assert.equal((await post('/runs', 'dead', { what: 'x' })).code, 'idempotency_in_progress');
  await lapse('dead');
  assert.equal((await post('/runs', 'dead', { what: 'x' })).status, 201);
});

test('a process that died before the clock was set back blocks its key no longer than that', async () => {
  assert.ok(await claimKey(db.database, ownerOf('ahead'), null));
  await db.database.single('org_1', {
    text: `UPDATE idempotency_keys SET leased_until = leased_until + interval '6 hours' WHERE org_id = 'org_1' AND key = 'ahead'`,
  });
  assert.equal((await post('/runs', 'ahead', { what: 'x' })).status, 201);
});

test('a run that lost its key to another does not commit its work', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  const stalled = post('/transactions', 'stalled', { what: 'x' });
  while (runs.length === 0) await new Promise((next) => setImmediate(next));
  await lapse('stalled');
  assert.ok(await claimKey(db.database, ownerOf('stalled'), null));
  resolve();
  assert.equal((await stalled).code, 'idempotency_in_progress');
});

test('keys of requests that change an account belong to the person, and work and expire like the others', async () => {
  assert.equal((await post('/account', 'mine', { what: 'x' })).status, 201);
  const again = await post('/account', 'mine', { what: 'x' });
  assert.deepEqual([again.status, again.headers['idempotency-replayed']], [201, 'true']);
  assert.equal((await post('/account', 'mine', { what: 'y' })).code, 'idempotency_conflict');
  assert.deepEqual(runs, ['x']);
  runs = [];
  const refused = await post('/account', 'later', { what: 'broken' });
  assert.equal(refused.status, 500);
  assert.equal((await post('/account', 'later', { what: 'broken' })).status, 201);
  await db.asAdmin('UPDATE account_idempotency_keys SET expires_at = now()');
  assert.equal(await purgeIdempotencyKeys(db.database), 2);
});

test('keys expire after 24 hours and are purged across all organizations', async () => {
  await post('/runs', 'old', { what: 'x' });
  await post('/runs', 'old', { what: 'x' }, 'other');
  for (const orgId of ['org_1', 'org_2']) {
    await db.database.single(orgId, {
      text: `UPDATE idempotency_keys SET expires_at = now() WHERE org_id = $1 AND key = 'old'`,
      values: [orgId],
    });
  }
  assert.equal((await post('/runs', 'old', { what: 'y' })).status, 201);
  await db.database.single('org_1', {
    text: `UPDATE idempotency_keys SET expires_at = now() WHERE org_id = 'org_1' AND key = 'old'`,
  });
  assert.equal(await purgeIdempotencyKeys(db.database), 2);
});
