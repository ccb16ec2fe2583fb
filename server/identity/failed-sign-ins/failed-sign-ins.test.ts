import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { pino } from 'pino';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { call, createTestNode } from '../../../tests/harness/identity.ts';
import { createTenant, createTestMember, testPassword } from '../../../tests/harness/people.ts';
import { within } from '../../../tests/harness/within.ts';
import { auditRoutes } from '../../organization/audit/routes.ts';
import { createMetrics } from '../../platform/metrics.ts';
import { createBrowser } from '../browser.fixture.ts';
import { identityRoutes } from '../profile/routes.ts';
import { totpOf } from '../totp.fixture.ts';
import { deleteOldFailedSignIns } from './failed-sign-in-queries.ts';
import { recordFailedSignIns } from './record-failed-sign-ins.ts';

const db = await createTestDatabase();
const { database } = db;
const admin = new pg.Client({ connectionString: db.adminUrl });
await admin.connect();

const written: string[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => void written.push(line) });
const metrics = createMetrics();
const node = await createTestNode(
  database,
  [...identityRoutes, ...auditRoutes],
  undefined,
  {},
  undefined,
  {},
  {
    log,
    metrics,
    loggedAccounts: 'plain',
  },
);
after(async () => {
  await node.close();
  await admin.end();
  await db.drop();
});

type Line = { msg: string; address: string; account: string; reason: string; path: string; method: string };
const failures = () => written.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg === 'failed sign-in');
const guess = (email: string, address: string, password = 'wrong horse battery') =>
  createBrowser(node.app, undefined, address).send('POST', '/auth/sign-in/email', { email, password });

type Kept = { address: string; methods: string[]; attempts: number };

/** Waits until this number of attempts on a person is stored, and returns them by address. */
async function kept(userId: string, attempts: number): Promise<Kept[]> {
  let rows: Kept[] = [];
  await within(20_000, async () => {
    ({ rows } = await admin.query<Kept>(
      'SELECT address, methods, attempts::int FROM failed_sign_ins WHERE user_id = $1 ORDER BY address',
      [userId],
    ));
    return rows.reduce((sum, row) => sum + row.attempts, 0) === attempts;
  });
  return rows;
}

test('a failed sign-in is logged with address, account, reason and path, and counted by reason', async () => {
  const { email } = await createTenant(database);
  assert.equal((await guess(email, '198.51.100.1')).status, 401);
  assert.equal((await guess('nobody@example.com', '198.51.100.1')).status, 401);
  const lines = failures().slice(-2);
  const shared = { address: '198.51.100.1', reason: 'wrong_password', path: '/auth/sign-in/email', method: 'password' };
  for (const [index, account] of [email, 'nobody@example.com'].entries()) {
    const { address, reason, path, method, account: logged } = lines[index]!;
    assert.deepEqual({ address, reason, path, method, account: logged }, { ...shared, account });
  }
  assert.match(
    await metrics.registry.metrics(),
    /assay_failed_sign_ins_total\{method="password",reason="wrong_password"\} 2/,
  );
});

test("a person can list their failed sign-ins, and nobody else's", async () => {
  const { email, userId } = await createTenant(database);
  const other = await createTenant(database);
  for (let count = 0; count < 3; count += 1) await guess(email, '198.51.100.2');
  await guess(email, '198.51.100.3');
  await kept(userId, 4);
  const browser = createBrowser(node.app);
  await browser.signIn(email);
  const { body } = await browser.api('GET', '/profile/failed-sign-ins');
  const seen = body.data.map((row: Kept) => ({ address: row.address, methods: row.methods, attempts: row.attempts }));
  assert.deepEqual(
    seen.sort((one: Kept, another: Kept) => one.attempts - another.attempts),
    [
      { address: '198.51.100.3', methods: ['password'], attempts: 1 },
      { address: '198.51.100.2', methods: ['password'], attempts: 3 },
    ],
  );
  const others = createBrowser(node.app);
  await others.signIn(other.email);
  assert.deepEqual((await others.api('GET', '/profile/failed-sign-ins')).body.data, []);
});

test('wrong codes of the second step, and wrong passwords within a session, are recorded as the person’s failed attempts', async () => {
  const { email, userId } = await createTenant(database);
  const browser = createBrowser(node.app);
  await browser.signIn(email);
  const { body } = await browser.api('POST', '/profile/two-factor', { password: testPassword });
  await browser.api('POST', '/profile/two-factor/confirm', { code: totpOf(body.secret) });
  const thief = createBrowser(node.app, undefined, '198.51.100.4');
  await thief.signIn(email);
  assert.equal((await thief.send('POST', '/auth/sign-in/code', { code: '000000' })).status, 401);
  assert.equal((await thief.send('POST', '/auth/sign-in/recovery-code', { code: 'aaaaa-bbbbb' })).status, 401);
  await browser.api('POST', '/profile/two-factor/remove', { password: 'wrong horse battery' });
  const rows = await kept(userId, 3);
  assert.deepEqual(rows.find(({ address }) => address === '198.51.100.4')?.methods, ['code', 'recovery_code']);
  assert.ok(rows.some(({ methods }) => methods[0] === 'confirmation'));
  for (const { account } of failures().slice(-3)) assert.equal(account, email);
});

test('a flood from many addresses keeps a bounded number of rows and of audit events, with all attempts counted', async () => {
  const { email, userId, token } = await createTenant(database);
  const addresses = 40;
  for (let index = 0; index < addresses; index += 1) await guess(email, `203.0.113.${index + 1}`);
  // Beyond ten wrong passwords, attempts on the account are delayed, but still recorded.
  const rows = await kept(userId, addresses);
  assert.equal(rows.length, 11);
  assert.equal(rows.find(({ address }) => address === '')?.attempts, 30);
  await Promise.all([recordFailedSignIns(database), recordFailedSignIns(database)]);
  await guess(email, '203.0.113.1');
  await kept(userId, addresses + 1);
  await recordFailedSignIns(database);
  const listed = async () => (await call(node, token, 'GET', `/audit-events?target=${userId}&limit=200`)).body.data;
  const events = await listed();
  assert.equal(events.length, 11);
  const one = events.find(({ actor }: { actor: { address: string } }) => actor.address === '203.0.113.1');
  assert.deepEqual(
    [one.action, one.actor.user, one.details.attempts, one.details.methods],
    ['account.sign_in_failed', null, 1, ['password']],
  );
  // After the end of the hour, a second event includes the attempts since the first one.
  await admin.query(`UPDATE failed_sign_ins SET hour = hour - interval '2 hours' WHERE user_id = $1`, [userId]);
  await recordFailedSignIns(database);
  await recordFailedSignIns(database);
  const later = await listed();
  assert.equal(later.length, 12);
  assert.equal(later[0].details.attempts, 2);
});

test('failed sign-ins older than 30 days, and all but the newest 200, are deleted', async () => {
  const { userId } = await createTenant(database);
  await admin.query(
    `INSERT INTO failed_sign_ins (user_id, hour, address, methods, attempts)
     SELECT $1, date_trunc('hour', now()) - n * interval '1 hour', 'a', '{password}', 1 FROM generate_series(0, 800) n`,
    [userId],
  );
  await deleteOldFailedSignIns(database);
  const { rows } = await admin.query(
    'SELECT count(*)::int AS rows, min(hour) AS oldest FROM failed_sign_ins WHERE user_id = $1',
    [userId],
  );
  assert.equal(rows[0].rows, 200);
  assert.ok(rows[0].oldest > new Date(Date.now() - 201 * 3_600_000));
});

test('by default the log has a hash of the account, the same for each attempt', async () => {
  const lines: string[] = [];
  const other = await createTestNode(
    database,
    identityRoutes,
    undefined,
    {},
    undefined,
    {},
    {
      log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
    },
  );
  try {
    const { email } = await createTenant(database);
    for (const account of [email, email, 'nobody@example.com']) {
      await createBrowser(other.app).send('POST', '/auth/sign-in/email', { email: account, password: 'wrong horse' });
    }
    const accounts = lines.map((line) => JSON.parse(line).account as string);
    assert.match(accounts[0]!, /^hmac:[\w-]{22}$/);
    assert.equal(accounts[0], accounts[1]);
    assert.notEqual(accounts[0], accounts[2]);
    assert.ok(!lines.join('').includes(email));
  } finally {
    await other.close();
  }
});

test('text that a client chooses stays within its own line of the log', async () => {
  const before = written.length;
  const email = 'a"}\n{"msg":"forged"}@example.com';
  await guess(email, '198.51.100.9');
  await node.app.inject({
    method: 'GET',
    url: '/api/v1/findings/%0a%7b%22msg%22:%22forged%22%7d\u001b[31m',
    headers: { authorization: 'Bearer asy_\u001b[31m', 'x-request-id': '"}\n{"msg":"forged"}' },
  });
  for (const line of written.slice(before)) {
    assert.equal(line.trimEnd().split('\n').length, 1);
    assert.notEqual(JSON.parse(line).msg, 'forged');
    assert.doesNotMatch(line, /\u001b/);
  }
});

test('members of the same organization do not see whose sign-in failed, but admins do in the audit log', async () => {
  const owner = await createTenant(database);
  const viewer = await createTestMember(database, owner.orgId, 'viewer');
  await guess(viewer.email, '198.51.100.11');
  await kept(viewer.userId, 1);
  await recordFailedSignIns(database);
  const { body } = await call(node, owner.token, 'GET', '/audit-events?action=account.sign_in_failed');
  assert.equal(body.data[0].target.id, viewer.userId);
  assert.equal((await call(node, viewer.token, 'GET', '/audit-events')).status, 403);
});
