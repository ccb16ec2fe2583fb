import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startApplication } from '../../../tests/harness/application.ts';
import { addDataSource } from '../../../tests/harness/finding-set.ts';
import { recordScan, succeeded } from '../../../tests/harness/furnished.ts';
import { createTenant } from '../../../tests/harness/people.ts';
import { detectionOf } from '../findings.fixture.ts';

const app = await startApplication();
after(() => app.close());
const { database } = app;
const owner = await createTenant(database);
const call = (method: 'GET' | 'PATCH', path: string, json?: object) => app.call(owner.token, method, path, { json });
const get = async (path: string) => succeeded(await call('GET', path));

/** Lists the keys of a scan's findings, and checks that facets, groups and another order count the same. */
async function keysOf(scan: string): Promise<string[]> {
  const { data } = await get(`/findings?scan=${scan}`);
  const keys = data.map(({ rule }: { rule: { id: string } }) => rule.id.replace('rule-', '')).sort();
  const { total } = await get(`/findings/facets?field=source&scan=${scan}`);
  const groups = (await get(`/findings/groups?by=data_source&scan=${scan}`)).data;
  const counts = groups.map(({ count }: { count: number }) => count);
  assert.deepEqual([total, ...counts], [keys.length, ...(keys.length > 0 ? [keys.length] : [])]);
  assert.equal((await get(`/findings?sort=-priority&scan=${scan}`)).data.length, keys.length);
  return keys;
}

const detections = (...keys: string[]) => keys.map((key) => detectionOf(key));

test('a scan lists the findings that it saw for the first time, saw again, reopened and closed', async () => {
  const dataSource = await addDataSource(app, owner.token, 'payments-api');
  const record = (keys: string[], options = {}) =>
    recordScan(database, owner.orgId, dataSource, detections(...keys), options);
  await record(['elsewhere'], { source: 'code' });
  const first = await record(['a', 'b', 'c']);
  assert.deepEqual(await keysOf(first), ['a', 'b', 'c']);
  const second = await record(['a', 'b']);
  const third = await record(['a', 'c', 'd']);
  const changes = ['new', 'seen', 'reopened', 'resolved'];
  const byChange = async (scan: string) =>
    Object.fromEntries(
      await Promise.all(changes.map(async (change) => [change, await keysOf(`${scan}:${change}`)] as const)),
    );
  assert.deepEqual(await byChange(third), { new: ['d'], seen: ['a'], reopened: ['c'], resolved: ['b'] });
  assert.deepEqual(await keysOf(third), ['a', 'b', 'c', 'd']);
  // A later scan has replaced the others: the findings that they saw again are no longer known, but those that they
  // changed are.
  assert.deepEqual(await keysOf(`${first}:new`), ['a', 'b', 'c']);
  assert.deepEqual(await keysOf(`${second}:resolved`), ['c']);
  assert.deepEqual(await keysOf(second), ['c']);
  const refused = await call('GET', `/findings?scan=${second}:seen`);
  assert.equal(refused.status, 400);
  assert.match(refused.body.error.message, /last completed scan of a data source/);
  // People's decisions don't change it.
  const { data } = await get(`/findings?scan=${third}:new`);
  succeeded(await call('PATCH', `/findings/${data[0].id}`, { status: 'resolved' }));
  assert.deepEqual(await byChange(third), { new: ['d'], seen: ['a'], reopened: ['c'], resolved: ['b'] });
});

test('the scan of another organization lists nothing, and every scan id is accepted', async () => {
  const other = await createTenant(database);
  const place = await addDataSource(app, other.token, 'theirs');
  const scan = await recordScan(database, other.orgId, place, detections('x'));
  assert.deepEqual(await keysOf(scan), []);
  for (const wrong of ['x', `${scan}:gone`, `${scan}:`, scan.replace('scan', 'fnd')])
    assert.equal((await call('GET', `/findings?scan=${wrong}`)).status, 400, wrong);
});

test('the history has the data source in which a scan saw a finding, and none for people', async () => {
  const dataSource = await addDataSource(app, owner.token, 'web-shop');
  const scan = await recordScan(database, owner.orgId, dataSource, detections('h'));
  const { id } = (await get(`/findings?scan=${scan}`)).data[0];
  succeeded(await call('PATCH', `/findings/${id}`, { status: 'triaged', comment: 'Yes.' }));
  await recordScan(database, owner.orgId, dataSource, []);
  const named = { id: dataSource, name: 'web-shop', kind: 'upload' };
  for (const [path, expected] of [
    ['history', [named, null, named]],
    ['timeline', [named, null, null, named]],
  ] as const) {
    const { data } = await get(`/findings/${id}/${path}`);
    assert.deepEqual(
      data.map((entry: { data_source: object | null }) => entry.data_source),
      expected,
    );
  }
});
