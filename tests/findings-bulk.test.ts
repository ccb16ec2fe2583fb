import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectionOf } from '../server/findings/findings.fixture.ts';
import { statuses } from '../server/findings/lifecycle.ts';
import { newId } from '../server/platform/id.ts';
import { addDataSource, type Finding, readAll } from './harness/finding-set.ts';
import { recordScan, succeeded } from './harness/furnished.ts';
import { analyst, app, bulk, createFindings, get, orgId, patch, patched, stranger, token } from './triage.fixture.ts';

test('a bulk update by ids changes each once, and one unknown id refuses all', async () => {
  const { ids } = await createFindings(20);
  const [one, two, ...rest] = ids as [string, string, ...string[]];
  assert.equal(succeeded(await bulk({ ids: [one, two, one], status: 'triaged', comment: 'both' })).updated, 2);
  assert.equal((await get(`/findings/${one}`)).comment_count, 1);
  assert.equal(succeeded(await bulk({ ids, status: 'triaged' })).updated, 18);
  const foreign = (await createForeignFinding()).id;
  const close = (id: string) => bulk({ ids: [...rest, id], status: 'false_positive', tags: ['x'], comment: 'x' });
  for (const unknown of [newId('fnd'), foreign]) {
    const response = await close(unknown);
    assert.deepEqual([response.status, response.body.error.code], [404, 'not_found']);
  }
  for (const shapeless of ['nothing', newId('ds')]) {
    const response = await close(shapeless);
    assert.deepEqual([response.status, response.body.error.details[0].field], [400, `ids[${rest.length}]`]);
  }
  for (const id of ids) {
    const { status, tags } = await get(`/findings/${id}`);
    assert.deepEqual([status, tags], ['triaged', []]);
  }
  assert.deepEqual((await app.call(stranger.token, 'GET', `/findings/${foreign}`)).body.status, 'new');
});

async function createForeignFinding(): Promise<Finding> {
  const dataSourceId = await addDataSource(app, stranger.token, 'foreign');
  await recordScan(app.database, stranger.orgId, dataSourceId, [detectionOf('foreign')]);
  return (await readAll(app, stranger.token, `data_source=${dataSourceId}`))[0];
}

test('a bulk update accepts a thousand ids, and refuses more or an incomplete request', async () => {
  const { ids } = await createFindings(1_000);
  assert.equal(succeeded(await bulk({ ids, assignee: analyst.email, tags: ['many'] })).updated, 1_000);
  assert.equal((await readAll(app, token, 'tag=many')).length, 1_000);
  const refusals: Array<[object, RegExp]> = [
    [{ ids: [...ids, newId('fnd')], status: 'new' }, /ids/],
    [{ ids: [], status: 'new' }, /ids/],
    [{ ids: ids.slice(0, 2) }, /status/],
    [{ status: 'new' }, /ids/],
    [{ ids: ids.slice(0, 2), filter: { status: ['new'] }, tags: [] }, /ids/],
    [{ filter: {}, tags: [] }, /filter/],
    [{ filter: { severty: ['high'] }, tags: [] }, /severty/],
    [{ filter: { severity: ['hgih'] }, tags: [] }, /severity/],
    [{ filter: { from: '2026-03-02T00:00:00Z', to: '2026-03-01T00:00:00Z' }, tags: [] }, /from/],
    [{ filter: { from: 'yesterday' }, tags: [] }, /from/],
    [{ filter: { status: 'new' }, tags: [] }, /status/],
  ];
  for (const [json, named] of refusals) {
    const { status, body } = await bulk(json);
    assert.equal(status, 400, JSON.stringify(json).slice(0, 100));
    assert.match(body.error.message, named);
  }
});

test('many concurrent decisions on the same findings leave every figure right', async () => {
  const { dataSourceId, ids } = await createFindings(12);
  const work = Array.from({ length: 60 }, (_, n) => {
    const status = statuses[n % statuses.length]!;
    const some = ids.filter((_, index) => (index + n) % 3 === 0);
    if (n % 4 === 0) return bulk({ ids: n % 8 === 0 ? some : some.toReversed(), status, tags: [`t${n}`] });
    if (n % 4 === 1)
      return recordScan(
        app.database,
        orgId,
        dataSourceId,
        ids.slice(0, n % 12).map((_, k) => detectionOf(`f${k}`)),
      );
    return patch(ids[n % ids.length]!, { status, comment: `c${n}` });
  });
  for (const response of await Promise.all(work))
    if (typeof response === 'object') assert.equal(response.status, 200, response.text);
  const list = await readAll(app, token, `data_source=${dataSourceId}`);
  const summary = await get(`/findings/summary?data_source=${dataSourceId}`);
  for (const status of statuses) {
    assert.equal(summary.by_status[status], list.filter((finding) => finding.status === status).length, status);
  }
  assert.equal(
    list.reduce((sum, finding) => sum + finding.comment_count, 0),
    30,
  );
});

test('the daily series counts the findings opened and closed today', async () => {
  const { dataSourceId, ids } = await createFindings(5);
  const today = async () => {
    const { daily } = await get(`/findings/summary?data_source=${dataSourceId}&days=2`);
    assert.equal(daily.length, 2);
    return [daily[1].opened, daily[1].closed];
  };
  assert.deepEqual(await today(), [5, 0]);
  await bulk({ ids: ids.slice(0, 3), status: 'false_positive' });
  assert.deepEqual(await today(), [5, 3]);
  await patched(ids[0]!, { status: 'new' });
  assert.deepEqual(await today(), [6, 3]);
  await patched(ids[1]!, { status: 'resolved' });
  assert.deepEqual(await today(), [6, 3]);
});
