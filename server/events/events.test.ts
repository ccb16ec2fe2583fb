import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { createTestDatabase } from '../../tests/harness/database.ts';
import { recordScan } from '../../tests/harness/furnished.ts';
import { call, createTestNode, type Node } from '../../tests/harness/identity.ts';
import { eventually } from '../../tests/harness/installation.ts';
import { createTenant, createTestMember, createTokenFor } from '../../tests/harness/people.ts';
import { within } from '../../tests/harness/within.ts';
import { bulkRoutes } from '../decisions/bulk/routes.ts';
import { oneFindingRoutes } from '../decisions/finding-routes.ts';
import { decisionRoutes } from '../decisions/routes.ts';
import { insertScan } from '../detection/scans/queries.ts';
import { type ClaimedTarget, claimTarget, endTarget } from '../detection/targets/target-queries.ts';
import { detectionOf } from '../findings/findings.fixture.ts';
import { findingRoutes } from '../findings/routes.ts';
import { removeMember } from '../organization/change-member.ts';
import { newId } from '../platform/id.ts';
import { createReport } from '../reports/create-report.ts';
import { eventRoutes } from './routes.ts';

const { database, drop } = await createTestDatabase();
const routes = [...eventRoutes, ...decisionRoutes, ...findingRoutes, ...oneFindingRoutes, ...bulkRoutes];

async function startNode(): Promise<Node & { port: number }> {
  const node = await createTestNode(database, routes);
  await node.app.listen({ host: '127.0.0.1', port: 0 });
  await eventually(async () => node.notifications.isListening());
  return { ...node, port: (node.app.server.address() as AddressInfo).port };
}
const node = await startNode();
const other = await startNode();
after(async () => {
  await node.close();
  await other.close();
  await drop();
});

type Event = { type: string; data: Record<string, unknown> & { id?: string } };

async function follow({ port }: { port: number }, token: string, lastEventId?: string, query = '') {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  };
  const outgoing = get({ port, path: `/api/v1/events${query}`, headers, agent: false });
  const [incoming] = await once(outgoing, 'response');
  let text = '';
  let open = true;
  incoming.on('data', (chunk: Buffer) => {
    text += chunk;
  });
  incoming.on('error', () => {});
  incoming.on('close', () => {
    open = false;
  });
  const events = (type: string): Event['data'][] =>
    [...text.matchAll(/event: (\w+)\ndata: (.*)\n/g)]
      .filter(([, name]) => name === type)
      .map(([, , data]) => JSON.parse(data!));
  const lastId = () => [...text.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1];
  // Its first position shows that it has caught up.
  if (incoming.statusCode === 200) await eventually(async () => lastId() !== undefined);
  return {
    status: incoming.statusCode as number,
    events,
    lastId,
    isOpen: () => open,
    stop: () => outgoing.destroy(),
    text: () => text,
  };
}

async function addDataSource(orgId: string): Promise<string> {
  const id = newId('ds');
  await database.transaction(orgId, (tx) =>
    tx.query({
      text: `INSERT INTO data_sources (org_id, id, kind, name, config) VALUES ($1, $2, 'upload', $2, '{}')`,
      values: [orgId, id],
    }),
  );
  return id;
}

/** Starts a scan of a new data source. Returns its id and a function that ends it. */
async function startScan(orgId: string) {
  const id = newId('scan');
  const dataSourceId = await addDataSource(orgId);
  const target = await database.transaction(orgId, async (tx) => {
    const scan = { id, source: 'secrets', trigger: 'api' as const, requestedBy: null, dataSourceIds: [dataSourceId] };
    await insertScan(tx, orgId, scan, [dataSourceId]);
    return ((await claimTarget(tx, orgId, id, dataSourceId)) as { target: ClaimedTarget }).target;
  });
  const tally = { new: 2, seen: 0, reopened: 0, resolved: 0 };
  const outcome = { status: 'completed' as const, error: null, warnings: [], tally };
  return { id, end: () => database.transaction(orgId, (tx) => endTarget(tx, orgId, target, outcome)) };
}

const sum = (events: Event['data'][], of: string) => events.reduce((total, data) => total + Number(data[of]), 0);

test('every node streams scans, reports, bulk operations and counts of findings', async () => {
  const { orgId, userId, token } = await createTenant(database);
  const streams = [await follow(node, token), await follow(other, token)];
  const dataSourceId = await addDataSource(orgId);
  await recordScan(database, orgId, dataSourceId, [detectionOf('a'), detectionOf('b'), detectionOf('c')]);
  const scan = await startScan(orgId);
  const filter = { source: ['secrets'] };
  const update = await call(node, token, 'PATCH', '/findings', { filter, status: 'triaged' });
  assert.equal(update.status, 200);
  await database.transaction(orgId, (tx) =>
    createReport(tx, orgId, { title: 'June', filters: {}, createdBy: userId, scheduledReportId: null, mail: null }),
  );
  for (const stream of streams) {
    await eventually(async () =>
      stream.events('scan').some(({ id, status }) => id === scan.id && status === 'running'),
    );
    await eventually(async () => stream.events('report').some(({ title }) => title === 'June'));
    await eventually(async () => stream.events('bulk_operation').some(({ updated }) => updated === 3));
    await eventually(async () => sum(stream.events('findings'), 'created') === 3);
  }
  await scan.end();
  for (const stream of streams) {
    await eventually(async () =>
      stream.events('scan').some(({ id, status }) => id === scan.id && status === 'completed'),
    );
    stream.stop();
  }
});

test('every node streams requests as they are made, changed, approved, rejected and withdrawn', async () => {
  const { orgId, userId, token } = await createTenant(database);
  const developer = await createTestMember(database, orgId, 'developer');
  const streams = [await follow(node, token), await follow(other, token)];
  const narrow = await follow(node, await createTokenFor(database, orgId, userId, { scopes: ['scans:read'] }));
  const body = { outcome: 'false_positive', reason: 'Never deployed.', scope: { rule: ['injection'] } };
  const request = async () => {
    const { status, body: made } = await call(node, developer.token, 'POST', '/decisions', body);
    assert.equal(status, 201);
    return made.id as string;
  };
  const [approved, rejected, withdrawn] = [await request(), await request(), await request()];
  const seen = (id: string, state: string, version: number) =>
    Promise.all(
      streams.map((stream) =>
        eventually(async () =>
          stream.events('decision').some((data) => data.id === id && data.status === state && data.version === version),
        ),
      ),
    );
  for (const id of [approved, rejected, withdrawn]) await seen(id, 'requested', 1);
  await call(node, developer.token, 'PATCH', `/decisions/${approved}`, { reason: 'Really.' });
  await seen(approved, 'requested', 2);
  await call(node, token, 'POST', `/decisions/${approved}/approve`, { version: 2 });
  await call(node, token, 'POST', `/decisions/${rejected}/reject`, { version: 1 });
  await call(node, developer.token, 'DELETE', `/decisions/${withdrawn}`);
  await seen(approved, 'active', 3);
  await seen(rejected, 'rejected', 2);
  await seen(withdrawn, 'withdrawn', 2);
  const { id: _, ...state } = streams[0]!.events('decision').find(({ id }) => id === approved)!;
  assert.deepEqual(state, { status: 'requested', version: 1, origin: 'person', outcome: 'false_positive' });
  assert.deepEqual(narrow.events('decision'), [], 'a token sees the events of its scopes only');
  for (const stream of [...streams, narrow]) stream.stop();
});

test('each change of a finding is counted once, whatever the timing of reads', async () => {
  const { orgId, token } = await createTenant(database);
  const stream = await follow(node, token);
  const dataSourceId = await addDataSource(orgId);
  for (let round = 0; round < 6; round += 1) {
    const detections = [1, 2, 3, 4].map((n) => detectionOf(`${round}-${n}`));
    await recordScan(database, orgId, dataSourceId, detections, { close: false });
  }
  await eventually(async () => sum(stream.events('findings'), 'created') >= 24);
  await call(node, token, 'PATCH', '/findings', { filter: { source: ['secrets'] }, status: 'triaged' });
  await eventually(async () => sum(stream.events('findings'), 'changed') >= 24);
  assert.equal(sum(stream.events('findings'), 'created'), 24);
  assert.equal(sum(stream.events('findings'), 'changed'), 24);
  stream.stop();
});

test('an event of findings has the ids of those that changed after they were first seen', async () => {
  const { orgId, token } = await createTenant(database);
  const dataSourceId = await addDataSource(orgId);
  await recordScan(database, orgId, dataSourceId, [detectionOf('a'), detectionOf('b')]);
  const { data } = (await call(node, token, 'GET', '/findings?fields=id')).body;
  const stream = await follow(node, token);
  await call(node, token, 'PATCH', `/findings/${data[0].id}`, { status: 'triaged' });
  await eventually(async () => sum(stream.events('findings'), 'changed') === 1);
  assert.deepEqual(
    stream.events('findings').flatMap(({ ids }) => ids),
    [data[0].id],
  );
  const [{ since }] = stream.events('findings') as [{ since: string }];
  const later = (await call(node, token, 'GET', `/findings?updated_from=${since}&fields=id`)).body.data;
  assert.ok(later.some(({ id }: { id: string }) => id === data[0].id));
  stream.stop();
});

test('a client that was away gets the events it missed, on any node; one that was away too long reloads', async () => {
  const { orgId, token } = await createTenant(database);
  const first = await follow(node, token);
  const scan = await startScan(orgId);
  await eventually(async () => first.events('scan').length > 0);
  const lastId = first.lastId()!;
  first.stop();
  await scan.end();
  const dataSourceId = await addDataSource(orgId);
  await recordScan(database, orgId, dataSourceId, [detectionOf('missed')]);
  const again = await follow(other, token, lastId);
  await eventually(async () => again.events('scan').some(({ id, status }) => id === scan.id && status === 'completed'));
  assert.equal(sum(again.events('findings'), 'created'), 1);
  assert.equal(again.events('reset').length, 0);
  again.stop();
  const late = await follow(node, token, String(Number(lastId) - 2 * 3_600_000_000));
  assert.equal(late.events('reset').length, 1);
  late.stop();
  assert.equal((await follow(node, token, 'nonsense')).status, 400);
});

test('a client that stores only the ids of events, as most do, resumes after the last one that it received', async () => {
  const { orgId, token } = await createTenant(database);
  const first = await follow(node, token);
  const dataSourceId = await addDataSource(orgId);
  const scans = [await startScan(orgId), await startScan(orgId)];
  await eventually(async () => scans.every(({ id }) => first.events('scan').some((event) => event.id === id)));
  const ids = [...first.text().matchAll(/event: scan\ndata: .*\nid: (\d+)\n\n/g)].map((match) => match[1]!);
  assert.equal(ids.length, first.events('scan').length, 'every event has an id');
  first.stop();
  await recordScan(database, orgId, dataSourceId, [detectionOf('missed')]);
  const again = await follow(node, token, ids.at(-1));
  await eventually(async () => sum(again.events('findings'), 'created') === 1);
  assert.equal(again.events('reset').length, 0);
  again.stop();
  const early = await follow(node, token, ids[0]);
  assert.ok(
    early.events('scan').some(({ id }) => id === scans.at(-1)!.id),
    'an id in the middle skips nothing',
  );
  early.stop();
});

test('the position can also be in the address, where a newer one in the header takes precedence', async () => {
  const { orgId, token } = await createTenant(database);
  const first = await follow(node, token);
  const position = first.lastId();
  first.stop();
  const dataSourceId = await addDataSource(orgId);
  await recordScan(database, orgId, dataSourceId, [detectionOf('a'), detectionOf('b')]);
  const resumed = await follow(other, token, undefined, `?last_event_id=${position}`);
  await eventually(async () => sum(resumed.events('findings'), 'created') === 2);
  const reconnected = await follow(other, token, resumed.lastId(), `?last_event_id=${position}`);
  assert.deepEqual(reconnected.events('findings'), []);
  for (const stream of [resumed, reconnected]) stream.stop();
  assert.equal((await follow(node, token, undefined, '?last_event_id=x')).status, 400);
});

test('a new client gets the items in progress', async () => {
  const { orgId, token } = await createTenant(database);
  const scan = await startScan(orgId);
  const ended = await startScan(orgId);
  await ended.end();
  const stream = await follow(node, token);
  assert.deepEqual(
    stream.events('scan').map(({ id }) => id),
    [scan.id],
  );
  stream.stop();
});

test('a new client gets nothing that ended before it connected, then or later', async () => {
  const { orgId, token } = await createTenant(database);
  const ended = await startScan(orgId);
  await ended.end();
  const streams = [await follow(node, token)];
  const next = await startScan(orgId);
  streams.push(await follow(node, token));
  await next.end();
  for (const stream of streams) {
    await eventually(async () =>
      stream.events('scan').some(({ id, status }) => id === next.id && status === 'completed'),
    );
    assert.deepEqual(
      stream.events('scan').filter(({ id }) => id === ended.id),
      [],
    );
    stream.stop();
  }
});

test('events of other organizations, and of scopes that a token lacks, are not sent', async () => {
  const one = await createTenant(database);
  const two = await createTenant(database);
  const narrow = await createTokenFor(database, one.orgId, one.userId, { scopes: ['findings:read'] });
  const without = await createTokenFor(database, one.orgId, one.userId, { scopes: ['sources:read'] });
  const refused = await call(node, without, 'GET', '/events');
  assert.deepEqual([refused.status, refused.body.error.code], [403, 'insufficient_scope']);
  const [full, some, strange] = [
    await follow(node, one.token),
    await follow(node, narrow),
    await follow(node, two.token),
  ];
  await startScan(one.orgId);
  await eventually(async () => full.events('scan').length > 0);
  const dataSourceId = await addDataSource(one.orgId);
  await recordScan(database, one.orgId, dataSourceId, [detectionOf('x')]);
  await eventually(async () => sum(some.events('findings'), 'created') === 1);
  assert.equal(some.events('scan').length, 0);
  assert.doesNotMatch(strange.text(), /event:/);
  for (const stream of [full, some, strange]) stream.stop();
});

test('a stream ends within a second when its person is removed', async () => {
  const owner = await createTenant(database);
  const member = await createTestMember(database, owner.orgId, 'viewer');
  const streams = [await follow(node, member.token), await follow(other, member.token)];
  const changer = { userId: owner.userId, tokenId: null, address: null, role: 'owner' as const };
  await database.transaction(owner.orgId, (tx) => removeMember(tx, owner.orgId, changer, member.userId));
  await within(1_000, () => streams.every((stream) => !stream.isOpen()));
});
