import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { call, createTestNode } from '../../../tests/harness/identity.ts';
import { eventually } from '../../../tests/harness/installation.ts';
import { createTenant, testPassword } from '../../../tests/harness/people.ts';
import { within } from '../../../tests/harness/within.ts';
import { createBrowser } from '../browser.fixture.ts';
import { identityRoutes } from './routes.ts';

const db = await createTestDatabase();
const { database } = db;
const nodes = [await createTestNode(database, identityRoutes), await createTestNode(database, identityRoutes)];
const node = nodes[0]!;
const admin = new pg.Client({ connectionString: db.adminUrl });
await admin.connect();
after(async () => {
  for (const each of nodes) await each.close();
  await admin.end();
  await db.drop();
});

async function signedIn(email: string) {
  const browser = createBrowser(node.app);
  await browser.signIn(email);
  return browser;
}

/** Moves a sign-in into the past in the database, whose clock decides. */
const age = (email: string, minutes: number) =>
  admin.query(
    `UPDATE sessions s SET created_at = s.created_at - $2 * interval '1 minute' FROM users u
     WHERE u.id = s.user_id AND u.email = $1`,
    [email, minutes],
  );

test('a person can list where they are signed in, and which session is the current one', async () => {
  const { email } = await createTenant(database);
  const [first, second] = [await signedIn(email), await signedIn(email)];
  await signedIn((await createTenant(database)).email);
  const { body } = await first.api('GET', '/profile/sessions');
  assert.deepEqual(
    body.data.map(({ is_current }: { is_current: boolean }) => is_current),
    [false, true],
  );
  assert.equal(body.data[0].user_agent, 'Test browser');
  assert.match(body.data[0].ip_address, /^10\./);
  assert.match(body.data[0].id, /^ses_/);
  const page = await second.api('GET', '/profile/sessions?limit=1');
  assert.equal(page.body.data.length, 1);
  const next = await second.api('GET', `/profile/sessions?limit=1&next_cursor=${page.body.next_cursor}`);
  assert.deepEqual([next.body.data[0].is_current, next.body.next_cursor], [false, null]);
});

test('an ended session is refused by the next request, on every node', async () => {
  const { email } = await createTenant(database);
  const [mine, other] = [await signedIn(email), await signedIn(email)];
  const elsewhere = { cookie: `assay.session_token=${other.cookie('session_token')}` };
  assert.equal((await call(nodes[1]!, elsewhere, 'GET', '/profile')).status, 200);
  const [newest] = (await mine.api('GET', '/profile/sessions')).body.data;
  assert.equal((await mine.api('DELETE', `/profile/sessions/${newest.id}`)).status, 204);
  assert.equal((await mine.api('DELETE', `/profile/sessions/${newest.id}`)).status, 404);
  await within(1_000, async () => (await call(nodes[1]!, elsewhere, 'GET', '/profile')).status === 401);
  assert.equal((await mine.api('GET', '/profile')).status, 200);
});

test('nobody ends the session of another person', async () => {
  const [ours, theirs] = [await createTenant(database), await createTenant(database)];
  const [mine, other] = [await signedIn(ours.email), await signedIn(theirs.email)];
  const [session] = (await other.api('GET', '/profile/sessions')).body.data;
  assert.equal((await mine.api('DELETE', `/profile/sessions/${session.id}`)).status, 404);
  assert.equal((await other.api('GET', '/profile')).status, 200);
});

test('all other sessions end at once, and this one stays', async () => {
  const { email } = await createTenant(database);
  const browsers = [await signedIn(email), await signedIn(email), await signedIn(email)];
  assert.equal((await browsers[0]!.api('DELETE', '/profile/sessions')).status, 204);
  const { body } = await browsers[0]!.api('GET', '/profile/sessions');
  assert.deepEqual(body.data.length, 1);
});

test("a new sign-in ends the browser's former session, and never takes over a session that was planted in it", async () => {
  const { email } = await createTenant(database);
  const attacker = await signedIn((await createTenant(database)).email);
  const victim = createBrowser(node.app);
  victim.setCookie('assay.session_token', attacker.cookie('session_token')!);
  await victim.signIn(email);
  assert.notEqual(victim.cookie('session_token'), attacker.cookie('session_token'));
  assert.equal((await victim.api('GET', '/profile')).body.email, email);
  assert.equal((await attacker.api('GET', '/profile')).status, 401);
});

test('an API token needs a recent sign-in or the password', async () => {
  const { email } = await createTenant(database);
  const browser = await signedIn(email);
  assert.equal((await browser.api('POST', '/profile/tokens', { name: 'fresh' })).status, 201);
  await age(email, 14);
  assert.equal((await browser.api('POST', '/profile/tokens', { name: 'still fresh' })).status, 201);
  await age(email, 2);
  const stale = await browser.api('POST', '/profile/tokens', { name: 'stale' });
  assert.deepEqual([stale.status, stale.body.error.code], [403, 'recent_sign_in_required']);
  const wrong = await browser.api('POST', '/profile/tokens', { name: 'stale', password: 'wrong one' });
  assert.deepEqual([wrong.status, wrong.body.error.details[0].field], [400, 'password']);
  const made = await browser.api('POST', '/profile/tokens', { name: 'confirmed', password: testPassword });
  assert.equal(made.status, 201);
  assert.equal((await call(node, made.body.token, 'GET', '/profile/tokens')).status, 403);
});

test('a session shows when it was last used, to the minute but not before it started', async () => {
  const { email } = await createTenant(database);
  const browser = await signedIn(email);
  const { last_active_at, created_at } = await eventually(async () => {
    const [session] = (await browser.api('GET', '/profile/sessions')).body.data;
    return session.last_active_at === null ? null : session;
  });
  assert.ok(last_active_at === created_at || /:00Z$/.test(last_active_at), `${last_active_at} after ${created_at}`);
  assert.ok(last_active_at >= created_at);
});
