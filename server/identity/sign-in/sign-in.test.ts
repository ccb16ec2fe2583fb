import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { createTestNode } from '../../../tests/harness/identity.ts';
import { createTenant, testBaseUrl, testPassword } from '../../../tests/harness/people.ts';
import { identityRoutes } from '../profile/routes.ts';
import { signInRoutes } from './routes.ts';

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
  (await send('/auth/session', undefined, { headers, method: 'GET' })).json().user !== null;

function assertRefused(response: Awaited<ReturnType<typeof send>>, status: number, code: string, field?: string) {
  assert.equal(response.statusCode, status, response.body);
  const { error } = response.json();
  assert.equal(error.code, code, response.body);
  assert.ok(error.message.length > 5 && error.request_id);
  if (field !== undefined) assert.equal(error.details[0].field, field);
  assert.match(String(response.headers['content-type']), /^application\/json/);
}

const off = [
  ...['/auth/sign-up/email', '/auth/sign-in/social', '/auth/change-email', '/auth/delete-user', '/auth/update-user'],
  ...['/auth/send-verification-email', '/auth/link-social', '/auth/unlink-account', '/auth/change-password'],
  ...['/auth/refresh-token', '/auth/get-access-token', '/auth/update-session', '/auth/revoke-session'],
  ...['/auth/verify-password', '/auth/revoke-sessions', '/auth/two-factor/enable', '/auth/two-factor/disable'],
  ...['/auth/two-factor/get-totp-uri', '/auth/two-factor/verify-totp', '/auth/two-factor/send-otp'],
  ...['/auth/two-factor/verify-backup-code', '/auth/two-factor/verify-otp', '/auth//sign-in/email/x', '/auth/'],
];

test('unused endpoints of the sign-in library are off', async () => {
  const headers = await sessionOf((await createTenant(database)).email);
  for (const path of off) assertRefused(await send(path, {}, { headers }), 404, 'not_found');
  for (const path of [
    ...['/auth/ok', '/auth/error', '/auth/list-accounts', '/auth/list-sessions', '/auth/callback/x'],
    ...['/auth/get-session', '/auth/verify-email', '/auth/reset-password/x'],
  ]) {
    assertRefused(await send(path, undefined, { headers, method: 'GET' }), 404, 'not_found');
  }
});

describe('the sign-in refuses invalid requests like the API', () => {
  for (const { path, method, body, requestExample } of signInRoutes.filter(({ method }) => method !== 'DELETE')) {
    test(`${method} ${path}`, async () => {
      const headers = await sessionOf((await createTenant(database)).email);
      const other = await send(path, undefined, { headers, method: method === 'GET' ? 'POST' : 'GET' });
      assertRefused(other, 405, 'method_not_allowed');
      assert.equal(other.headers.allow, method);
      const verb = method as 'GET' | 'POST';
      const foreign = await send(`${path}?callbackURL=https://evil.example`, requestExample, { headers, method: verb });
      assertRefused(foreign, 400, 'invalid_request');
      if (method === 'GET') return;
      assertRefused(
        await send(path, requestExample ?? {}, { headers: { origin: 'https://evil.example' } }),
        ...([403, 'forbidden'] as const),
      );
      assertRefused(await send(path, '{', { headers }), 400, 'malformed_json');
      assertRefused(await send(path, '[]', { headers }), 400, 'invalid_request');
      assertRefused(await send(path, { unknown: 'x' }, { headers }), 400, 'invalid_request');
      if (body) {
        const [field] = Object.keys(requestExample as object);
        assertRefused(await send(path, { [field!]: 'a\u0000b' }, { headers }), 400, 'invalid_request', field);
        assertRefused(await send(path, { [field!]: 'x'.repeat(50_000) }, { headers }), 400, 'invalid_request');
      }
      const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
      assertRefused(
        await nodes[0]!.app.inject({ method: verb, url: path, headers: form, payload: 'a=b' }),
        ...([415, 'unsupported_media_type'] as const),
      );
    });
  }
});

const profile = (method: 'POST' | 'PUT', path: string, payload: object, headers: Record<string, string>) =>
  send(`/api/v1/profile${path}`, payload, { headers, method });

test('a new password ends all other sessions and keeps this one', async () => {
  const { email } = await createTenant(database);
  const [mine, other] = [await sessionOf(email), await sessionOf(email)];
  const next = 'another horse battery';
  const wanted = { current_password: testPassword, new_password: next };
  const changed = await profile('PUT', '/password', wanted, mine);
  assert.equal(changed.statusCode, 204, changed.body);
  const cookie = String(changed.headers['set-cookie']).split(';')[0]!;
  assert.ok(await isSignedIn({ cookie }));
  assert.ok(!(await isSignedIn(other)) && !(await isSignedIn(mine)));
  assertRefused(await signIn(email), 401, 'unauthenticated');
  assert.equal((await signIn(email, next)).statusCode, 200);
});

test("a new password that is common, too short or the email address is refused with the field's name", async () => {
  const { email } = await createTenant(database);
  const headers = await sessionOf(email);
  for (const new_password of [
    ...['password1', 'PassWord1', 'iloveyou', email, email.toUpperCase(), 'short', 'x'.repeat(129)],
  ]) {
    const answer = await profile('PUT', '/password', { current_password: testPassword, new_password }, headers);
    assertRefused(answer, 400, 'invalid_request', 'new_password');
  }
  const wrong = { current_password: 'wrong one', new_password: 'another horse battery' };
  assertRefused(await profile('PUT', '/password', wrong, headers), 400, 'invalid_request', 'current_password');
});

test('wrong passwords of an address for an account are limited across all nodes, whether it exists or not', async () => {
  const { email } = await createTenant(database);
  for (const name of [email, `nobody-${email}`]) {
    const address = newAddress();
    const responses = [];
    for (let guess = 0; guess < 12; guess++)
      responses.push(await signIn(name, `wrong ${guess}`, { node: guess % 2, address }));
    assert.deepEqual(
      responses.map(({ statusCode }) => statusCode),
      [...Array(10).fill(401), 429, 429],
    );
    assertRefused(responses[11]!, 429, 'rate_limited');
    const seconds = Number(responses[11]!.headers['retry-after']);
    assert.ok(seconds >= 1 && seconds <= 60, String(seconds));
    if (name !== email) continue;
    assertRefused(await signIn(email, testPassword, { address }), 429, 'rate_limited');
    // Time is moved in the database, whose clock decides.
    await admin.query(`UPDATE guess_limits SET full_at = full_at - interval '60 seconds'`);
    assert.equal((await signIn(email, testPassword, { address })).statusCode, 200);
  }
});

test('simultaneous wrong passwords do not bypass the limit', async () => {
  const { email } = await createTenant(database);
  const address = newAddress();
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, guess) => signIn(email, `wrong ${guess}`, { address })),
  );
  assert.equal(responses.filter(({ statusCode }) => statusCode === 401).length, 10);
});

/**
 * Sends wrong passwords from unknown browsers: ten from each address, the maximum that is checked, and one that is
 * refused.
 */
async function attack(email: string, addressCount: number): Promise<void> {
  const statuses = new Set<number>();
  for (let index = 0; index < addressCount; index++) {
    const address = newAddress();
    const guesses = Array.from({ length: 10 }, (_, guess) => signIn(email, `wrong ${guess}`, { address }));
    for (const { statusCode } of await Promise.all(guesses)) statuses.add(statusCode);
    assertRefused(await signIn(email, 'wrong', { address }), 429, 'rate_limited');
  }
  assert.deepEqual(statuses, new Set([401]));
}

const deviceCookieOf = (response: Awaited<ReturnType<typeof send>>) => {
  const cookie = [response.headers['set-cookie'] ?? []].flat().find((line) => line.startsWith('assay.device='));
  return { cookie: cookie!.split(';')[0]!, origin: testBaseUrl };
};

/** Returns how many of 30 sign-ins with the right password succeed, from browsers with different addresses. */
async function signInsOf(email: string, headers: Record<string, string>): Promise<number> {
  const tries = Array.from({ length: 30 }, () => signIn(email, testPassword, { headers }));
  return (await Promise.all(tries)).filter(({ statusCode }) => statusCode === 200).length;
}

test('after 10 and 1,000 wrong passwords of strangers the right one still works in a known browser and in a new one elsewhere', async () => {
  const { email } = await createTenant(database);
  const known = deviceCookieOf(await signIn(email));
  await attack(email, 1);
  assert.equal((await signIn(email, testPassword, { headers: known })).statusCode, 200);
  assert.equal(await signInsOf(email, {}), 30);
  await attack(email, 4);
  // From here on, all requests of this address are refused before any check.
  const address = newAddress();
  for (let batch = 0; batch < 19; batch++) {
    await Promise.all(Array.from({ length: 50 }, () => signIn(email, 'wrong', { address })));
  }
  assert.equal(await signInsOf(email, known), 30);
  assert.equal(await signInsOf(email, {}), 30);
});

test('a browser is known only to the accounts that it signed in to, and its own wrong passwords are limited', async () => {
  const [mallory, victim] = [await createTenant(database), await createTenant(database)];
  const address = newAddress();
  const response = await signIn(mallory.email, testPassword, { address });
  const headers = deviceCookieOf(response);
  for (let guess = 0; guess < 10; guess++) {
    assertRefused(await signIn(victim.email, 'wrong', { headers, address }), 401, 'unauthenticated');
  }
  assertRefused(await signIn(victim.email, testPassword, { headers, address }), 429, 'rate_limited');
  const forged = { ...headers, cookie: `${headers.cookie.slice(0, -4)}AAAA` };
  assertRefused(await signIn(victim.email, testPassword, { headers: forged, address }), 429, 'rate_limited');
  // First the known browser's own limit applies, then that of an unknown one.
  const statuses = [];
  for (let guess = 0; guess < 21; guess++) {
    statuses.push((await signIn(mallory.email, `wrong ${guess}`, { headers, address: '192.0.2.77' })).statusCode);
  }
  assert.deepEqual(statuses, [...Array(20).fill(401), 429]);
});

test('wrong passwords are limited per address, for any number of accounts, and a right one still works', async () => {
  const { email } = await createTenant(database);
  const address = '192.0.2.9';
  const begunAt = performance.now();
  let guesses = 0;
  const guess = () => {
    const headers = { 'x-forwarded-for': newAddress(), 'x-assay-client-address': newAddress() };
    return signIn(`guess${guesses++}@example.com`, 'wrong one', { address, headers });
  };
  let refused = await guess();
  while (refused.statusCode !== 429) refused = await guess();
  // Twenty at once, and one more every three seconds.
  assert.ok(guesses > 20 && guesses <= 22 + (performance.now() - begunAt) / 3_000, String(guesses));
  assert.ok(Number(refused.headers['retry-after']) > 0);
  // One attempt a second is checked, and only a few wait.
  const startedAt = performance.now();
  const rush = [...Array(15).keys()].map((index) => signIn(`rush${index}@example.com`, 'wrong one', { address }));
  assert.ok((await Promise.all(rush)).filter(({ statusCode }) => statusCode === 429).length >= 10);
  assert.ok(performance.now() - startedAt > 3_000);
  assert.equal((await signIn(email, testPassword, { address })).statusCode, 200);
});

test('right passwords do not count', async () => {
  const { email } = await createTenant(database);
  for (let times = 0; times < 25; times++) {
    assert.equal((await signIn(email, testPassword, { address: '192.0.2.10' })).statusCode, 200);
  }
});

test("guesses with a stolen session are limited in the session, and strangers can't use up its limit", async () => {
  const { email } = await createTenant(database);
  const headers = await sessionOf(email);
  const own = await sessionOf(email);
  await attack(email, 2);
  const statuses = [];
  for (let guess = 0; guess < 5; guess++) {
    const change = { current_password: `wrong ${guess}`, new_password: 'another horse battery' };
    statuses.push((await profile('PUT', '/password', change, headers)).statusCode);
    const wrong = { name: 'x', password: `wrong ${guess}` };
    statuses.push((await profile('POST', '/tokens', wrong, headers)).statusCode);
  }
  assert.deepEqual(statuses, Array(10).fill(400));
  const right = { name: 'x', password: testPassword };
  assertRefused(await profile('POST', '/tokens', right, headers), 429, 'rate_limited');
  assert.equal((await profile('POST', '/tokens', right, own)).statusCode, 201);
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
  // Without a password hash it would take a tenth of the time.
  assert.ok(ratio > 0.4 && ratio < 2.5, `${ratio} ${JSON.stringify(times)}`);
});
