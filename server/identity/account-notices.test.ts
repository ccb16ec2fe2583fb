import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../tests/harness/database.ts';
import { createTestNode } from '../../tests/harness/identity.ts';
import { createTenant, testPassword } from '../../tests/harness/people.ts';
import { type ReceivedMail, startMailReceiver } from '../../tests/harness/smtp.ts';
import { createMailer } from '../platform/mail/mail.ts';
import { sendAccountNotice } from './account-notices.ts';
import { createAuthenticator } from './authenticator.fixture.ts';
import { createBrowser } from './browser.fixture.ts';
import { resetPassword } from './commands/user-command.ts';
import { identityRoutes } from './profile/routes.ts';
import { signInMailJobs } from './sign-in/mail-jobs.ts';

const db = await createTestDatabase();
const { database } = db;
const node = await createTestNode(database, identityRoutes);
const receiver = await startMailReceiver();
const mailer = createMailer({
  smtpUrl: receiver.url,
  directory: '/nowhere',
  from: 'Assay <assay@example.com>',
  log: { info: () => {} },
});
const admin = new pg.Client({ connectionString: db.adminUrl });
await admin.connect();
after(async () => {
  mailer.close();
  await receiver.close();
  await node.close();
  await admin.end();
  await db.drop();
});

const origin = 'http://localhost:8080';
const jobs = [sendAccountNotice, ...signInMailJobs];
const bodyOf = ({ parts }: ReceivedMail) => parts.map(({ content }) => content.toString()).join('\n');

/** Runs the waiting jobs like a worker, and returns the mails that the SMTP server received. */
async function received(): Promise<ReceivedMail[]> {
  const from = receiver.received.length;
  const { rows } = await admin.query(
    `DELETE FROM graphile_worker._private_jobs j USING graphile_worker._private_tasks t
     WHERE t.id = j.task_id RETURNING t.identifier AS name, j.payload`,
  );
  for (const { name, payload } of rows) {
    const job = jobs.find((each) => each.name === name)!;
    await job.run(payload as never, { database, mailer, baseUrl: 'https://assay.example.org' } as never);
  }
  return receiver.received.slice(from);
}

const subjectsOf = (mails: ReceivedMail[]) => mails.map(({ headers }) => headers.get('subject'));

async function signedIn(address?: string) {
  const person = await createTenant(database);
  const browser = createBrowser(node.app, origin, address);
  await browser.signIn(person.email);
  const mails = await received();
  return { ...person, browser, mails };
}

const newDevice = 'Your Assay account was signed in to from a new device';

test('a person gets a mail about a sign-in from a browser that is new to the account, and from no other', async () => {
  const { email, browser, mails } = await signedIn('203.0.113.7');
  assert.deepEqual(subjectsOf(mails), [newDevice]);
  assert.deepEqual(mails[0]!.to, [email]);
  for (const part of ['from the address 203.0.113.7', 'https://assay.example.org/profile']) {
    assert.ok(bodyOf(mails[0]!).includes(part), part);
  }
  await browser.signIn(email);
  assert.deepEqual(subjectsOf(await received()), []);
  const other = await createTenant(database);
  await browser.signIn(other.email);
  assert.deepEqual(
    (await received()).map(({ to }) => to),
    [[other.email]],
    'a browser that one person has used is new to another',
  );
  const wrong = { email, password: 'wrong horse battery' };
  assert.equal((await createBrowser(node.app).send('POST', '/auth/sign-in/email', wrong)).status, 401);
  assert.deepEqual(subjectsOf(await received()), []);
});

test('a program that signs in repeatedly without cookies fills no mailbox', async () => {
  const { email } = await signedIn();
  for (let times = 0; times < 6; times++) await createBrowser(node.app).signIn(email);
  assert.deepEqual(subjectsOf(await received()), [newDevice, newDevice]);
});

test('a person gets a mail about a new token, without the token or its name', async () => {
  const { email, browser } = await signedIn();
  const name = 'call https://evil.example at once';
  const { body } = await browser.api('POST', '/profile/tokens', { name });
  assert.match(body.token, /^asy_/);
  const mails = await received();
  assert.deepEqual(subjectsOf(mails), ['Your Assay account has a new API token']);
  assert.deepEqual(mails[0]!.to, [email]);
  assert.ok(!bodyOf(mails[0]!).includes(body.token));
  assert.ok(!bodyOf(mails[0]!).includes('evil.example'));
});

test('a person gets a mail about a passkey that was added, and about one that was removed', async () => {
  const { email, browser } = await signedIn();
  const options = await browser.api('POST', '/profile/passkeys/options', {});
  assert.deepEqual(subjectsOf(await received()), [], 'nothing has changed yet');
  const credential = createAuthenticator().create(options.body, origin);
  const { body: passkey } = await browser.api('POST', '/profile/passkeys', { name: 'Laptop', credential });
  const added = await received();
  assert.deepEqual([subjectsOf(added), added[0]!.to], [['Your Assay account has a new passkey'], [email]]);
  assert.equal((await browser.api('DELETE', `/profile/passkeys/${passkey.id}`)).status, 204);
  assert.deepEqual(subjectsOf(await received()), ['A passkey of your Assay account was removed']);
  assert.equal((await browser.api('DELETE', `/profile/passkeys/${passkey.id}`)).status, 404);
  assert.deepEqual(subjectsOf(await received()), []);
});

test('a person gets a mail about a changed password, however it was changed, and none about a refused one', async () => {
  const subject = 'The password of your Assay account was changed';
  const { email, browser } = await signedIn();
  const change = { current_password: testPassword, new_password: 'another horse battery' };
  assert.equal((await browser.api('PUT', '/profile/password', change)).status, 204);
  const [changed, ...none] = await received();
  assert.deepEqual([subjectsOf([changed!]), none], [[subject], []]);
  assert.ok(!bodyOf(changed!).includes(change.new_password));
  assert.equal((await browser.api('PUT', '/profile/password', change)).status, 400);
  assert.deepEqual(subjectsOf(await received()), []);

  await browser.send('POST', '/auth/request-password-reset', { email });
  const [link] = await received();
  const token = /reset-password\?token=([\w-]{43})/.exec(bodyOf(link!))![1]!;
  const reset = await browser.send('POST', '/auth/reset-password', { token, new_password: 'a third horse battery' });
  assert.equal(reset.status, 204);
  assert.deepEqual(subjectsOf(await received()), [subject]);

  await resetPassword(database, email);
  const [byOperator] = await received();
  assert.equal(byOperator!.headers.get('subject'), subject);
  assert.match(bodyOf(byOperator!), /by the operator of the server/);
});
