import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { createTenant, createTestNode, testPassword } from '../../../tests/harness/identity.ts';
import { createBrowser } from '../browser.fixture.ts';
import { totpOf } from '../totp.fixture.ts';
import { identityRoutes } from './routes.ts';

const db = await createTestDatabase();
const { database } = db;
const node = await createTestNode(database, identityRoutes);
after(async () => {
  await node.close();
  await db.drop();
});

/** Creates a person with a second factor, in the browser that set it up. */
async function personWithCodes() {
  const { email } = await createTenant(database);
  const browser = createBrowser(node.app);
  assert.equal((await browser.signIn(email)).body.status, 'signed_in');
  const setup = await browser.api('POST', '/profile/two-factor', { password: testPassword });
  assert.equal(setup.status, 200, setup.text);
  const { secret, uri, recovery_codes: codes } = setup.body;
  assert.equal(new URL(uri).searchParams.get('issuer'), 'Assay');
  return { email, browser, secret, codes };
}

async function enabled() {
  const person = await personWithCodes();
  const confirmed = await person.browser.api('POST', '/profile/two-factor/confirm', { code: totpOf(person.secret) });
  assert.equal(confirmed.status, 204, confirmed.text);
  return person;
}

test('a second factor is on only after a code of the authenticator, and then a password alone does not sign in', async () => {
  const { email, browser, secret } = await personWithCodes();
  const before = await createBrowser(node.app).signIn(email);
  assert.equal(before.body.status, 'signed_in');
  const wrong = await browser.api('POST', '/profile/two-factor/confirm', { code: '000000' });
  assert.deepEqual([wrong.status, wrong.body.error.details[0].field], [400, 'code']);
  assert.equal((await browser.api('GET', '/profile')).body.two_factor_enabled, false);
  assert.equal((await browser.api('POST', '/profile/two-factor/confirm', { code: totpOf(secret) })).status, 204);
  assert.equal((await browser.api('GET', '/profile')).body.two_factor_enabled, true);

  const other = createBrowser(node.app);
  const first = await other.signIn(email);
  assert.deepEqual(first.body, { status: 'code_required', user: null });
  assert.equal((await other.api('GET', '/profile')).status, 401);
  const second = await other.send('POST', '/auth/sign-in/code', { code: totpOf(secret, 1) });
  assert.deepEqual([second.status, second.body.status, second.body.user.email], [200, 'signed_in', email]);
  assert.equal((await other.api('GET', '/profile')).status, 200);
});

test('a code works once', async () => {
  const { email, secret } = await enabled();
  const code = totpOf(secret, 1);
  const attempts = [];
  for (let times = 0; times < 2; times++) {
    const browser = createBrowser(node.app);
    await browser.signIn(email);
    attempts.push((await browser.send('POST', '/auth/sign-in/code', { code })).status);
    attempts.push((await browser.api('GET', '/profile')).status);
  }
  assert.deepEqual(attempts, [200, 200, 401, 401]);
});

test('a recovery code works once, and new codes replace the old ones', async () => {
  const { email, browser, codes } = await enabled();
  const use = async (code: string) => {
    const other = createBrowser(node.app);
    await other.signIn(email);
    return (await other.send('POST', '/auth/sign-in/recovery-code', { code })).status;
  };
  assert.equal(codes.length, 10);
  assert.deepEqual([await use(codes[0]), await use(codes[0]), await use('aaaaa-bbbbb')], [200, 401, 401]);
  const renewed = await browser.api('POST', '/profile/two-factor/recovery-codes', { password: testPassword });
  assert.equal(renewed.status, 200, renewed.text);
  assert.deepEqual([await use(codes[1]), await use(renewed.body.recovery_codes[0])], [401, 200]);
});

test('a trusted browser needs no code, until the second factor or the password changes', async () => {
  const { email, browser, secret } = await enabled();
  const trusted = createBrowser(node.app);
  await trusted.signIn(email);
  const code = { code: totpOf(secret, 1), trust_device: true };
  assert.equal((await trusted.send('POST', '/auth/sign-in/code', code)).status, 200);
  assert.equal((await trusted.send('POST', '/auth/sign-out')).status, 204);
  assert.equal((await trusted.signIn(email)).body.status, 'signed_in');
  const next = 'another horse battery';
  const change = { current_password: testPassword, new_password: next };
  assert.equal((await browser.api('PUT', '/profile/password', change)).status, 204);
  assert.equal((await trusted.signIn(email, next)).body.status, 'code_required');
});

test('the second factor can be removed only with the password, which then signs in alone', async () => {
  const { email, browser } = await enabled();
  const wrong = await browser.api('POST', '/profile/two-factor/remove', { password: 'wrong one' });
  assert.deepEqual([wrong.status, wrong.body.error.details[0].field], [400, 'password']);
  assert.equal((await browser.api('POST', '/profile/two-factor/remove', { password: testPassword })).status, 204);
  assert.equal((await createBrowser(node.app).signIn(email)).body.status, 'signed_in');
});

test('setting up a second factor again keeps the old one on until it is replaced, and renews the session', async () => {
  const { email, browser, secret } = await enabled();
  const before = browser.cookie('session_token');
  const again = await browser.api('POST', '/profile/two-factor', { password: testPassword });
  assert.notEqual(again.body.secret, secret);
  assert.equal((await createBrowser(node.app).signIn(email)).body.status, 'code_required');
  assert.equal((await browser.api('POST', '/profile/two-factor/remove', { password: testPassword })).status, 204);
  assert.notEqual(browser.cookie('session_token'), before);
});

test('only a few codes can be guessed, from however many addresses and sign-ins', async () => {
  const { email, secret } = await enabled();
  const statuses: number[] = [];
  for (let round = 0; round < 4; round++) {
    const browser = createBrowser(node.app);
    await browser.signIn(email);
    for (let guess = 0; guess < 5; guess++) {
      statuses.push(
        (await browser.send('POST', '/auth/sign-in/code', { code: `00000${guess}` }, { newAddress: true })).status,
      );
    }
  }
  assert.deepEqual(new Set(statuses), new Set([401, 429]));
  assert.equal(statuses.filter((status) => status === 401).length, 10);
  const browser = createBrowser(node.app);
  await browser.signIn(email);
  const right = await browser.send('POST', '/auth/sign-in/code', { code: totpOf(secret, 1) });
  assert.equal(right.status, 429);
  assert.ok(Number(right.headers['retry-after']) > 0);
});
