import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Command, CommanderError } from 'commander';
import { createTestDatabase } from '../../tests/harness/database.ts';
import { call, createTestNode } from '../../tests/harness/identity.ts';
import { createPerson, createTenant, testBaseUrl, testPassword } from '../../tests/harness/people.ts';
import { within } from '../../tests/harness/within.ts';
import { registerOrganizationCommand } from '../organization/organization-command.ts';
import { insertMember } from '../organization/queries.ts';
import { organizationRoutes } from '../organization/routes.ts';
import { createBrowser } from './browser.fixture.ts';
import { registerCreateOrganizationCommand } from './commands/create-organization-command.ts';
import { registerTokenCommand } from './commands/token-command.ts';
import { registerUserCommand } from './commands/user-command.ts';
import { identityRoutes } from './profile/routes.ts';
import { totpOf } from './totp.fixture.ts';

const db = await createTestDatabase();
const { database } = db;
const node = await createTestNode(database, organizationRoutes);
after(async () => {
  await node.close();
  await db.drop();
});

async function accountEvents(orgId: string): Promise<string[]> {
  const rows = await database.single<{ action: string }>(orgId, {
    text: `SELECT action FROM audit_events WHERE org_id = $1 AND action LIKE 'account.%' ORDER BY id`,
    values: [orgId],
  });
  return rows.map(({ action }) => action.replace('account.', ''));
}

/** Runs a command line. Returns its output and its error message. */
async function assay(...commandLine: string[]) {
  let output = '';
  let failure = '';
  const program = new Command('assay').exitOverride();
  program.configureOutput({
    writeOut: (text) => {
      output += text;
    },
    writeErr: (text) => {
      failure += text;
    },
  });
  registerCreateOrganizationCommand(
    registerOrganizationCommand(program, (run) => run(database)),
    (run) => run(database),
  );
  registerTokenCommand(program, (run) => run(database));
  registerUserCommand(program, (run) => run(database));
  try {
    await program.parseAsync(commandLine, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) failure = (error as Error).message;
  }
  return { output, failure };
}

async function json(...commandLine: string[]) {
  const { output, failure } = await assay(...commandLine, '--json');
  assert.equal(failure, '');
  assert.equal(output.trim().split('\n').length, 1);
  return JSON.parse(output);
}

const email = 'owner@example.com';
const first = await json('organization', 'create', '--name', 'First Inc.', '--owner-email', email);

test('organization create prints the organization, its owner and a token that works', async () => {
  assert.equal(first.organization.name, 'First Inc.');
  assert.equal(first.owner.email, email);
  assert.equal((await call(node, first.token, 'GET', '/organization')).body.id, first.organization.id);
});

test('organization create makes the person of a verified address the owner and keeps their password', async () => {
  const person = await createPerson(database);
  const address = person.email.toUpperCase();
  const again = await json('organization', 'create', '--name', 'Second Inc.', '--owner-email', address);
  assert.deepEqual([again.owner.id, again.owner.password], [person.id, null]);
  const { output } = await assay('organization', 'create', '--name', 'Third', '--owner-email', 'third@example.com');
  assert.match(output, /^Organization {2}org_\S+ {2}Third\nOwner.*\nPassword.*\nAPI token {5}asy_\w{40}\n/);
});

test('commands make a separate account for an address that nobody has verified, and one in each organization', async () => {
  const second = await json('organization', 'create', '--name', 'Second Inc.', '--owner-email', email);
  assert.notEqual(second.owner.id, first.owner.id);
  const verified = await createPerson(database);
  const create = ['user', 'create', '--email', verified.email, '--organization', first.organization.id];
  const made = await json(...create);
  assert.notEqual(made.id, verified.id);
  assert.match((await assay(...create)).failure, /already a member/);
  const { failure } = await assay('user', 'reset-password', '--email', verified.email);
  assert.ok(failure.includes(made.id) && failure.includes(`${verified.id} (verified)`), failure);
  assert.equal((await json('user', 'reset-password', '--email', made.id)).id, made.id);
});

test('organization limits sets agreed limits and resets them', async () => {
  const { orgId, token } = await createTenant(database);
  const limits = ['organization', 'limits', '--organization', orgId, '--plan'];
  await json(...limits, 'enterprise', '--rate', '500', '--burst', '900');
  const rate = async () => (await call(node, token, 'GET', '/organization')).body;
  assert.deepEqual((await rate()).rate_limit, { requests_per_minute: 500, burst_per_minute: 900 });
  assert.equal((await rate()).plan, 'enterprise');
  await assay(...limits, 'default');
  assert.deepEqual((await rate()).rate_limit, { requests_per_minute: 100_000, burst_per_minute: 200_000 });
});

test('organization limits refuses a burst that is not above the rate, and limits for the default plan', async () => {
  const limits = ['organization', 'limits', '--organization', first.organization.id, '--plan'];
  assert.match(
    (await assay(...limits, 'enterprise', '--rate', '100', '--burst', '100')).failure,
    /--burst must be above --rate/,
  );
  assert.match((await assay(...limits, 'enterprise', '--rate', '100')).failure, /together/);
  assert.match((await assay(...limits, 'default', '--rate', '1', '--burst', '2')).failure, /enterprise/);
  assert.match((await assay(...limits, 'enterprise', '--rate', '0', '--burst', '2')).failure, /whole number above 0/);
  assert.match((await assay(...limits, 'gold')).failure, /Allowed choices are default, enterprise/);
  const unknown = await assay('organization', 'limits', '--organization', 'org_unknown', '--plan', 'default');
  assert.match(unknown.failure, /There is no organization org_unknown/);
});

test('token create, list and revoke work on one token in turn', async () => {
  const { orgId, email: address } = await createTenant(database);
  const made = await json(
    ...[
      'token',
      'create',
      '--email',
      address,
      '--name',
      'CI',
      '--scopes',
      'organization:read,findings:read',
      '--expires',
      '90d',
    ],
  );
  assert.deepEqual(made.scopes, ['organization:read', 'findings:read']);
  const days = (Date.parse(made.expires_at) - Date.now()) / 86_400_000;
  assert.ok(days > 89.9 && days <= 90);
  assert.equal((await call(node, made.token, 'GET', '/organization')).status, 200);
  const listed = await json('token', 'list', '--organization', orgId);
  assert.deepEqual(
    listed.data.map(({ name, revoked_at }: Record<string, unknown>) => [name, revoked_at]),
    [
      ['CI', null],
      ['Test', null],
    ],
  );
  assert.ok(!JSON.stringify(listed).includes(made.token));
  assert.match((await assay('token', 'revoke', made.id)).output, /is revoked/);
  assert.match((await assay('token', 'revoke', made.id)).failure, /already revoked/);
  const table = (await assay('token', 'list', '--organization', orgId, '--email', address)).output;
  assert.match(table, /^ID +PERSON +NAME +STATE +LAST USED\ntok_.*CI +revoked .*\ntok_.*Test +valid +never used\n$/);
});

test('a person in several organizations must name one', async () => {
  const one = await createTenant(database, 'One');
  const two = await createTenant(database, 'Two');
  await database.transaction(two.orgId, (tx) => insertMember(tx, two.orgId, one.userId, 'viewer'));
  const { failure } = await assay('token', 'create', '--email', one.email);
  assert.match(failure, /--organization/);
  assert.ok(failure.includes(one.orgId) && failure.includes(two.orgId));
  const made = await json('token', 'create', '--email', one.email, '--organization', two.orgId);
  assert.equal((await call(node, made.token, 'GET', '/organization')).body.id, two.orgId);
  assert.match((await assay('token', 'list')).failure, /--organization ID/);
});

test('token create says what is wrong with an address, a scope or a duration', async () => {
  assert.match((await assay('token', 'create', '--email', 'nobody@example.com')).failure, /no user with the address/);
  assert.match((await assay('token', 'create', '--email', 'nobody')).failure, /email: must be an email address/);
  assert.match(
    (await assay('token', 'create', '--email', email, '--scopes', 'all')).failure,
    /"all" is not one of findings:read/,
  );
  assert.match((await assay('token', 'create', '--email', email, '--expires', 'soon')).failure, /a number and a unit/);
  assert.match((await assay('token', 'create')).failure, /required option '--email/);
});

test('user create makes a member with a password that is printed once; reset-password sets another', async () => {
  const { orgId } = await createTenant(database);
  const signIn = (password: string) =>
    node.auth.api.signInEmail({ body: { email: 'new@example.com', password } }).then(
      () => true,
      () => false,
    );
  const made = await json('user', 'create', '--email', 'New@Example.com', '--role', 'viewer', '--organization', orgId);
  assert.deepEqual([made.email, made.name, made.role, made.organization], ['new@example.com', 'new', 'viewer', orgId]);
  assert.ok(await signIn(made.password));
  const again = await assay('user', 'create', '--email', 'new@example.com', '--organization', orgId);
  assert.match(again.failure, /already/);
  const { password } = await json('user', 'reset-password', '--email', 'new@example.com');
  assert.deepEqual([await signIn(made.password), await signIn(password)], [false, true]);
  assert.match((await assay('user', 'reset-password', '--email', 'unknown@example.com')).failure, /no user/);
});

test('every command explains itself', async () => {
  const commands = ['organization create', 'organization limits', 'token create', 'token list', 'token revoke'];
  for (const command of [...commands, 'user create', 'user reset-password', 'user accept-invitation']) {
    assert.match((await assay(...command.split(' '), '--help')).output, /^Usage: assay .*\n\n[a-z]/, command);
  }
});

test('user disable ends sessions and tokens at once on every node, refuses each sign-in, and enable undoes it', async () => {
  const routes = [...organizationRoutes, ...identityRoutes];
  const [one, other] = [await createTestNode(database, routes), await createTestNode(database, routes)];
  const person = await createTenant(database);
  const browser = createBrowser(one.app);
  await browser.signIn(person.email);
  const session = { cookie: `assay.session_token=${browser.cookie('session_token')}`, origin: testBaseUrl };
  const statuses = () =>
    Promise.all(
      [one, other].flatMap((each) =>
        [session, person.token].map(
          async (credential) => (await call(each, credential, 'GET', '/organization')).status,
        ),
      ),
    );
  assert.deepEqual(await statuses(), [200, 200, 200, 200]);
  const disabled = await json('user', 'disable', '--email', person.email);
  assert.deepEqual([disabled.id, disabled.changed], [person.userId, true]);
  await within(1_100, async () => (await statuses()).every((status) => status === 401));
  const refused = await createBrowser(one.app).send('POST', '/auth/sign-in/email', {
    email: person.email,
    password: testPassword,
  });
  assert.deepEqual([refused.status, refused.body.error.code], [403, 'forbidden']);
  const wrong = await createBrowser(one.app).send('POST', '/auth/sign-in/email', {
    email: person.email,
    password: 'no',
  });
  assert.equal(wrong.status, 401);
  assert.equal((await json('user', 'disable', '--email', person.email)).changed, false);
  const listed = (await json('user', 'list')).find(({ id }: { id: string }) => id === person.userId);
  assert.match(listed.disabled_at, /Z$/);
  assert.equal(listed.organizations[0].id, person.orgId);
  await json('user', 'enable', '--email', person.email);
  await createBrowser(one.app).signIn(person.email);
  await within(1_100, async () => (await call(other, person.token, 'GET', '/organization')).status === 200);
  assert.deepEqual(await accountEvents(person.orgId), ['signed_in', 'disabled', 'enabled', 'signed_in']);
  await one.close();
  await other.close();
});

test('user sign-out ends the sessions and keeps the tokens; after remove-second-factor the password is enough to sign in', async () => {
  const own = await createTestNode(database, [...organizationRoutes, ...identityRoutes]);
  const person = await createTenant(database);
  const browser = createBrowser(own.app);
  await browser.signIn(person.email);
  const { body } = await browser.api('POST', '/profile/two-factor', { password: testPassword });
  await browser.api('POST', '/profile/two-factor/confirm', { code: totpOf(body.secret) });
  assert.match((await assay('user', 'sign-out', '--email', person.email)).output, /1 sessions have ended/);
  await within(1_100, async () => (await browser.api('GET', '/profile')).status === 401);
  assert.equal((await call(own, person.token, 'GET', '/organization')).status, 200);
  assert.equal((await createBrowser(own.app).signIn(person.email)).body.status, 'code_required');
  assert.equal((await json('user', 'remove-second-factor', '--email', person.email)).changed, true);
  assert.equal((await createBrowser(own.app).signIn(person.email)).body.status, 'signed_in');
  assert.deepEqual(await accountEvents(person.orgId), [
    ...['signed_in', 'two_factor_enabled', 'sessions_ended', 'two_factor_reset', 'signed_in'],
  ]);
  await own.close();
});
