import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { createTestNode } from '../../../tests/harness/identity.ts';
import { createTenant, testBaseUrl, testPassword } from '../../../tests/harness/people.ts';
import { sendAccountNotice } from '../account-notices.ts';
import { createBrowser } from '../browser.fixture.ts';
import { totpOf } from '../totp.fixture.ts';
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

/** Creates a person with a second factor, in the browser that set it up. */
async function personWithCodes() {
  const { email, userId, orgId } = await createTenant(database);
  const browser = createBrowser(node.app);
  assert.equal((await browser.signIn(email)).body.status, 'signed_in');
  const setup = await browser.api('POST', '/profile/two-factor', { password: testPassword });
  assert.equal(setup.status, 200, setup.text);
  const { secret, uri, recovery_codes: codes } = setup.body;
  assert.equal(new URL(uri).searchParams.get('issuer'), 'Assay');
  return { email, userId, orgId, browser, secret, codes };
}

async function enabled() {
  const person = await personWithCodes();
  const code = totpOf(person.secret);
  const confirmed = await person.browser.api('POST', '/profile/two-factor/confirm', { code });
  assert.equal(confirmed.status, 204, confirmed.text);
  return { ...person, confirmingCode: code };
}

test('a second factor is on only after a code of the authenticator, and then a password is not enough to sign in', async () => {
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
  const { email, browser, codes, secret } = await enabled();
  const use = async (code: string) => {
    const other = createBrowser(node.app);
    await other.signIn(email);
    return (await other.send('POST', '/auth/sign-in/recovery-code', { code })).status;
  };
  assert.equal(codes.length, 10);
  assert.deepEqual([await use(codes[0]), await use(codes[0]), await use('aaaaa-bbbbb')], [200, 401, 401]);
  const renewal = { password: testPassword, code: totpOf(secret, 1) };
  const renewed = await browser.api('POST', '/profile/two-factor/recovery-codes', renewal);
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

test('the second factor can be removed only with the password and a code, and then the password is enough to sign in', async () => {
  const { email, browser, secret, codes } = await enabled();
  const remove = (body: object) => browser.api('POST', '/profile/two-factor/remove', body);
  const fieldOf = async (body: object) => (await remove(body)).body.error.details[0].field;
  assert.equal(await fieldOf({ password: 'wrong one', code: totpOf(secret, 1) }), 'password');
  assert.equal(await fieldOf({ password: testPassword }), 'code');
  assert.equal(await fieldOf({ password: testPassword, code: '000000' }), 'code');
  assert.equal(await fieldOf({ password: testPassword, code: codes[0].replace(/.$/, '0') }), 'code');
  assert.equal((await createBrowser(node.app).signIn(email)).body.status, 'code_required');
  const before = browser.cookie('session_token');
  assert.equal((await remove({ password: testPassword, code: codes[0] })).status, 204);
  assert.notEqual(browser.cookie('session_token'), before);
  assert.equal((await browser.api('GET', '/profile')).body.two_factor_enabled, false);
  assert.equal((await createBrowser(node.app).signIn(email)).body.status, 'signed_in');
});

test('setting up a second factor again changes nothing until it is confirmed, and needs a code of the old one', async () => {
  const { email, browser, secret, codes } = await enabled();
  const without = await browser.api('POST', '/profile/two-factor', { password: testPassword });
  assert.deepEqual([without.status, without.body.error.details[0].field], [400, 'code']);
  const again = await browser.api('POST', '/profile/two-factor', { password: testPassword, code: codes[9] });
  assert.equal(again.status, 200, again.text);
  assert.notEqual(again.body.secret, secret);

  const withOld = async (kind: string, code: string) => {
    const other = createBrowser(node.app);
    assert.equal((await other.signIn(email)).body.status, 'code_required');
    return (await other.send('POST', `/auth/sign-in/${kind}`, { code })).status;
  };
  assert.equal(await withOld('code', totpOf(again.body.secret)), 401);
  assert.equal(await withOld('recovery-code', again.body.recovery_codes[0]), 401);
  assert.equal(await withOld('code', totpOf(secret, 1)), 200);
  assert.equal(await withOld('recovery-code', codes[0]), 200);

  const confirmation = { code: totpOf(again.body.secret) };
  assert.equal((await browser.api('POST', '/profile/two-factor/confirm', confirmation)).status, 204);
  assert.equal(await withOld('recovery-code', codes[1]), 401);
  assert.equal(await withOld('recovery-code', again.body.recovery_codes[0]), 200);
  const repeated = await browser.api('POST', '/profile/two-factor/confirm', { code: totpOf(again.body.secret, 1) });
  assert.deepEqual([repeated.status, repeated.body.error.details[0].field], [400, 'code']);
});

test('the code that confirms counts as used, and so does one that allowed a change', async () => {
  const { email, browser, secret, confirmingCode } = await enabled();
  const other = createBrowser(node.app);
  await other.signIn(email);
  assert.equal((await other.send('POST', '/auth/sign-in/code', { code: confirmingCode })).status, 401);
  const renewal = { password: testPassword, code: totpOf(secret, 1) };
  assert.equal((await browser.api('POST', '/profile/two-factor/recovery-codes', renewal)).status, 200);
  assert.equal((await browser.api('POST', '/profile/two-factor/remove', renewal)).status, 400);
});

test('a set-up that was not confirmed in time is discarded', async () => {
  const { browser, secret } = await personWithCodes();
  const { rowCount } = await admin.query(`UPDATE pending_two_factors SET expires_at = now() - interval '1 second'`);
  assert.ok(rowCount! >= 1);
  const late = await browser.api('POST', '/profile/two-factor/confirm', { code: totpOf(secret) });
  assert.deepEqual([late.status, late.body.error.details[0].field], [400, 'code']);
});

test('recovery codes are stored as hashes, and each works once', async () => {
  const { email, userId, secret, codes } = await enabled();
  const stored = async () =>
    (await admin.query('SELECT backup_codes FROM two_factors WHERE user_id = $1', [userId])).rows[0].backup_codes;
  const hashes = JSON.parse(await stored());
  assert.ok(hashes.length === 10 && hashes.every((hash: string) => hash.startsWith('sha256:')));
  for (const code of [...codes, secret]) assert.ok(!(await stored()).includes(code));
  const use = async (code: string) => {
    const other = createBrowser(node.app);
    await other.signIn(email);
    return (await other.send('POST', '/auth/sign-in/recovery-code', { code })).status;
  };
  const [first, second] = codes as [string, string];
  assert.deepEqual([await use(first), await use(first), await use(second)], [200, 401, 200]);
  assert.equal(JSON.parse(await stored()).length, 8);
});

test('each change of the second factor is audited and mailed, and so is a recovery code that was used', async () => {
  const { email, userId, orgId, browser, secret, codes } = await enabled();
  const other = createBrowser(node.app);
  await other.signIn(email);
  assert.equal((await other.send('POST', '/auth/sign-in/recovery-code', { code: codes[0] })).status, 200);
  const again = await browser.api('POST', '/profile/two-factor', { password: testPassword, code: totpOf(secret, 1) });
  await browser.api('POST', '/profile/two-factor/confirm', { code: totpOf(again.body.secret) });
  const renewal = { password: testPassword, code: totpOf(again.body.secret, 1) };
  const renewed = await browser.api('POST', '/profile/two-factor/recovery-codes', renewal);
  const removal = { password: testPassword, code: renewed.body.recovery_codes[0] };
  await browser.api('POST', '/profile/two-factor/remove', removal);
  const expected = [
    ...['two_factor_enabled', 'recovery_code_used', 'two_factor_replaced', 'recovery_codes_renewed'],
    ...['recovery_code_used', 'two_factor_removed'],
  ];
  const { rows: events } = await admin.query(
    `SELECT replace(action, 'account.', '') AS action FROM audit_events
     WHERE org_id = $1 AND (action LIKE 'account.two_factor%' OR action LIKE 'account.recovery%') ORDER BY id`,
    [orgId],
  );
  assert.deepEqual(
    events.map(({ action }) => action),
    expected,
  );
  const { rows: jobs } = await admin.query(
    `SELECT j.payload->>'notice' AS notice FROM graphile_worker._private_jobs j
     JOIN graphile_worker._private_tasks t ON t.id = j.task_id
     WHERE t.identifier = 'send-account-notice' AND j.payload->>'user_id' = $1
       AND j.payload->>'notice' <> 'new_device' ORDER BY j.id`,
    [userId],
  );
  assert.deepEqual(
    jobs.map(({ notice }) => notice),
    expected,
  );
  const mails: { to: string; subject: string; text: string }[] = [];
  const mailer = { send: async (mail: (typeof mails)[number]) => void mails.push(mail) };
  const payload = { notice: 'two_factor_removed', user_id: userId, address: '192.0.2.1', at: '2026-01-31T09:30:00Z' };
  const services = { database, mailer, baseUrl: testBaseUrl };
  await sendAccountNotice.run(payload as never, services as never);
  assert.deepEqual([mails.length, mails[0]!.to], [1, email]);
  assert.match(mails[0]!.text, /removed[\s\S]*2026-01-31 at 09:30 UTC, from the address 192\.0\.2\.1/);
});

test('only a few codes can be guessed, from any number of addresses and sign-ins', async () => {
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
