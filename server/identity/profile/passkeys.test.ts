import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { createTestNode } from '../../../tests/harness/identity.ts';
import { createTenant } from '../../../tests/harness/people.ts';
import { createAuthenticator } from '../authenticator.fixture.ts';
import { type Browser, createBrowser } from '../browser.fixture.ts';
import { identityRoutes } from './routes.ts';

const db = await createTestDatabase();
const { database } = db;
const node = await createTestNode(database, identityRoutes);
const admin = new pg.Client({ connectionString: db.adminUrl });
await admin.connect();
after(async () => {
  await node.close();
  await admin.end();
  await db.drop();
});

const origin = 'http://localhost:8080';
const newBrowser = () => createBrowser(node.app, origin);

async function addPasskey(browser: Browser, name = 'Laptop') {
  const device = createAuthenticator();
  const options = await browser.api('POST', '/profile/passkeys/options', {});
  assert.equal(options.status, 200, options.text);
  const credential = device.create(options.body, origin);
  const made = await browser.api('POST', '/profile/passkeys', { name, credential });
  return { device, credential, made };
}

/** Creates a person with a passkey. */
async function person() {
  const { email } = await createTenant(database);
  const browser = newBrowser();
  await browser.signIn(email);
  return { email, browser, ...(await addPasskey(browser)) };
}

const begin = async (browser: Browser) => (await browser.send('POST', '/auth/sign-in/passkey/options')).body;
const signIn = (browser: Browser, credential: object) => browser.send('POST', '/auth/sign-in/passkey', { credential });

test('a passkey signs its person in, without a password and a code', async () => {
  const { email, device, made } = await person();
  assert.equal(made.status, 201, made.text);
  const browser = newBrowser();
  const response = await signIn(browser, device.get(await begin(browser), origin));
  assert.deepEqual([response.status, response.body.status, response.body.user?.email], [200, 'signed_in', email]);
  assert.equal((await browser.api('GET', '/profile')).body.email, email);
  const { data } = (await browser.api('GET', '/profile/passkeys')).body;
  assert.equal(data[0].name, 'Laptop');
  assert.match(data[0].last_used_at, /Z$/);
});

test('what a passkey signed works once, in the requesting browser, on our page, with its user verified', async () => {
  const { device } = await person();
  const browser = newBrowser();
  const options = await begin(browser);
  const credential = device.get(options, origin);
  const kept = browser.cookie('passkey')!;
  assert.equal((await signIn(newBrowser(), credential)).status, 400);
  assert.equal((await signIn(browser, credential)).status, 200);
  browser.setCookie('assay.passkey', kept);
  assert.equal((await signIn(browser, credential)).status, 400);
  for (const wrong of [
    (fresh: typeof options) => device.get(fresh, 'https://evil.example'),
    (fresh: typeof options) => device.get({ ...fresh, rpId: 'evil.example' }, origin),
    (fresh: typeof options) => device.get({ ...fresh, challenge: options.challenge }, origin),
    (fresh: typeof options) => device.get(fresh, origin, 0x01),
    (fresh: typeof options) => createAuthenticator().get(fresh, origin),
    (fresh: typeof options) => ({
      ...createAuthenticator().get(fresh, origin),
      id: credential.id,
      rawId: credential.id,
    }),
  ]) {
    const other = newBrowser();
    const response = await signIn(other, wrong(await begin(other)));
    assert.deepEqual([response.status, response.body.error.code], [401, 'unauthenticated']);
    assert.equal((await other.api('GET', '/profile')).status, 401);
  }
});

test('a passkey is renamed and removed by its person only, and a removed one signs nobody in', async () => {
  const { browser, device, made } = await person();
  const stranger = newBrowser();
  await stranger.signIn((await createTenant(database)).email);
  const path = `/profile/passkeys/${made.body.id}`;
  assert.equal((await stranger.api('DELETE', path)).status, 404);
  assert.equal((await stranger.api('PATCH', path, { name: 'Mine' })).status, 404);
  assert.equal((await browser.api('PATCH', path, { name: 'Phone' })).body.name, 'Phone');
  assert.equal((await browser.api('DELETE', path)).status, 204);
  const other = newBrowser();
  assert.equal((await signIn(other, device.get(await begin(other), origin))).status, 401);
  const { rows } = await admin.query(
    `SELECT action, details->>'passkey' AS passkey FROM audit_events
     WHERE action LIKE 'account.passkey%' AND details->>'passkey' = $1 ORDER BY id`,
    [made.body.id],
  );
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['account.passkey_added', 'account.passkey_removed'],
  );
});

test('a passkey is added only with a fresh sign-in or the password, and belongs to one person', async () => {
  const { email, browser, credential } = await person();
  const repeated = await browser.api('POST', '/profile/passkeys', { name: 'Again', credential });
  assert.deepEqual([repeated.status, repeated.body.error.details[0].field], [400, 'credential']);
  await admin.query(
    `UPDATE sessions s SET created_at = s.created_at - interval '16 minutes' FROM users u
     WHERE u.id = s.user_id AND u.email = $1`,
    [email],
  );
  const stale = await browser.api('POST', '/profile/passkeys/options', {});
  assert.deepEqual([stale.status, stale.body.error.code], [403, 'recent_sign_in_required']);
  const wrong = await browser.api('POST', '/profile/passkeys/options', { password: 'wrong one' });
  assert.equal(wrong.status, 400);
});

test('a passkey whose device did not verify its user is not added', async () => {
  const { browser } = await person();
  const options = await browser.api('POST', '/profile/passkeys/options', {});
  assert.equal(options.body.authenticatorSelection.userVerification, 'required');
  const credential = createAuthenticator().create(options.body, origin, 0x41);
  const made = await browser.api('POST', '/profile/passkeys', { name: 'Key', credential });
  assert.deepEqual([made.status, made.body.error.details[0].field], [400, 'credential']);
  assert.equal((await browser.api('GET', '/profile/passkeys')).body.data.length, 1);
});

test('a passkey that is registered is not added a second time, and stays with its person', async () => {
  const { email, device } = await person();
  const thief = newBrowser();
  await thief.signIn((await createTenant(database)).email);
  const options = await thief.api('POST', '/profile/passkeys/options', {});
  const again = await thief.api('POST', '/profile/passkeys', {
    name: 'Mine',
    credential: device.create(options.body, origin),
  });
  assert.deepEqual([again.status, again.body.error.code], [409, 'already_exists']);
  const browser = newBrowser();
  const response = await signIn(browser, device.get(await begin(browser), origin));
  assert.equal(response.body.user.email, email);
});

test('a passkey of a former release, whose key is stored as base64url, signs in', async () => {
  const { email, device, made } = await person();
  const { rows } = await admin.query('SELECT public_key FROM passkeys WHERE id = $1', [made.body.id]);
  const former = Buffer.from(rows[0].public_key, 'base64').toString('base64url');
  await admin.query('UPDATE passkeys SET public_key = $2 WHERE id = $1', [made.body.id, former]);
  const browser = newBrowser();
  const response = await signIn(browser, device.get(await begin(browser), origin));
  assert.deepEqual([response.status, response.body.user?.email], [200, email]);
});

test('the options of a sign-in name no passkey, and an address without a domain offers none', async () => {
  await person();
  const options = await begin(newBrowser());
  assert.ok(!options.allowCredentials?.length);
  assert.equal(options.userVerification, 'required');
  const at = async (host: string) =>
    (await node.app.inject({ url: '/auth/options', headers: { host } })).json().passkeys;
  assert.deepEqual(
    [await at('localhost:8080'), await at('127.0.0.1:8080'), await at('[::1]:8080')],
    [true, false, false],
  );
});
