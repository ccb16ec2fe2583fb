import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../tests/harness/database.ts';
import { call, createTestNode, type Node } from '../../tests/harness/identity.ts';
import { createTenant, type Person } from '../../tests/harness/people.ts';
import { listReadyDetectors } from '../detection/scans/start-scan.ts';
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

async function addDataSource({ orgId }: Person, kind: string, tags: string[] = []): Promise<string> {
  const id = newId('ds');
  await testDatabase.database.single(orgId, {
    text: `INSERT INTO data_sources (org_id, id, kind, name, address, config, tags) VALUES ($1, $2, $3, 'r', $2, '{}', $4)`,
    values: [orgId, id, kind, tags],
  });
  return id;
}
const addRepository = (tenant: Person, tags: string[] = []) => addDataSource(tenant, 'git_repository', tags);

const create = (tenant: Person, body: object) => call(node, tenant.token, 'POST', '/scan-schedules', body);

/** Moves the due time of a schedule into the past, as if time had passed. */
const makeDue = ({ orgId }: Person, id: string, ago = '1 minute') =>
  testDatabase.database.single(orgId, {
    text: `UPDATE scan_schedules SET next_run_at = clock_timestamp() - $3::interval WHERE org_id = $1 AND id = $2`,
    values: [orgId, id, ago],
  });

type StartedScan = { id: string; source: string; trigger: string; ids: string[] | null; targets: string[] };
const scansOf = ({ orgId }: Person) =>
  testDatabase.database.single<StartedScan>(orgId, {
    text: `SELECT id, source, trigger, data_source_ids AS ids,
             ARRAY(SELECT t.data_source_id FROM scan_targets t WHERE t.org_id = s.org_id AND t.scan_id = s.id ORDER BY 1) AS targets
           FROM scans s WHERE org_id = $1 ORDER BY id`,
    values: [orgId],
  });

/** Ends the scans of a tenant, so that the next due time starts others. */
const endScans = ({ orgId }: Person) =>
  testDatabase.database.single(orgId, {
    text: `UPDATE scans SET status = 'completed', completed_at = now() WHERE org_id = $1`,
    values: [orgId],
  });

const read = async (tenant: Person, id: string) =>
  (await call(node, tenant.token, 'GET', `/scan-schedules/${id}`)).body;

/** Lets a schedule be due now, and returns the scans that it started since. */
async function fire(tenant: Person, id: string): Promise<StartedScan[]> {
  const before = new Set((await scansOf(tenant)).map((scan) => scan.id));
  await makeDue(tenant, id);
  await fireDueSchedules(testDatabase.database);
  return (await scansOf(tenant)).filter((scan) => !before.has(scan.id));
}

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
  const upload = await addDataSource(tenant, 'upload');
  for (const [body, field] of [
    [{ cron: '@daily' }, 'source'],
    [{ source: 'secrets' }, 'cron'],
    [{ source: 'nothing', cron: '@daily' }, 'source'],
    [{ source: 'secrets', cron: '* * * * *' }, 'cron'],
    [{ source: 'secrets', cron: '@daily', timezone: 'Mars/Base' }, 'timezone'],
    [{ source: 'secrets', cron: '@daily', data_sources: [] }, 'data_sources'],
    [{ source: 'secrets', cron: '@daily', data_sources: [stranger] }, 'data_sources'],
    [{ sources: [], cron: '@daily' }, 'sources'],
    [{ sources: ['secrets', 'nothing'], cron: '@daily' }, 'sources'],
    [{ sources: ['secrets', 'secrets'], cron: '@daily' }, 'sources'],
    [{ source: 'secrets', sources: ['secrets', 'code'], cron: '@daily' }, 'sources'],
    [{ source: 'secrets', sources: null, cron: '@daily' }, 'sources'],
    [{ source: null, cron: '@daily' }, 'source'],
    [{ sources: ['web', 'secrets'], cron: '@daily', data_sources: [upload] }, 'data_sources'],
    [{ sources: null, cron: '@daily', data_sources: [stranger] }, 'data_sources'],
    [{ sources: null, cron: '@daily', data_source_tags: [] }, 'data_source_tags'],
    [{ sources: null, cron: '@daily', data_source_tags: ['a,b'] }, 'data_source_tags'],
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
    scans.map(({ trigger, ids, targets }) => ({ trigger, ids, targets })),
    [{ trigger: 'schedule', ids: [repository], targets: [repository] }],
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

test('a schedule starts one scan for each of its sources, of the data sources that have its tags when it is due', async () => {
  const tenant = await createTenant(testDatabase.database);
  const tags = ['production'];
  const [named, tagged, later] = [
    await addRepository(tenant),
    await addRepository(tenant, tags),
    await addRepository(tenant),
  ];
  const website = await addDataSource(tenant, 'website', tags);
  await addRepository(await createTenant(testDatabase.database), tags);
  const { body } = await create(tenant, {
    sources: ['secrets', 'code', 'web'],
    cron: '@daily',
    data_sources: [named],
    data_source_tags: tags,
  });
  const started = (scans: StartedScan[]) => Object.fromEntries(scans.map(({ source, targets }) => [source, targets]));
  const repositories = [named, tagged].sort();
  const first = await fire(tenant, body.id);
  assert.deepEqual(started(first), { secrets: repositories, code: repositories, web: [website] });
  const after = await read(tenant, body.id);
  assert.deepEqual([after.last_scan_id, after.last_scan_ids], [first[0]!.id, first.map(({ id }) => id)]);
  assert.equal(after.last_error, null);

  await endScans(tenant);
  await testDatabase.database.single(tenant.orgId, {
    text: `UPDATE data_sources SET tags = CASE WHEN id = $2 THEN $3::text[] ELSE '{}' END WHERE org_id = $1`,
    values: [tenant.orgId, later, ['production', 'new']],
  });
  const repositoriesNow = [named, later].sort();
  // No website has the tag any more: that scanner has nothing to do, which is no error.
  assert.deepEqual(started(await fire(tenant, body.id)), { secrets: repositoriesNow, code: repositoriesNow });
  assert.equal((await read(tenant, body.id)).last_error, null);
});

test('a schedule of all sources starts those that can run and have something to scan', async () => {
  const tenant = await createTenant(testDatabase.database);
  const website = await addDataSource(tenant, 'website');
  const { status, body } = await create(tenant, { sources: null, cron: '@daily' });
  assert.deepEqual([status, body.source, body.sources, body.name], [201, null, null, 'All scanners, @daily']);
  const scans = await fire(tenant, body.id);
  const ready = (await listReadyDetectors(testDatabase.database)).filter(({ dataSourceKinds }) =>
    dataSourceKinds.includes('website'),
  );
  assert.deepEqual(scans.map(({ source }) => source).sort(), ready.map(({ type }) => type).sort());
  for (const { ids, targets } of scans) assert.deepEqual([ids, targets], [null, [website]]);
});

test('a source that can not run is named in the error, and the others start', async () => {
  const tenant = await createTenant(testDatabase.database);
  await addRepository(tenant);
  const sources = ['dependencies', 'secrets'];
  const { body } = await create(tenant, { sources, cron: '@daily' });
  // No advisories are loaded, so dependencies can't be checked.
  assert.deepEqual(
    (await fire(tenant, body.id)).map(({ source }) => source),
    ['secrets'],
  );
  assert.match((await read(tenant, body.id)).last_error, /^Dependencies can't run: /);
  const tagless = await create(tenant, { sources: ['secrets', 'code'], cron: '@daily', data_source_tags: ['a', 'b'] });
  assert.deepEqual(await fire(tenant, tagless.body.id), []);
  assert.match((await read(tenant, tagless.body.id)).last_error, /nothing to scan.*has the tag a or b/);
});

test('source and sources say the same in each direction', async () => {
  const tenant = await createTenant(testDatabase.database);
  const shown = ({ source, sources, name }: Record<string, unknown>) => [source, sources, name];
  const { body } = await create(tenant, { source: 'secrets', cron: '@daily' });
  assert.deepEqual(shown(body), ['secrets', ['secrets'], 'Secrets, @daily']);
  const change = async (fields: object) => {
    const changed = await call(node, tenant.token, 'PATCH', `/scan-schedules/${body.id}`, fields);
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    return shown(changed.body);
  };
  assert.deepEqual(await change({ sources: ['code'] }), ['code', ['code'], 'Code, @daily']);
  const both = [null, ['secrets', 'code'], 'Secrets, Code, @daily'];
  assert.deepEqual(await change({ sources: ['secrets', 'code'] }), both);
  assert.deepEqual(await change({ cron: '@daily' }), both);
  assert.deepEqual(await change({ source: null }), both);
  assert.deepEqual(await change({ sources: null }), [null, null, 'All scanners, @daily']);
  assert.deepEqual(await change({ source: 'web', sources: ['web'] }), ['web', ['web'], 'Web, @daily']);
});

test('a schedule that is changed while it is prepared starts what it names then', async () => {
  const tenant = await createTenant(testDatabase.database);
  await addRepository(tenant);
  const { body } = await create(tenant, { source: 'secrets', cron: '@daily' });
  await makeDue(tenant, body.id);
  let asked = 0;
  const transaction: typeof testDatabase.database.transaction = async (orgId, run, ...options) => {
    // The first transaction of the organization reads the schedule, the second one fires it.
    if (orgId === tenant.orgId && ++asked === 2)
      await call(node, tenant.token, 'PATCH', `/scan-schedules/${body.id}`, { source: 'code' });
    return testDatabase.database.transaction(orgId, run, ...options);
  };
  await fireDueSchedules({ ...testDatabase.database, transaction });
  assert.deepEqual([asked, await scansOf(tenant)], [2, []]);
  await fireDueSchedules(testDatabase.database);
  assert.deepEqual(
    (await scansOf(tenant)).map(({ source }) => source),
    ['code'],
  );
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
  const scope = { data_sources: [gone], data_source_tags: ['nightly'] };
  const tagged = (await create(tenant, { source: 'secrets', cron: '@daily', ...scope })).body;
  await testDatabase.database.transaction(tenant.orgId, (tx) => removeDataSourceFromSchedules(tx, tenant.orgId, gone));
  const scopeOf = async ({ id }: { id: string }) => {
    const { data_sources, enabled } = await read(tenant, id);
    return [data_sources, enabled];
  };
  assert.deepEqual(await scopeOf(both), [[left], true]);
  assert.deepEqual(await scopeOf(only), [[], false]);
  assert.deepEqual(await scopeOf(tagged), [null, true]);
});
