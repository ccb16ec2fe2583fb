import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { after, test } from 'node:test';
import { startApplication } from './harness/application.ts';
import { createTestDatabase } from './harness/database.ts';
import type { ApiResponse } from './harness/exchange.ts';
import { furnish, signIn } from './harness/furnished.ts';

// `furnish` creates one of each.
const limits = { tokens: 4, views: 3, schedules: 3, reports: 3, openUploads: 2 };
const app = await startApplication(createTestDatabase, null, { limits });
after(() => app.close());
const { people, session, ids, dataSourceId } = await furnish(app, 'limited');
const others = await furnish(app, 'others');

/** Asserts that only as many concurrent creations succeed as there is room for. */
async function assertLimited(create: (index: number) => Promise<ApiResponse>, room: number, limit: number) {
  const responses = await Promise.all(Array.from({ length: room + 3 }, (_, index) => create(index)));
  const refused = responses.filter(({ status }) => status >= 300);
  assert.equal(responses.length - refused.length, room);
  for (const { status, body } of refused) {
    assert.deepEqual([status, body.error.code], [409, 'limit_reached']);
    assert.match(body.error.message, new RegExp(`limit of ${limit} `));
    assert.equal(body.error.details[0].limit, limit);
  }
}

const post =
  (path: string, json: (index: number) => object, token = people.owner.token) =>
  (index: number) =>
    app.call(token, 'POST', path, { json: json(index) });

test('a person has at most the maximum number of valid tokens in each organization; revoked ones make room', async () => {
  const create = (headers: Record<string, string>) => () =>
    app.call(null, 'POST', '/profile/tokens', { json: { name: 'one more' }, headers });
  // The person's test token, and the one from `furnish`.
  await assertLimited(create(session), limits.tokens - 2, limits.tokens);
  assert.equal(
    (await app.call(null, 'DELETE', `/profile/tokens/${ids['/profile/tokens']}`, { headers: session })).status,
    204,
  );
  assert.equal((await create(session)()).status, 201);
  const admin = await signIn(app, people.admin.email);
  assert.equal((await create(admin)()).status, 201, 'another person has room');
});

test('private views are limited for each person, and shared ones for the organization', async () => {
  const views = (shared: boolean) => post('/views', (index) => ({ name: `${shared} ${index}`, shared, filter: {} }));
  await assertLimited(views(false), limits.views, limits.views);
  await assertLimited(views(true), limits.views - 1, limits.views);
  const own = await app.call(people.owner.token, 'GET', '/views');
  const hidden = own.body.data.find(({ shared }: { shared: boolean }) => !shared);
  const sharing = await app.call(people.owner.token, 'PATCH', `/views/${hidden.id}`, { json: { shared: true } });
  assert.deepEqual([sharing.status, sharing.body.error.code], [409, 'limit_reached']);
  assert.equal((await post('/views', () => ({ name: 'x', filter: {} }), people.viewer.token)(0)).status, 201);
});

test('schedules and reports are limited for the organization, for all members together', async () => {
  const schedule = post('/scan-schedules', (index) => ({ name: `s${index}`, source: 'secrets', cron: '@daily' }));
  await assertLimited(schedule, limits.schedules - 1, limits.schedules);
  const fields = { title: 'x', cron: '@weekly', recipients: ['a@example.com'] };
  await assertLimited(
    post('/scheduled-reports', () => fields),
    limits.schedules - 1,
    limits.schedules,
  );
  // The report that `furnish` creates for a schedule does not count.
  await assertLimited(
    post('/reports', () => ({}), people.analyst.token),
    limits.reports - 1,
    limits.reports,
  );
  assert.equal((await app.call(people.owner.token, 'DELETE', `/reports/${ids['/reports']}`)).status, 204);
  assert.equal((await post('/reports', () => ({}))(0)).status, 202);
  assert.equal((await post('/reports', () => ({}), others.people.owner.token)(0)).status, 202);
});

test('an organization has at most the maximum number of open uploads, and a finished one makes room', async () => {
  const path = `/api/v1/data-sources/${dataSourceId}/imports`;
  const headers = { authorization: `Bearer ${people.owner.token}`, 'transfer-encoding': 'chunked' };
  const open = Array.from({ length: limits.openUploads }, () => {
    const upload = request(`${app.origin}${path}`, { method: 'POST', headers });
    upload.write('{"version":"2.1.0","runs":[');
    return upload;
  });
  const file = { version: '2.1.0', runs: [] };
  const attempt = () => app.call(people.owner.token, 'POST', path.slice('/api/v1'.length), { json: file });
  let refused = await attempt();
  while (refused.status < 300) refused = await attempt();
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'limit_reached']);
  assert.equal(refused.body.error.details[0].limit, limits.openUploads);
  const ended = once(open[0]!, 'response');
  open[0]!.end(']}');
  const [response] = await ended;
  response.resume();
  assert.equal(response.statusCode, 202);
  assert.equal((await attempt()).status, 202);
  for (const upload of open.slice(1)) {
    upload.on('error', () => {});
    upload.destroy();
  }
  while ((await attempt()).status !== 202);
  while ((await attempt()).status !== 202);
});
