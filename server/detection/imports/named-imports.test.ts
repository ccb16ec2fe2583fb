import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startApplication } from '../../../tests/harness/application.ts';
import type { ApiResponse } from '../../../tests/harness/exchange.ts';
import { succeeded } from '../../../tests/harness/furnished.ts';
import { untilLockWait } from '../../../tests/harness/lock-wait.ts';
import { createTenant, createTestMember, createTokenFor } from '../../../tests/harness/people.ts';
import { deleteDataSource } from '../../data-sources/delete-data-source.ts';
import { operator } from '../../organization/audit.ts';
import { silentLog } from '../../platform/log.ts';
import { type ImportJob, runImport } from './merge-import.ts';

const app = await startApplication();
const { database } = app;
after(() => app.close());

const sarif = (levels: Record<string, 'error' | 'warning'>) => ({
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'Lint' } },
      results: Object.entries(levels).map(([ruleId, level]) => ({
        ruleId,
        level,
        message: { text: `About ${ruleId}` },
      })),
    },
  ],
});
const path = '/imports?data_source_name=payments-api&format=sarif';
const send = (token: string, json: object = sarif({ a: 'error' }), query = '') =>
  app.call(token, 'POST', `${path}${query}`, { json });
const uploads = async (token: string) =>
  succeeded(await app.call(token, 'GET', '/data-sources?kind=upload')).data as Array<{ id: string; name: string }>;

/** Runs the waiting imports like a worker. */
async function work(): Promise<void> {
  const jobs = await database.pool.query<{ id: string; payload: ImportJob }>(
    `SELECT id::text, payload FROM graphile_worker._private_jobs WHERE payload ->> 'scan_id' IS NOT NULL`,
  );
  for (const { id, payload } of jobs.rows) {
    assert.equal(await runImport({ database, log: silentLog }, payload), 0);
    await database.pool.query('SELECT graphile_worker.complete_jobs(ARRAY[$1::bigint])', [id]);
  }
}

test('an import by name adds the data source on first use only; its dry run adds nothing', async () => {
  const { token } = await createTenant(database);
  const preview = succeeded(await send(token, sarif({ a: 'error' }), '&dry_run=true'));
  assert.deepEqual([preview.findings.new, await uploads(token)], [1, []]);
  const first = succeeded(await send(token));
  const [upload] = await uploads(token);
  assert.deepEqual([upload!.name, first.data_sources], ['payments-api', [upload!.id]]);
  assert.deepEqual(succeeded(await send(token)).data_sources, [upload!.id]);
  const [event] = succeeded(await app.call(token, 'GET', '/audit-events?action=data_source.created')).data;
  assert.equal(event.target.id, upload!.id);
});

test('a refused file adds no data source', async () => {
  const { token } = await createTenant(database);
  assert.equal((await send(token, { version: '2.1.0', runs: 5 })).status, 400);
  assert.deepEqual(await uploads(token), []);
});

test('one of two concurrent first uses adds the data source', async () => {
  const { token } = await createTenant(database);
  const scans = await Promise.all(['a', 'b', 'c'].map((rule) => send(token, sarif({ [rule]: 'error' }))));
  const used = new Set(scans.map((response) => succeeded(response).data_sources[0]));
  assert.deepEqual([...used], [(await uploads(token))[0]!.id]);
});

test('an import by name whose data source is being deleted adds a new one', async () => {
  const { orgId, token } = await createTenant(database);
  const old = succeeded(await send(token)).data_sources[0];
  let sent: Promise<ApiResponse> | undefined;
  await database.transaction(orgId, async (tx) => {
    await deleteDataSource(tx, orgId, old, { actor: operator, onDeleted: [] });
    sent = send(token);
    await untilLockWait(database);
  });
  const [added] = succeeded((await sent)!).data_sources;
  assert.notEqual(added, old);
  assert.deepEqual(
    (await uploads(token)).map(({ id }) => id),
    [added],
  );
});

test('adding the data source needs the right to add data sources, later imports do not', async () => {
  const owner = await createTenant(database);
  const narrow = await createTokenFor(database, owner.orgId, owner.userId, { scopes: ['scans:write'] });
  const analyst = await createTestMember(database, owner.orgId, 'analyst');
  for (const query of ['', '&dry_run=true']) {
    const refused = await send(narrow, undefined, query);
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'insufficient_scope']);
    assert.match(refused.body.error.message, /no data source named "payments-api" yet.*sources:write/);
    assert.equal((await send(analyst.token, undefined, query)).body.error.code, 'forbidden');
  }
  succeeded(await send(owner.token));
  succeeded(await send(narrow));
  succeeded(await send(analyst.token));
});

test('an import by name goes to the repository of that name, unless an upload has it too', async () => {
  const { token } = await createTenant(database);
  const add = async (json: object) => succeeded(await app.call(token, 'POST', '/data-sources', { json })).id as string;
  const repository = { kind: 'git_repository', name: 'payments-api' };
  const first = await add({ ...repository, config: { url: 'https://git.example.com/payments.git' } });
  assert.deepEqual(succeeded(await send(token)).data_sources, [first]);
  const second = await add({ ...repository, config: { url: 'https://git.example.com/other.git' } });
  const refused = await send(token);
  assert.equal(refused.status, 409);
  for (const id of [first, second]) assert.match(refused.body.error.message, new RegExp(id));
  const upload = await add({ kind: 'upload', name: 'payments-api' });
  assert.deepEqual(succeeded(await send(token)).data_sources, [upload]);
});

test('a name that several uploads have is refused with their ids', async () => {
  const { token } = await createTenant(database);
  for (const name of ['payments-api', 'payments-api'])
    succeeded(await app.call(token, 'POST', '/data-sources', { json: { kind: 'upload', name } }));
  const { status, body } = await send(token);
  assert.equal(status, 409);
  for (const { id } of await uploads(token)) assert.match(body.error.message, new RegExp(id));
});

test('the scan of an import lists the open findings by severity before and after, and those that a decision keeps closed', async () => {
  const { token } = await createTenant(database);
  const finished = async (json: object, query = '') => {
    const { id } = succeeded(await send(token, json, query));
    await work();
    const { by_severity, kept_closed, findings } = succeeded(await app.call(token, 'GET', `/scans/${id}`));
    return { by_severity, kept_closed, resolved: findings.resolved };
  };
  const open = (high: number, medium: number) => ({ critical: 0, high, medium, low: 0, info: 0 });
  const queued = succeeded(await send(token, sarif({ a: 'error', b: 'warning', c: 'warning', d: 'warning' })));
  assert.deepEqual([queued.by_severity, queued.kept_closed], [null, null]);
  await work();
  const first = succeeded(await app.call(token, 'GET', `/scans/${queued.id}`));
  assert.deepEqual([first.by_severity, first.kept_closed], [{ before: open(0, 0), after: open(1, 3) }, 0]);
  const found = succeeded(await app.call(token, 'GET', '/findings')).data;
  for (const [rule, status] of [
    ['b', 'accepted_risk'],
    ['c', 'false_positive'],
  ]) {
    const { id } = found.find((finding: { rule: { id: string } }) => finding.rule.id === rule);
    succeeded(await app.call(token, 'PATCH', `/findings/${id}`, { json: { status } }));
  }
  for (const resolved of [2, 0])
    assert.deepEqual(await finished(sarif({ a: 'error' }), '&close_missing=true'), {
      by_severity: { before: open(1, resolved / 2), after: open(1, 0) },
      kept_closed: 1,
      resolved,
    });
});
