import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database.ts';
import { call, createTestNode, type Node } from '../../../tests/harness/identity.ts';
import { createTenant, type Person } from '../../../tests/harness/people.ts';
import { earliestId, newId } from '../../platform/id.ts';
import { claimTarget, endTarget } from '../targets/target-queries.ts';
import { insertScan } from './queries.ts';
import { scanRoutes } from './routes.ts';

let db: TestDatabase;
let node: Node;
let owner: Person;
let stranger: Person;
let scans: { old: string; web: string; both: string; code: string };
let sources: [first: string, second: string];

const hour = 3_600_000;
const noon = Date.parse('2026-03-01T12:00:00Z');

async function addDataSource(orgId: string, name: string): Promise<string> {
  const id = newId('ds');
  await db.database.single(orgId, {
    text: `INSERT INTO data_sources (org_id, id, kind, name, config) VALUES ($1, $2, 'upload', $3, '{}')`,
    values: [orgId, id, name],
  });
  return id;
}

async function addScan(at: number, source: string, dataSourceIds: string[]): Promise<string> {
  const id = earliestId('scan', at);
  const { orgId } = owner;
  await db.database.transaction(orgId, async (tx) => {
    await insertScan(
      tx,
      orgId,
      { id, source, trigger: 'import', requestedBy: null, dataSourceIds: null },
      dataSourceIds,
    );
    await tx.query({
      text: 'UPDATE scans SET created_at = $3 WHERE org_id = $1 AND id = $2',
      values: [orgId, id, new Date(at)],
    });
  });
  return id;
}

before(async () => {
  db = await createTestDatabase();
  node = await createTestNode(db.database, scanRoutes);
  owner = await createTenant(db.database);
  stranger = await createTenant(db.database);
  sources = [await addDataSource(owner.orgId, 'first'), await addDataSource(owner.orgId, 'second')];
  scans = {
    old: await addScan(noon - 240 * hour, 'code', [sources[0]]),
    web: await addScan(noon, 'web', [sources[1]]),
    both: await addScan(noon + 500, 'secrets', sources),
    code: await addScan(noon + hour, 'code', [sources[0]]),
  };
});
after(async () => {
  await node.close();
  await db.drop();
});

const get = (person: Person, query: string) => call(node, person.token, 'GET', `/scans?${query}`);

async function idsOf(query: string, person = owner): Promise<string[]> {
  const { status, body } = await get(person, query);
  assert.equal(status, 200, JSON.stringify(body));
  return body.data.map((scan: { id: string }) => scan.id);
}

test('scans are filtered by data source, each scan once, newest first, over pages', async () => {
  const [first, second] = sources;
  assert.deepEqual(await idsOf(`data_source=${second}`), [scans.both, scans.web]);
  assert.deepEqual(await idsOf(`data_source=${first},${second}`), [scans.code, scans.both, scans.web, scans.old]);
  assert.deepEqual(await idsOf(`data_source=${first}&source=code&status=queued`), [scans.code, scans.old]);
  assert.deepEqual(await idsOf(`data_source=${newId('ds')}`), []);
  const query = `data_source=${first},${second}&limit=2`;
  const { body } = await get(owner, query);
  assert.deepEqual(await idsOf(`${query}&next_cursor=${body.next_cursor}`), [scans.web, scans.old]);
  const other = await get(owner, `data_source=${first}&limit=2&next_cursor=${body.next_cursor}`);
  assert.equal(other.body.error.code, 'invalid_cursor');
});

test('scans are filtered by the time of their creation, both ends inclusive to the second', async () => {
  assert.deepEqual(await idsOf('created_from=2026-03-01T12:00:00Z'), [scans.code, scans.both, scans.web]);
  assert.deepEqual(await idsOf('created_to=2026-03-01T12:00:00Z'), [scans.both, scans.web, scans.old]);
  assert.deepEqual(await idsOf('created_from=2026-03-01T12:00:01Z&created_to=2026-03-01T13:00:00Z'), [scans.code]);
  assert.deepEqual(await idsOf(`data_source=${sources[0]}&created_from=2026-03-01T13:00:00%2B01:00`), [
    scans.code,
    scans.both,
  ]);
  assert.deepEqual(await idsOf('created_to=0001-01-01T00:00:00Z'), []);
  const { status, body } = await get(owner, 'created_from=2026-03-02T00:00:00Z&created_to=2026-03-01T00:00:00Z');
  assert.equal(status, 400);
  assert.match(body.error.message, /created_from: must not be after `created_to`/);
});

test("a data source of another organization matches nothing, and another organization's scans stay hidden", async () => {
  assert.deepEqual(await idsOf(`data_source=${sources.join()}`, stranger), []);
  assert.deepEqual(await idsOf('created_to=2030-01-01T00:00:00Z', stranger), []);
});

const targetsOf = async (scan: string, query = '', person = owner) =>
  (await call(node, person.token, 'GET', `/scans/${scan}/targets?${query}`)).body;

test('the targets of a scan are listed by data source, over pages, and only to its own organization', async () => {
  const names = (page: { data: Array<{ data_source: { name: string } }> }) =>
    page.data.map((one) => one.data_source.name);
  const whole = await targetsOf(scans.both);
  assert.deepEqual(names(whole), ['first', 'second']);
  assert.deepEqual(whole.data[0], {
    data_source: { id: sources[0], name: 'first', kind: 'upload' },
    status: 'queued',
    progress: { percent: 0, message: null },
    retry: null,
    findings: { new: 0, seen: 0, reopened: 0, resolved: 0 },
    errors: [],
    warnings: [],
    closed_nothing_because: null,
    revision: null,
    started_at: null,
    completed_at: null,
  });
  const page = await targetsOf(scans.both, 'limit=1');
  assert.deepEqual(names(page), ['first']);
  assert.deepEqual(names(await targetsOf(scans.both, `limit=1&next_cursor=${page.next_cursor}`)), ['second']);
  assert.equal((await targetsOf(scans.web, `next_cursor=${page.next_cursor}`)).error.code, 'invalid_cursor');
  assert.deepEqual(names(await targetsOf(scans.both, 'status=running,failed')), []);
  assert.equal((await targetsOf(scans.both, '', stranger)).error.code, 'not_found');
});

test('a target of a cancelled scan says that it therefore closed nothing', async () => {
  await call(node, owner.token, 'POST', `/scans/${scans.web}/cancel`);
  const { status, closed_nothing_because: because } = (await targetsOf(scans.web)).data[0];
  assert.deepEqual([status, because.code], ['cancelled', 'cancelled']);
});

test('a failed target says why, and that it therefore closed nothing', async () => {
  const { orgId } = owner;
  const claimed = await db.database.transaction(orgId, (tx) => claimTarget(tx, orgId, scans.old, sources[0]));
  assert.ok(claimed.kind === 'claimed');
  const tally = { new: 1, seen: 2, reopened: 0, resolved: 0 };
  const outcome = { status: 'failed' as const, error: 'The repository is empty.', warnings: [], tally };
  await db.database.transaction(orgId, (tx) => endTarget(tx, orgId, claimed.target, outcome));
  const [target] = (await targetsOf(scans.old)).data;
  assert.deepEqual([target.status, target.errors], ['failed', ['The repository is empty.']]);
  assert.equal(target.closed_nothing_because.code, 'failed');
  assert.deepEqual(target.findings, tally);
});
