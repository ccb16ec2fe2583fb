import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { createTestNode } from '../../../tests/harness/identity.ts';
import { createPerson, createTenant, testBaseUrl, testPassword } from '../../../tests/harness/people.ts';
import { insertMember } from '../../organization/queries.ts';
import { insertUnverifiedUser } from '../accounts/account-queries.ts';
import { type Browser, createBrowser } from '../browser.fixture.ts';
import { readOwnPath } from '../library/own-path.ts';
import { callbackPath, type SingleSignOnSettings } from '../library/single-sign-on.ts';
import { hashPassword } from '../password.ts';
import { beginInitialPassword } from '../password-queries.ts';
import { identityRoutes } from '../profile/routes.ts';
import { type ProviderPerson, startProvider } from '../provider.fixture.ts';

const people: Record<string, ProviderPerson> = {
  ada: { email: 'ada@corp.example', email_verified: true, name: 'Ada Lovelace' },
  grace: { email: 'grace@other.example', email_verified: true, name: 'Grace' },
  eve: { email: 'eve@corp.example', email_verified: false, name: 'Eve' },
};
const provider = await startProvider(people);
provider.accept(testBaseUrl);
const db = await createTestDatabase();
const { database } = db;
const settings: SingleSignOnSettings = {
  issuer: provider.issuer,
  clientId: provider.clientId,
  clientSecret: provider.clientSecret,
  allowedDomains: ['corp.example'],
  role: 'analyst',
};
const nodeWith = (changes: Partial<SingleSignOnSettings> = {}) =>
  createTestNode(database, identityRoutes, undefined, {}, undefined, {}, { singleSignOn: { ...settings, ...changes } });
const node = await nodeWith();
const first = await createTenant(database, 'First');
const admin = new pg.Client({ connectionString: db.adminUrl });
await admin.connect();
after(async () => {
  await node.close();
  await admin.end();
  await db.drop();
  provider.close();
});

/** Goes through the provider's pages as `name`, and returns the address that it redirects the browser to. */
async function walk(url: string, name: string): Promise<string> {
  const jar = new Map<string, string>();
  let [next, form]: [string, URLSearchParams | null] = [url, null];
  for (let steps = 0; steps < 12; steps++) {
    if (next.startsWith(testBaseUrl)) return next.slice(testBaseUrl.length);
    const response: Response = await fetch(next, {
      method: form ? 'POST' : 'GET',
      body: form,
      redirect: 'manual',
      headers: { cookie: [...jar].map(([key, value]) => `${key}=${value}`).join('; ') },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, key, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      jar.set(key!, value!);
    }
    const text = await response.text();
    const location: string | null = response.headers.get('location');
    if (location) [next, form] = [new URL(location, next).href, null];
    else {
      const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1];
      assert.ok(prompt, text);
      next = new URL(/action="([^"]+)"/.exec(text)![1]!, next).href;
      form = new URLSearchParams({ prompt, ...(prompt === 'login' && { login: name, password: 'x' }) });
    }
  }
  throw new Error(`The provider never sent ${name} back.`);
}

async function begin(browser: Browser, redirect?: string) {
  const started = await browser.send('POST', '/auth/sign-in/single-sign-on', { ...(redirect && { redirect }) });
  assert.equal(started.status, 200, started.text);
  return started.body.url as string;
}

/** Signs in at the provider. Returns the address where the browser ends up. */
async function signIn(
  name: string,
  { on = node, browser = createBrowser(on.app), redirect = '/findings?status=new' } = {},
) {
  const back = await walk(await begin(browser, redirect), name);
  const response = await browser.send('GET', back);
  assert.equal(response.status, 302, response.text);
  return { browser, location: response.headers.location, back };
}

test('a person of an allowed domain gets an account and the configured role at the first sign-in', async () => {
  const { browser, location } = await signIn('ada');
  assert.equal(location, '/findings?status=new');
  const { body } = await browser.api('GET', '/profile');
  assert.deepEqual(
    [body.email, body.name, body.has_password, body.organization.id, body.organization.role],
    ['ada@corp.example', 'Ada Lovelace', false, first.orgId, 'analyst'],
  );
  const again = await signIn('ada');
  assert.equal((await again.browser.api('GET', '/profile')).body.id, body.id);
  const options = await browser.send('GET', '/auth/options');
  assert.deepEqual(options.body.single_sign_on, { name: 'Single sign-on' });
});

test("an address that the provider has not verified, or of another domain, can't sign in", async () => {
  await createPerson(database, people.eve!.email);
  for (const name of ['eve', 'grace']) {
    const { browser, location } = await signIn(name);
    assert.equal(location, '/sign-in?error=single_sign_on_refused');
    assert.equal((await browser.api('GET', '/profile')).status, 401);
  }
});

test('without allowed domains only people with an account sign in, to their own account', async () => {
  const open = await nodeWith({ allowedDomains: [] });
  const tenant = await createTenant(database, 'Grace');
  assert.equal((await signIn('grace', { on: open })).location, '/sign-in?error=single_sign_on_refused');
  await admin.query('UPDATE users SET email = $1 WHERE id = $2', [people.grace!.email, tenant.userId]);
  const { browser } = await signIn('grace', { on: open });
  assert.equal((await browser.api('GET', '/profile')).body.id, tenant.userId);
  await open.close();
});

/** Creates an unverified account in the name of another person, and returns its id. */
async function capture(orgId: string, email: string): Promise<string> {
  const user = { email, name: 'Mallory', passwordHash: await hashPassword(testPassword) };
  const { id } = await database.transaction(null, async (tx) => {
    const created = (await insertUnverifiedUser(tx, orgId, user))!;
    await beginInitialPassword(tx, created.id);
    return created;
  });
  await database.transaction(orgId, (tx) => insertMember(tx, orgId, id, 'viewer'));
  return id;
}

test("an account created before its owner arrives is not linked with its creator's credentials", async () => {
  people.ciso = { email: 'ciso@corp.example', email_verified: true, name: 'Ciso' };
  const mallory = await createTenant(database, 'Mallory');
  const elsewhere = await capture(mallory.orgId, 'ciso@corp.example');
  const here = await capture(first.orgId, 'ciso@corp.example');
  const { browser } = await signIn('ciso');
  const { body } = await browser.api('GET', '/profile');
  // The account in this organization becomes theirs; the other one stays in its organization.
  assert.deepEqual(
    [body.id, body.email_verified, body.has_password, body.organizations.length, body.sign_in_refusal],
    [here, true, false, 1, null],
  );
  const others = await browser.send('GET', '/auth/accounts');
  assert.deepEqual(
    others.body.data.map(({ id }: { id: string }) => id),
    [elsewhere],
  );
  const thief = createBrowser(node.app);
  await thief.signIn('ciso@corp.example');
  assert.equal((await thief.api('GET', '/profile')).body.id, elsewhere);
});

test('a removed member does not come back by single sign-on', async () => {
  const { browser } = await signIn('ada');
  const { id } = (await browser.api('GET', '/profile')).body;
  await admin.query('DELETE FROM members WHERE user_id = $1', [id]);
  const back = await signIn('ada');
  const profile = await back.browser.api('GET', '/profile');
  assert.deepEqual([profile.status, profile.body.error.code], [403, 'forbidden']);
});

test('the response of the provider works once, in the requesting browser', async () => {
  const browser = createBrowser(node.app);
  const back = await walk(await begin(browser), 'ada');
  const elsewhere = await createBrowser(node.app).send('GET', back);
  assert.equal(elsewhere.headers.location, '/sign-in?error=single_sign_on_expired');
  const victim = createBrowser(node.app);
  await begin(victim);
  assert.equal((await victim.send('GET', back)).headers.location, '/sign-in?error=single_sign_on_failed');
  const kept = browser.cookie('single_sign_on')!;
  assert.equal((await browser.send('GET', back)).headers.location, '/');
  browser.setCookie('assay.single_sign_on', kept);
  assert.equal((await browser.send('GET', back)).headers.location, '/sign-in?error=single_sign_on_failed');
  const denied = createBrowser(node.app);
  await begin(denied);
  const refusal = await denied.send('GET', `${callbackPath}?error=access_denied`);
  assert.equal(refusal.headers.location, '/sign-in?error=single_sign_on_failed');
});

test('a response without the nonce of the attempt signs nobody in', async () => {
  const browser = createBrowser(node.app);
  const url = new URL(await begin(browser));
  assert.equal(url.searchParams.get('code_challenge_method'), 'S256');
  assert.ok(url.searchParams.get('nonce'));
  url.searchParams.set('nonce', 'of another attempt');
  const back = await walk(url.href, 'ada');
  assert.equal((await browser.send('GET', back)).headers.location, '/sign-in?error=single_sign_on_failed');
  assert.equal((await browser.api('GET', '/profile')).status, 401);
});

test('an account that a former release linked stays its person’s, and no token of the provider is stored', async () => {
  const open = await nodeWith({ allowedDomains: [] });
  const { userId } = await createTenant(database, 'Former');
  people.linus = { email: 'moved@corp.example', email_verified: true, name: 'Linus' };
  await admin.query(`INSERT INTO accounts (id, account_id, provider_id, user_id) VALUES ('former', $1, 'oidc', $2)`, [
    `${provider.issuer}#linus`,
    userId,
  ]);
  for (let times = 0; times < 2; times++) {
    const { browser } = await signIn('linus', { on: open });
    assert.equal((await browser.api('GET', '/profile')).body.id, userId);
  }
  const { rows } = await admin.query(
    `SELECT provider_id, account_id, access_token, refresh_token, id_token FROM accounts
     WHERE user_id = $1 AND provider_id <> 'credential' ORDER BY provider_id`,
    [userId],
  );
  const noTokens = { access_token: null, refresh_token: null, id_token: null };
  assert.deepEqual(rows, [
    { provider_id: 'oidc', account_id: `${provider.issuer}#linus`, ...noTokens },
    { provider_id: `oidc:${provider.issuer}`, account_id: 'linus', ...noTokens },
  ]);
  await open.close();
});

test('the library’s own endpoints for providers and passkeys are off', async () => {
  const browser = createBrowser(node.app);
  await browser.signIn(first.email);
  const body = { providerId: 'evil', issuer: 'https://evil.example', domain: 'corp.example' };
  for (const path of [
    ...['/sso/register', '/sso/update-provider', '/sso/delete-provider', '/sso/providers', '/sso/saml2/sp/acs/evil'],
    ...['/passkey/delete-passkey', '/passkey/update-passkey', '/passkey/list-user-passkeys'],
  ]) {
    assert.equal((await browser.send('POST', `/auth${path}`, body)).status, 404, path);
    const inside = new Request(`${testBaseUrl}/auth${path}`, { method: 'POST', body: JSON.stringify(body) });
    assert.equal((await node.auth.handler(inside)).status, 404, path);
  }
  for (const path of ['/sign-in/sso', '/passkey/verify-registration', '/passkey/generate-register-options']) {
    assert.equal((await browser.send('POST', `/auth${path}`, body)).status, 404, path);
  }
});

const foreign = [
  ...['https://evil.example', '//evil.example', '/\\evil.example', '\\\\evil.example', 'javascript:alert(1)', ''],
  ...['/\t/evil.example', '/ /evil.example', '/.//evil.example', '/x/..//evil.example', 'findings', ' /x', '/\u0000'],
];

test('after a single sign-on the browser is redirected only to our own paths', async () => {
  for (const redirect of foreign) {
    assert.equal(readOwnPath(redirect), null, redirect);
    if (redirect === '') continue;
    const response = await createBrowser(node.app).send('POST', '/auth/sign-in/single-sign-on', { redirect });
    assert.equal(response.status, 400, redirect);
  }
  for (const own of ['/', '/findings?status=new&x=//evil.example#a', '/a%2F%2Fb']) assert.equal(readOwnPath(own), own);
});

test('an unavailable provider is 503, and the password still works', async () => {
  const away = await nodeWith({ issuer: 'http://127.0.0.1:9' });
  const browser = createBrowser(away.app);
  const started = await browser.send('POST', '/auth/sign-in/single-sign-on', {});
  assert.deepEqual([started.status, started.body.error.code], [503, 'unavailable']);
  await browser.signIn(first.email);
  await away.close();
});

test('without single sign-on it is 404, and the sign-in options omit it', async () => {
  const plain = await createTestNode(database, []);
  const browser = createBrowser(plain.app);
  assert.equal((await browser.send('GET', '/auth/options')).body.single_sign_on, null);
  assert.equal((await browser.send('POST', '/auth/sign-in/single-sign-on', {})).status, 404);
  assert.equal((await browser.send('GET', callbackPath)).status, 404);
  await plain.close();
});
