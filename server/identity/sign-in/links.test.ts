import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { createTestNode } from '../../../tests/harness/identity.ts';
import { createTenant, testPassword } from '../../../tests/harness/people.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import { createBrowser } from '../browser.fixture.ts';
import { identityRoutes } from '../profile/routes.ts';
import { signInMailJobs } from './mail-jobs.ts';

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

/** Runs the waiting jobs like a worker, and returns the mails. */
async function work(): Promise<Mail[]> {
  const mails: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void mails.push(mail), close: () => {} };
  const { rows } = await admin.query(
    `DELETE FROM graphile_worker._private_jobs j USING graphile_worker._private_tasks t
     WHERE t.id = j.task_id AND t.identifier <> 'send-account-notice' RETURNING t.identifier AS name, j.payload`,
  );
  for (const { name, payload } of rows) {
    const job = signInMailJobs.find((each) => each.name === name)!;
    await job.run(payload as never, { database, mailer, baseUrl: 'https://assay.example.org' });
  }
  return mails;
}

const tokenOf = (mail: Mail, page: string) =>
  new RegExp(`https://assay\\.example\\.org/${page}\\?token=([\\w-]{43})\\n`).exec(mail.text)![1]!;

const next = 'another horse battery';
const ask = (email: string) => createBrowser(node.app).send('POST', '/auth/request-password-reset', { email });
const reset = (token: string, new_password = next) =>
  createBrowser(node.app).send('POST', '/auth/reset-password', { token, new_password });

test('a link in a mail sets a new password once, and ends all sessions', async () => {
  const { email } = await createTenant(database);
  const browser = createBrowser(node.app);
  await browser.signIn(email);
  assert.equal((await ask(email.toUpperCase())).status, 202);
  const [mail] = await work();
  assert.equal(mail!.to, email);
  const token = tokenOf(mail!, 'reset-password');
  for (const bad of ['short', 'password1', email]) {
    const refused = await reset(token, bad);
    assert.deepEqual([refused.status, refused.body.error.details[0].field], [400, 'new_password']);
  }
  assert.equal((await reset(token)).status, 204);
  assert.equal((await reset(token)).status, 404);
  assert.equal((await browser.api('GET', '/profile')).status, 401);
  const old = await createBrowser(node.app).send('POST', '/auth/sign-in/email', { email, password: testPassword });
  assert.equal(old.status, 401);
  await createBrowser(node.app).signIn(email, next);
});

test('requesting a new password does not reveal who has an account', async () => {
  const { email } = await createTenant(database);
  const [known, unknown] = [await ask(email), await ask(`nobody-${email}`)];
  assert.deepEqual([unknown.status, unknown.text], [known.status, known.text]);
  // The request does the same work for both: the difference is in the worker.
  const { rows } = await admin.query(
    `SELECT payload FROM graphile_worker._private_jobs WHERE payload->>'email' IS NOT NULL ORDER BY id`,
  );
  assert.deepEqual(
    rows.map(({ payload }) => payload.email),
    [email, `nobody-${email}`],
  );
  assert.deepEqual(
    (await work()).map(({ to }) => to),
    [email],
  );
});

test('a newer link replaces the previous one, an expired one is refused, and a person gets only a few', async () => {
  const { email } = await createTenant(database);
  const tokens = [];
  for (let times = 0; times < 5; times++) {
    assert.equal((await ask(email)).status, 202);
    tokens.push(...(await work()).map((mail) => tokenOf(mail, 'reset-password')));
  }
  assert.equal(tokens.length, 3);
  assert.equal((await reset(tokens[1]!)).status, 404);
  await admin.query(`UPDATE sign_in_links SET expires_at = now()`);
  assert.equal((await reset(tokens[2]!)).status, 404);
});

test('tokens of links are in no table and no job', async () => {
  const { email } = await createTenant(database);
  await ask(email);
  const token = tokenOf((await work())[0]!, 'reset-password');
  const { rows } = await admin.query('SELECT l::text AS row FROM sign_in_links l');
  assert.ok(rows.every(({ row }) => !row.includes(token)));
});

test('a new address is confirmed by a link to it, and the former one is notified', async () => {
  const { email } = await createTenant(database);
  const newEmail = `new-${email}`;
  const browser = createBrowser(node.app);
  await browser.signIn(email);
  await ask(email);
  assert.equal((await browser.api('POST', '/profile/email', { email: newEmail })).status, 202);
  const mails = await work();
  const confirmation = mails.find(({ to }) => to === newEmail)!;
  const old = tokenOf(mails.find(({ to }) => to === email)!, 'reset-password');
  assert.equal((await browser.api('GET', '/profile')).body.email, email);
  const token = tokenOf(confirmation, 'confirm-email');
  const confirm = () => browser.send('POST', '/auth/confirm-email', { token });
  assert.deepEqual((await confirm()).body, { email: newEmail });
  assert.equal((await confirm()).status, 404);
  assert.equal((await browser.api('GET', '/profile')).body.email, newEmail);
  assert.deepEqual(
    (await work()).map(({ to }) => to),
    [email],
  );
  // A link to the former address no longer works.
  assert.equal((await reset(old)).status, 404);
  await createBrowser(node.app).signIn(newEmail);
});

test('the address of another person is never taken over, and a request for it reveals nothing', async () => {
  const [mine, theirs] = [await createTenant(database), await createTenant(database)];
  const browser = createBrowser(node.app);
  await browser.signIn(mine.email);
  assert.equal((await browser.api('POST', '/profile/email', { email: theirs.email })).status, 202);
  assert.deepEqual(await work(), []);
  const late = `late-${mine.email}`;
  await browser.api('POST', '/profile/email', { email: late });
  const token = tokenOf((await work())[0]!, 'confirm-email');
  await admin.query('UPDATE users SET email = $1 WHERE email = $2', [late, theirs.email]);
  const taken = await browser.send('POST', '/auth/confirm-email', { token });
  assert.deepEqual([taken.status, taken.body.error.code], [409, 'already_exists']);
});
