import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Command } from 'commander';
import pg from 'pg';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { call, createTestNode } from '../../../tests/harness/identity.ts';
import { createTenant, createTestMember, createTokenFor, testPassword } from '../../../tests/harness/people.ts';
import { within } from '../../../tests/harness/within.ts';
import { insertMember } from '../../organization/queries.ts';
import { organizationRoutes } from '../../organization/routes.ts';
import { newId } from '../../platform/id.ts';
import { createBrowser } from '../browser.fixture.ts';
import { registerUserCommand } from '../commands/user-command.ts';
import { identityRoutes } from '../profile/routes.ts';
import { signInMailJobs } from '../sign-in/mail-jobs.ts';
import { totpOf } from '../totp.fixture.ts';

const db = await createTestDatabase();
const { database } = db;
const node = await createTestNode(database, [...organizationRoutes, ...identityRoutes]);
const admin = new pg.Client({ connectionString: db.adminUrl });
await admin.connect();
after(async () => {
  await node.close();
  await admin.end();
  await db.drop();
});

const next = 'another horse battery';
const both = { revoke_tokens: true, remove_passkeys: true };

async function addPasskey(userId: string): Promise<string> {
  const id = newId('psk');
  await admin.query(
    `INSERT INTO passkeys (id, user_id, name, public_key, credential_id, counter, device_type, backed_up)
     VALUES ($1, $2, 'Key', '', $1, 0, 'multiDevice', true)`,
    [id, userId],
  );
  return id;
}

/** Creates a person with two passkeys and a token in each of two organizations, and a bystander in one of them. */
async function createEquipped() {
  const [first, second] = [await createTenant(database), await createTenant(database)];
  const person = await createTestMember(database, first.orgId, 'analyst');
  await database.transaction(second.orgId, (tx) => insertMember(tx, second.orgId, person.userId, 'viewer'));
  const elsewhere = await createTokenFor(database, second.orgId, person.userId);
  const passkeys = [await addPasskey(person.userId), await addPasskey(person.userId)];
  await addPasskey(first.userId);
  const browser = createBrowser(node.app);
  await browser.signIn(person.email);
  return { ...person, browser, tokens: [person.token, elsewhere], passkeys, bystanders: [first, second] };
}

type Equipped = Awaited<ReturnType<typeof createEquipped>>;

const passkeysOf = async (userId: string) =>
  (await admin.query('SELECT id FROM passkeys WHERE user_id = $1', [userId])).rows.length;

const auditOf = async ({ bystanders }: Equipped, action: string) =>
  Promise.all(
    bystanders.map(async ({ orgId }) => {
      const { rows } = await admin.query('SELECT id FROM audit_events WHERE org_id = $1 AND action = $2', [
        orgId,
        action,
      ]);
      return rows.length;
    }),
  );

async function assertStays(person: Equipped, passkeys = 2): Promise<void> {
  for (const token of person.tokens) assert.equal((await call(node, token, 'GET', '/organization')).status, 200);
  assert.equal(await passkeysOf(person.userId), passkeys);
}

async function assertEnded(person: Equipped): Promise<void> {
  for (const token of person.tokens) {
    await within(1_000, async () => (await call(node, token, 'GET', '/organization')).status === 401);
  }
  assert.equal(await passkeysOf(person.userId), 0);
  assert.deepEqual(await auditOf(person, 'token.revoked'), [1, 1]);
  assert.deepEqual(await auditOf(person, 'account.passkey_removed'), [2, 2]);
  for (const { token } of person.bystanders) assert.equal((await call(node, token, 'GET', '/profile')).status, 200);
  assert.equal(await passkeysOf(person.bystanders[0]!.userId), 1);
}

/** Requests a link, and returns its token from the mail. */
async function askForLink(email: string): Promise<string> {
  await createBrowser(node.app).send('POST', '/auth/request-password-reset', { email });
  const job = signInMailJobs.find(({ name }) => name === 'send-password-reset');
  assert.ok(job, 'a job mails the link');
  const mails: { text: string }[] = [];
  const mailer = { send: async (mail: { text: string }) => void mails.push(mail), close: () => {} };
  await job.run({ email } as never, { database, mailer, baseUrl: 'https://assay.example.org' } as never);
  return /token=([\w-]{43})/.exec(mails[0]!.text)![1]!;
}

async function assay(...commandLine: string[]): Promise<string> {
  const output: string[] = [];
  const program = new Command().exitOverride().configureOutput({ writeOut: (text) => void output.push(text) });
  registerUserCommand(program, (run) => run(database));
  await program.parseAsync(commandLine, { from: 'user' });
  return output.join('');
}

test('a password reset by a link leaves tokens and passkeys, and ends both on request', async () => {
  const person = await createEquipped();
  const reset = async (further: object) => {
    const token = await askForLink(person.email);
    return createBrowser(node.app).send('POST', '/auth/reset-password', { token, new_password: next, ...further });
  };
  assert.equal((await reset({})).status, 204);
  await assertStays(person);
  assert.equal((await reset({ revoke_tokens: 'yes' })).status, 400);
  assert.equal((await reset(both)).status, 204);
  await assertEnded(person);
});

test('a new password in the profile leaves tokens and passkeys, and ends both on request', async () => {
  const person = await createEquipped();
  const change = (further: object, current = testPassword, wanted = next) =>
    person.browser.api('PUT', '/profile/password', { current_password: current, new_password: wanted, ...further });
  assert.equal((await change({})).status, 204);
  await assertStays(person);
  assert.equal((await change(both, 'wrong horse battery', testPassword)).status, 400);
  await assertStays(person);
  assert.equal((await change(both, next, testPassword)).status, 204);
  await assertEnded(person);
  assert.equal((await person.browser.api('GET', '/profile')).status, 200);
});

test('the removal of the second factor leaves tokens and passkeys, and ends both on request', async () => {
  const person = await createEquipped();
  const { browser } = person;
  for (const further of [{}, both]) {
    const { body } = await browser.api('POST', '/profile/two-factor', { password: testPassword });
    assert.equal((await browser.api('POST', '/profile/two-factor/confirm', { code: totpOf(body.secret) })).status, 204);
    const proof = { password: testPassword, code: body.recovery_codes[0] };
    assert.equal((await browser.api('POST', '/profile/two-factor/remove', { ...proof, ...further })).status, 204);
    if (further === both) await assertEnded(person);
    else await assertStays(person);
  }
});

test('the removal of a passkey leaves tokens and other passkeys, and ends both on request', async () => {
  const person = await createEquipped();
  const [one, other] = person.passkeys;
  assert.equal((await person.browser.api('DELETE', `/profile/passkeys/${one}`)).status, 204);
  await assertStays(person, 1);
  await addPasskey(person.userId);
  const query = 'revoke_tokens=true&remove_passkeys=true';
  const theirs = await person.browser.api('DELETE', `/profile/passkeys/${newId('psk')}?${query}`);
  assert.equal(theirs.status, 404);
  await assertStays(person, 2);
  assert.equal((await person.browser.api('DELETE', `/profile/passkeys/${other}?${query}`)).status, 204);
  for (const token of person.tokens) {
    await within(1_000, async () => (await call(node, token, 'GET', '/organization')).status === 401);
  }
  assert.equal(await passkeysOf(person.userId), 0);
  assert.deepEqual(await auditOf(person, 'account.passkey_removed'), [3, 3]);
});

test('the operator ends tokens and passkeys with a password, a second factor or the sessions, on request', async () => {
  for (const command of ['reset-password', 'remove-second-factor', 'sign-out']) {
    const person = await createEquipped();
    await assay('user', command, '--email', person.email);
    await assertStays(person);
    const output = await assay('user', command, '--email', person.email, '--revoke-tokens', '--remove-passkeys');
    assert.match(output, /2 API tokens are revoked, 2 passkeys are removed\./, command);
    await assertEnded(person);
  }
});
