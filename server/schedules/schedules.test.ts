import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../tests/harness/database.ts';
import { call, createTestNode, type Node } from '../../tests/harness/identity.ts';
import { createTenant, type Person } from '../../tests/harness/people.ts';
import { newId } from '../platform/id.ts';
import { fireDueSchedules } from './fire-due.ts';
import { removeDataSourceFromSchedules } from './queries.ts';
import { scheduleRoutes } from './routes.ts';

let testDatabase: TestDatabase;
let node: Node;
before(async () => {
  testDatabase = await createTestDatabase();
  node = await createTestNode(testDatabase.database, scheduleRoutes);
});
after(async () => {
  await node.close();
  await testDatabase.drop();
});

async function addRepository({ orgId }: Person): Promise<string> {
  const id = newId('ds');
  await testDatabase.database.single(orgId, {
    text: `INSERT INTO data_sources (org_id, id, kind, name, address, config) VALUES ($1, $2, 'git_repository', 'r', $2, '{}')`,
    values: [orgId, id],
  });
  return id;
}

const create = (tenant: Person, body: object) => call(node, tenant.token, 'POST', '/scan-schedules', body);

/** Moves the due time of a schedule into the past, as if time had passed. */
const makeDue = ({ orgId }: Person, id: string, ago = '1 minute') =>
  testDatabase.database.single(orgId, {
    text: `UPDATE scan_schedules SET next_run_at = clock_timestamp() - $3::interval WHERE org_id = $1 AND id = $2`,
    values: [orgId, id, ago],
  });

const scansOf = async ({ orgId }: Person) => {
  const text = 'SELECT id, trigger, data_source_ids AS ids FROM scans WHERE org_id = $1';
  return testDatabase.database.single<{ id: string; trigger: string; ids: string[] | null }>(orgId, {
    text,
    values: [orgId],
  });
};

test('a schedule is created with its next time, read, changed, listed and deleted', async () => {
  const tenant = await createTenant(testDatabase.database);
  const { status, body, headers } = await create(tenant, {
    source: 'secrets',
    cron: '0 2 * * *',
    timezone: 'Europe/Berlin',
  });
  assert.equal(status, 201);
  assert.equal(headers.location, `/api/v1/scan-schedules/${body.id}`);
  assert.deepEqual([body.enabled, body.data_sources, body.last_run_at, body.last_scan_id], [true, null, null, null]);
  assert.ok(new Date(body.next_run_at) > new Date());
  const off = await call(node, tenant.token, 'PATCH', `/scan-schedules/${body.id}`, {
    enabled: false,
    name: 'Nightly',
  });
  assert.deepEqual([off.status, off.body.next_run_at, off.body.name], [200, null, 'Nightly']);
  const stale = { authorization: `Bearer ${tenant.token}`, 'if-match': String(headers.etag) };
  assert.equal((await call(node, stale, 'PATCH', `/scan-schedules/${body.id}`, { enabled: true })).status, 412);
  assert.equal((await call(node, tenant.token, 'GET', '/scan-schedules')).body.data.length, 1);
  assert.equal((await call(node, tenant.token, 'DELETE', `/scan-schedules/${body.id}`)).status, 204);
  assert.equal((await call(node, tenant.token, 'GET', `/scan-schedules/${body.id}`)).status, 404);
});

test('a generated name follows the source and the time, and a custom name stays', async () => {
  const tenant = await createTenant(testDatabase.database);
  const { body } = await create(tenant, { source: 'secrets', cron: '0 2 * * *' });
  const change = async (fields: object) =>
    (await call(node, tenant.token, 'PATCH', `/scan-schedules/${body.id}`, fields)).body.name;
  assert.equal(body.name, 'Secrets, 0 2 * * *');
  assert.equal(await change({ source: 'dependencies' }), 'Dependencies, 0 2 * * *');
  assert.equal(await change({ cron: '@daily' }), 'Dependencies, @daily');
  assert.equal(await change({ name: 'Nightly' }), 'Nightly');
  assert.equal(await change({ source: 'secrets' }), 'Nightly');
});

test('the fields of cron may have any white space between them, as in a crontab', async () => {
  const tenant = await createTenant(testDatabase.database);
  const cron = ' 0  3\t* *   * ';
  const { status, body } = await create(tenant, { source: 'secrets', cron });
  assert.deepEqual([status, body.cron, body.name], [201, '0 3 * * *', 'Secrets, 0 3 * * *']);
  const changed = await call(node, tenant.token, 'PATCH', `/scan-schedules/${body.id}`, { cron });
  assert.deepEqual(
    [changed.body.cron, changed.body.name, changed.body.next_run_at],
    [body.cron, body.name, body.next_run_at],
  );
  const preview = (await call(node, tenant.token, 'POST', '/scan-schedules/preview', { cron })).body;
  assert.deepEqual([preview.cron, preview.description], ['0 3 * * *', 'At 03:00, every day (UTC).']);
  assert.equal((await create(tenant, { source: 'secrets', cron: '0 3\t * *' })).status, 400);
});

test('an invalid field is rejected by name', async () => {
  const tenant = await createTenant(testDatabase.database);
  const stranger = await addRepository(await createTenant(testDatabase.database));
  for (const [body, field] of [
    [{ cron: '@daily' }, 'source'],
    [{ source: 'secrets' }, 'cron'],
    [{ source: 'nothing', cron: '@daily' }, 'source'],
    [{ source: 'secrets', cron: '* * * * *' }, 'cron'],
    [{ source: 'secrets', cron: '@daily', timezone: 'Mars/Base' }, 'timezone'],
    [{ source: 'secrets', cron: '@daily', data_sources: [] }, 'data_sources'],
    [{ source: 'secrets', cron: '@daily', data_sources: [stranger] }, 'data_sources'],
  ] as const) {
    const { status, body: response } = await create(tenant, body);
    assert.equal(status, 400);
    assert.match(response.error.details[0].field, new RegExp(`^${field}`));
  }
});

test('a due time starts one scan, however many nodes check at once', async () => {
  const tenant = await createTenant(testDatabase.database);
  const repository = await addRepository(tenant);
  await addRepository(tenant);
  const { body } = await create(tenant, { source: 'secrets', cron: '@hourly', data_sources: [repository] });
  await makeDue(tenant, body.id);
  await Promise.all(Array.from({ length: 5 }, () => fireDueSchedules(testDatabase.database)));
  const scans = await scansOf(tenant);
  assert.deepEqual(
    scans.map(({ trigger, ids }) => ({ trigger, ids })),
    [{ trigger: 'schedule', ids: [repository] }],
  );
  const after = (await call(node, tenant.token, 'GET', `/scan-schedules/${body.id}`)).body;
  assert.equal(after.last_scan_id, scans[0]!.id);
  assert.equal(after.last_error, null);
  assert.ok(new Date(after.next_run_at) > new Date());
});

test('times missed while nothing ran are made up for once', async () => {
  const tenant = await createTenant(testDatabase.database);
  await addRepository(tenant);
  const { body } = await create(tenant, { source: 'secrets', cron: '*/10 * * * *' });
  await makeDue(tenant, body.id, '3 days');
  for (let round = 0; round < 3; round++) await fireDueSchedules(testDatabase.database);
  assert.equal((await scansOf(tenant)).length, 1);
});

test('a clock that is set back, or was ahead at creation, delays no due time by more than its cron allows', async () => {
  const tenant = await createTenant(testDatabase.database);
  await addRepository(tenant);
  const { body } = await create(tenant, { source: 'secrets', cron: '*/10 * * * *' });
  // The state after the clock went from 18:00 back to 12:00.
  await testDatabase.database.single(tenant.orgId, {
    text: `UPDATE scan_schedules SET next_run_at = next_run_at + interval '6 hours', next_run_from = next_run_from + interval '6 hours'
           WHERE org_id = $1 AND id = $2`,
    values: [tenant.orgId, body.id],
  });
  await Promise.all(Array.from({ length: 3 }, () => fireDueSchedules(testDatabase.database)));
  const { next_run_at, last_run_at } = (await call(node, tenant.token, 'GET', `/scan-schedules/${body.id}`)).body;
  assert.equal(last_run_at, null);
  assert.deepEqual(await scansOf(tenant), []);
  const aheadMs = new Date(next_run_at).getTime() - Date.now();
  assert.ok(aheadMs > 0 && aheadMs <= 10 * 60_000, next_run_at);
  await makeDue(tenant, body.id);
  await fireDueSchedules(testDatabase.database);
  assert.equal((await scansOf(tenant)).length, 1);
});

test("a due time that can't start a scan has the reason, and the next one is kept", async () => {
  const tenant = await createTenant(testDatabase.database);
  const { body } = await create(tenant, { source: 'secrets', cron: '@daily' });
  await makeDue(tenant, body.id);
  await fireDueSchedules(testDatabase.database);
  const after = (await call(node, tenant.token, 'GET', `/scan-schedules/${body.id}`)).body;
  assert.match(after.last_error, /nothing to scan/);
  assert.ok(new Date(after.next_run_at) > new Date());
});

test('a disabled schedule is never due', async () => {
  const tenant = await createTenant(testDatabase.database);
  await addRepository(tenant);
  await create(tenant, { source: 'secrets', cron: '@daily', enabled: false });
  await fireDueSchedules(testDatabase.database);
  assert.deepEqual(await scansOf(tenant), []);
});

test('a deleted data source is removed from its schedules; a schedule without another one is disabled rather than scanning them all', async () => {
  const tenant = await createTenant(testDatabase.database);
  const [gone, left] = [await addRepository(tenant), await addRepository(tenant)];
  const both = (await create(tenant, { source: 'secrets', cron: '@daily', data_sources: [gone, left] })).body;
  const only = (await create(tenant, { source: 'secrets', cron: '@daily', data_sources: [gone] })).body;
  await testDatabase.database.transaction(tenant.orgId, (tx) => removeDataSourceFromSchedules(tx, tenant.orgId, gone));
  const read = async (id: string) => (await call(node, tenant.token, 'GET', `/scan-schedules/${id}`)).body;
  assert.deepEqual([(await read(both.id)).data_sources, (await read(both.id)).enabled], [[left], true]);
  assert.deepEqual([(await read(only.id)).data_sources, (await read(only.id)).enabled], [[], false]);
});
