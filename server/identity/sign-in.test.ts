import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../tests/harness/database.ts';
import { createTenant, createTestNode, testBaseUrl, testPassword } from '../../tests/harness/identity.ts';
import { identityRoutes } from './routes.ts';
import { signInRoutes } from './sign-in-routes.ts';

const db = await createTestDatabase();
const { database } = db;
const nodes = [await createTestNode(database, identityRoutes), await createTestNode(database, [])];
const admin = new pg.Client({ connectionString: db.adminUrl });
await admin.connect();
after(async () => {
  for (const node of nodes) await node.close();
  await admin.end();
  await db.drop();
});

let addresses = 0;
const newAddress = () => `10.1.${Math.floor(++addresses / 250)}.${addresses % 250}`;

type Sent = { headers?: Record<string, string>; address?: string; node?: number; method?: 'GET' | 'POST' | 'PUT' };
const send = (
  path: string,
  payload: unknown,
  { headers = {}, address = newAddress(), node = 0, method = 'POST' }: Sent = {},
) =>
  nodes[node]!.app.inject({
    ...{
      method,
      url: path,
      remoteAddress: address,
      headers: { ...headers, ...(payload !== undefined && { 'content-type': 'application/json' }) },
    },
    ...(payload !== undefined && { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
  });
const signIn = (email: string, password = testPassword, sent: Sent = {}) =>
  send('/auth/sign-in/email', { email, password }, sent);

async function sessionOf(email: string, password = testPassword) {
  const response = await signIn(email, password);
  assert.equal(response.statusCode, 200, response.body);
  return { cookie: String(response.headers['set-cookie']).split(';')[0]!, origin: testBaseUrl };
}

const isSignedIn = async (headers: Record<string, string>) =>
  (await send('/auth/get-session', undefined, { headers, method: 'GET' })).json() !== null;

function assertRefused(response: Awaited<ReturnType<typeof send>>, status: number, code: string, field?: string) {
  assert.equal(response.statusCode, status, response.body);
  const { error } = response.json();
  assert.equal(error.code, code, response.body);
  assert.ok(error.message.length > 5 && error.request_id);
  if (field !== undefined) assert.equal(error.details[0].field, field);
  assert.match(String(response.headers['content-type']), /^application\/json/);
}

const off = [
  ...[
    '/auth/sign-up/email',
    '/auth/sign-in/social',
    '/auth/change-email',
    '/auth/delete-user',
    '/auth/request-password-reset',
  ],
  ...['/auth/reset-password', '/auth/send-verification-email', '/auth/link-social', '/auth/unlink-account'],
  ...['/auth/refresh-token', '/auth/get-access-token', '/auth/update-session', '/auth/revoke-session'],
  ...[
    '/auth/revoke-sessions',
    '/auth/two-factor/send-otp',
    '/auth/two-factor/verify-otp',
    '/auth//sign-in/email/x',
    '/auth/',
  ],
];

test('unused endpoints of the sign-in library are off', async () => {
  const headers = await sessionOf((await createTenant(database)).email);
  for (const path of off) assertRefused(await send(path, {}, { headers }), 404, 'not_found');
  for (const path of [
    '/auth/ok',
    '/auth/error',
    '/auth/list-accounts',
    '/auth/list-sessions',
    '/auth/callback/x',
    '/auth/verify-email',
  ]) {
    assertRefused(await send(path, undefined, { headers, method: 'GET' }), 404, 'not_found');
  }
});

describe('the sign-in refuses invalid requests as the API does', () => {
  for (const { path, method, session } of signInRoutes) {
    test(path, async () => {
      const headers = await sessionOf((await createTenant(database)).email);
      const other = await send(path, undefined, { headers, method: method === 'GET' ? 'POST' : 'GET' });
      assertRefused(other, 405, 'method_not_allowed');
      assert.equal(other.headers.allow, method);
      assertRefused(
        await send(`${path}?callbackURL=https://evil.example`, undefined, { headers, method }),
        400,
        'invalid_request',
      );
      if (session) {
        assertRefused(await send(path, {}), 401, 'unauthenticated');
        assertRefused(
          await send(path, {}, { headers: { ...headers, origin: 'https://evil.example' } }),
          403,
          'forbidden',
        );
      }
      if (method === 'GET') return;
      assertRefused(await send(path, '{', { headers }), 400, 'malformed_json');
      assertRefused(await send(path, '[]', { headers }), 400, 'invalid_request');
      assertRefused(await send(path, { unknown: 'x' }, { headers }), 400, 'invalid_request');
      assertRefused(await send(path, { password: 'a\u0000b' }, { headers }), 400, 'invalid_request', 'password');
      assertRefused(await send(path, { password: 'x'.repeat(50_000) }, { headers }), 400, 'invalid_request');
      const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
      assertRefused(
        await nodes[0]!.app.inject({ method, url: path, headers: form, payload: 'a=b' }),
        415,
        'unsupported_media_type',
      );
    });
  }
});

test('a person can not choose a misleading name, or a picture', async () => {
  const headers = await sessionOf((await createTenant(database)).email);
  for (const name of ['', '  ', 'x'.repeat(50_000), 'a\u0007b', 'a\u202eb', 'a\u0000b', 7]) {
    assertRefused(await send('/auth/update-user', { name }, { headers }), 400, 'invalid_request', 'name');
  }
  const image = { name: 'Ada', image: 'javascript:alert(1)' };
  assertRefused(await send('/auth/update-user', image, { headers }), 400, 'invalid_request', 'image');
  assert.equal((await send('/auth/update-user', { name: ' Ada ' }, { headers })).statusCode, 200);
  const { user } = (await send('/auth/get-session', undefined, { headers, method: 'GET' })).json();
  assert.equal(user.name, 'Ada');
});

test('a new password ends all other sessions and keeps this one', async () => {
  const { email } = await createTenant(database);
  const [mine, other] = [await sessionOf(email), await sessionOf(email)];
  const next = 'another horse battery';
  const wanted = { currentPassword: testPassword, newPassword: next, revokeOtherSessions: false };
  const changed = await send('/auth/change-password', wanted, { headers: mine });
  assert.equal(changed.statusCode, 200, changed.body);
  const cookie = String(changed.headers['set-cookie']).split(';')[0]!;
  assert.ok(await isSignedIn({ cookie }));
  assert.ok(!(await isSignedIn(other)) && !(await isSignedIn(mine)));
  assertRefused(await signIn(email), 401, 'unauthenticated');
  assert.equal((await signIn(email, next)).statusCode, 200);
});

test("a new password that is common, too short or the e-mail address is refused with the field's name", async () => {
  const { email } = await createTenant(database);
  const headers = await sessionOf(email);
  for (const newPassword of [
    'password1',
    'PassWord1',
    'iloveyou',
    email,
    email.toUpperCase(),
    'short',
    'x'.repeat(129),
  ]) {
    const response = await send('/auth/change-password', { currentPassword: testPassword, newPassword }, { headers });
    assertRefused(response, 400, 'invalid_request', 'newPassword');
  }
  assertRefused(
    await send(
      '/auth/change-password',
      { currentPassword: 'wrong one', newPassword: 'another horse battery' },
      { headers },
    ),
    ...([400, 'invalid_request', 'currentPassword'] as const),
  );
});

test('wrong passwords are limited per account across all nodes and addresses, whether it exists or not', async () => {
  const { email } = await createTenant(database);
  for (const address of [email, `nobody-${email}`]) {
    const responses = [];
    for (let guess = 0; guess < 12; guess++)
      responses.push(await signIn(address, `wrong ${guess}`, { node: guess % 2 }));
    assert.deepEqual(
      responses.map(({ statusCode }) => statusCode),
      [...Array(10).fill(401), 429, 429],
    );
    assertRefused(responses[11]!, 429, 'rate_limited');
    const seconds = Number(responses[11]!.headers['retry-after']);
    assert.ok(seconds >= 1 && seconds <= 60, String(seconds));
  }
  // Time is moved in the database, whose clock counts.
  await admin.query(`UPDATE guess_limits SET full_at = full_at - interval '60 seconds'`);
  assert.equal((await signIn(email)).statusCode, 200);
});

test('simultaneous wrong passwords do not bypass the limit', async () => {
  const { email } = await createTenant(database);
  const responses = await Promise.all(Array.from({ length: 30 }, (_, guess) => signIn(email, `wrong ${guess}`)));
  assert.equal(responses.filter(({ statusCode }) => statusCode === 401).length, 10);
});

test('wrong passwords are limited per address, for any number of accounts', async () => {
  const address = '192.0.2.9';
  const responses = [];
  for (let guess = 0; guess < 24; guess++) {
    const headers = { 'x-forwarded-for': newAddress(), 'x-assay-client-address': newAddress() };
    responses.push(await signIn(`guess${guess}@example.com`, 'wrong one', { address, headers }));
  }
  const refused = responses.filter(({ statusCode }) => statusCode === 429).length;
  assert.ok(refused >= 1 && refused <= 4, String(refused));
});

test('right passwords do not count', async () => {
  const { email } = await createTenant(database);
  for (let times = 0; times < 25; times++) {
    assert.equal((await signIn(email, testPassword, { address: '192.0.2.10' })).statusCode, 200);
  }
});

test('guesses with a stolen session are limited together with those of the sign-in', async () => {
  const { email } = await createTenant(database);
  const headers = await sessionOf(email);
  const statuses = [];
  for (let guess = 0; guess < 5; guess++) {
    statuses.push((await send('/auth/verify-password', { password: `wrong ${guess}` }, { headers })).statusCode);
    const change = { currentPassword: `wrong ${guess}`, newPassword: 'another horse battery' };
    statuses.push((await send('/auth/change-password', change, { headers })).statusCode);
  }
  assert.deepEqual(statuses, Array(10).fill(400));
  assertRefused(await send('/auth/verify-password', { password: testPassword }, { headers }), 429, 'rate_limited');
  assertRefused(await signIn(email), 429, 'rate_limited');
});

test('an unknown address takes as long as a wrong password', async () => {
  const { email } = await createTenant(database);
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  const measure = async (kind: keyof typeof times, address: string) => {
    const startedAt = performance.now();
    assertRefused(await signIn(address, 'wrong one'), 401, 'unauthenticated');
    times[kind].push(performance.now() - startedAt);
  };
  for (let round = 0; round < 9; round++) {
    await measure('known', email);
    await measure('unknown', `nobody${round}@example.com`);
  }
  const median = (list: number[]) => list.sort((a, b) => a - b)[4]!;
  const ratio = median(times.unknown) / median(times.known);
  // Without the work of a password it would be a tenth.
  assert.ok(ratio > 0.4 && ratio < 2.5, `${ratio} ${JSON.stringify(times)}`);
});
