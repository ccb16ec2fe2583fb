import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { createTestNode, type Node } from '../../../tests/harness/identity.ts';
import { eventually } from '../../../tests/harness/installation.ts';
import {
  createTenant,
  createTestMember,
  createTokenFor,
  type Person,
  testBaseUrl,
  testPassword,
} from '../../../tests/harness/people.ts';
import { within } from '../../../tests/harness/within.ts';
import { revokeTokenById } from '../../identity/commands/token-command.ts';
import { changeMemberRole, removeMember } from '../../organization/change-member.ts';
import { newId } from '../../platform/id.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { type ClaimedTarget, claimTarget, endTarget, recordHeartbeat } from '../targets/target-queries.ts';
import { insertScan } from './queries.ts';
import { scanRoutes } from './routes.ts';
import { ScanWatches } from './scan-watches.ts';

const db = await createTestDatabase();
let scanReads = 0;
/** Counts how often scans are read. */
const counting: Database = {
  ...db.database,
  single: (orgId, statement, before) => {
    if (statement.name === 'scan_find') scanReads += 1;
    return db.database.single(orgId, statement, before);
  },
};
const { database } = db;

async function startNode(): Promise<Node & { port: number }> {
  const node = await createTestNode(counting, scanRoutes);
  await node.app.listen({ host: '127.0.0.1', port: 0 });
  await eventually(async () => node.notifications.isListening());
  return { ...node, port: (node.app.server.address() as AddressInfo).port };
}
const nodes = [await startNode(), await startNode()] as const;
const [node, other] = nodes;
after(async () => {
  for (const one of nodes) await one.close();
  await db.drop();
});

const tally = { new: 0, seen: 0, reopened: 0, resolved: 0 };

/** Creates a scan of one target that is in progress. */
async function startedScan(orgId: string) {
  const id = newId('scan');
  const dataSourceId = newId('ds');
  const target = await database.transaction(orgId, async (tx) => {
    await tx.query({
      text: `INSERT INTO data_sources (org_id, id, kind, name, config) VALUES ($1, $2, 'upload', $2, '{}')`,
      values: [orgId, dataSourceId],
    });
    const scan = {
      id,
      source: `tool-${id}`,
      trigger: 'api' as const,
      requestedBy: null,
      dataSourceIds: [dataSourceId],
    };
    await insertScan(tx, orgId, scan, [dataSourceId]);
    const claim = await claimTarget(tx, orgId, id, dataSourceId);
    return (claim as { target: ClaimedTarget }).target;
  });
  return {
    id,
    progress: (message: string) =>
      database.transaction(orgId, (tx) => recordHeartbeat(tx, orgId, target, 0.5, message, tally)),
    end: () =>
      database.transaction(orgId, (tx) =>
        endTarget(tx, orgId, target, { status: 'completed', error: null, warnings: [], tally }),
      ),
  };
}

type Followed = { status: number; headers: Record<string, unknown>; text(): string; isOpen(): boolean; stop(): void };

async function follow(
  { port }: { port: number },
  credential: string | Record<string, string>,
  scanId: string,
  method = 'GET',
): Promise<Followed> {
  const headers = typeof credential === 'string' ? { authorization: `Bearer ${credential}` } : credential;
  const outgoing = get({ port, method, path: `/api/v1/scans/${scanId}/events`, headers, agent: false });
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
  const { statusCode: status, headers: responseHeaders } = incoming;
  return { status, headers: responseHeaders, text: () => text, isOpen: () => open, stop: () => outgoing.destroy() };
}

async function sessionOf({ email }: Person): Promise<Record<string, string>> {
  const payload = { email, password: testPassword };
  const remoteAddress = `10.1.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}`;
  const response = await node.app.inject({ method: 'POST', url: '/auth/sign-in/email', payload, remoteAddress });
  assert.equal(response.statusCode, 200, response.body);
  return { cookie: String(response.headers['set-cookie']).split(';')[0]!, origin: testBaseUrl };
}

const haveEnded = (streams: Followed[]) => streams.every((stream) => !stream.isOpen());
/** Waits until all of them have ended. */
const ended = (streams: Followed[]) => eventually(async () => haveEnded(streams));

test('every stream on every node gets each change, and the end', async () => {
  const { orgId, token } = await createTenant(database);
  const scan = await startedScan(orgId);
  const streams = await Promise.all([node, node, other].map((one) => follow(one, token, scan.id)));
  await scan.progress('reading history');
  await eventually(async () => streams.every((stream) => stream.text().includes('"message":"reading history"')));
  await scan.end();
  await ended(streams);
  for (const stream of streams) assert.match(stream.text(), /event: end\ndata: \{.*"status":"completed".*\}\n\n$/);
});

test('however many requests wait for the end of a scan, a node reads the scan once for each change', async () => {
  const { orgId } = await createTenant(database);
  const scan = await startedScan(orgId);
  const watches = new ScanWatches(counting, node.notifications);
  const waits = Array.from({ length: 100 }, () => watches.untilEnded(orgId, scan.id, 120_000));
  await watches.untilEnded(orgId, scan.id, 1);
  await scan.progress('under way');
  await eventually(async () => scanReads > 0);
  const before = scanReads;
  await scan.end();
  await Promise.all(waits);
  assert.ok(scanReads - before <= 3, `${scanReads - before} reads`);
  await watches.untilEnded(orgId, scan.id, 120_000);
  watches.close();
  await watches.untilEnded(orgId, scan.id, 120_000);
});

test('however many clients follow a scan, a node reads it once for each change', async () => {
  const owner = await createTenant(database);
  const scan = await startedScan(owner.orgId);
  const tokens = [owner.token];
  while (tokens.length < 5) tokens.push(await createTokenFor(database, owner.orgId, owner.userId));
  const streams = await Promise.all(
    Array.from({ length: 100 }, (_, index) => follow(node, tokens[index % 5]!, scan.id)),
  );
  await scan.progress('first');
  await eventually(async () => streams.every((stream) => stream.text().includes('"message":"first"')));
  const before = scanReads;
  await scan.progress('second');
  await eventually(async () => streams.every((stream) => stream.text().includes('"message":"second"')));
  assert.ok(scanReads - before <= 2, `${scanReads - before} reads`);
  for (const stream of streams) stream.stop();
});

for (const [name, count, credentialOf] of [
  ['token', 20, async (person: Person) => person.token],
  ['session', 5, sessionOf],
] as const) {
  test(`a ${name} may follow ${count} streams, and more are 429; a stream that ends frees its place, and HEAD takes none`, async () => {
    const person = await createTenant(database);
    const scan = await startedScan(person.orgId);
    const credential = await credentialOf(person);
    for (let head = 0; head < count + 1; head += 1) {
      assert.equal((await follow(node, credential, scan.id, 'HEAD')).status, 200);
    }
    const streams: Followed[] = [];
    await eventually(async () => {
      const stream = await follow(node, credential, scan.id);
      if (stream.status === 200) streams.push(stream);
      return streams.length === count;
    });
    const refused = await Promise.all([1, 2, 3].map(() => follow(node, credential, scan.id)));
    for (const { status, headers } of refused) {
      assert.equal(status, 429);
      assert.match(String(headers['retry-after']), /^[1-9]\d*$/);
    }
    assert.equal((await follow(node, credential, newId('scan'))).status, 429, 'before anything is looked up');
    streams.pop()!.stop();
    await eventually(async () => (await follow(node, credential, scan.id)).status === 200);
    await scan.end();
    await ended(streams);
    assert.equal((await follow(node, credential, scan.id)).status, 200, 'all places are free again');
  });
}

const endings: [string, (owner: Person, member: Person) => Promise<unknown>][] = [
  [
    'its token is revoked',
    async (_owner, { orgId, userId }) => {
      const text = 'SELECT id FROM api_tokens WHERE org_id = $1 AND user_id = $2';
      const [row] = await database.single<{ id: string }>(orgId, { text, values: [orgId, userId] });
      await revokeTokenById(database, row!.id);
    },
  ],
  [
    'the role of its person is lowered',
    ({ orgId, userId }, member) => {
      const changer = { userId, tokenId: null, address: null, role: 'owner' as const };
      return database.transaction(orgId, (tx) => changeMemberRole(tx, orgId, changer, member.userId, 'viewer'));
    },
  ],
  [
    'its person is removed',
    ({ orgId, userId }, member) => {
      const changer = { userId, tokenId: null, address: null, role: 'owner' as const };
      return database.transaction(orgId, (tx) => removeMember(tx, orgId, changer, member.userId));
    },
  ],
];
for (const [name, act] of endings) {
  test(`when ${name}, a stream ends on every node within a second, and no other does`, async () => {
    const owner = await createTenant(database);
    const member = await createTestMember(database, owner.orgId, 'admin');
    const scan = await startedScan(owner.orgId);
    const ending = await Promise.all(nodes.map((one) => follow(one, member.token, scan.id)));
    const staying = await Promise.all(nodes.map((one) => follow(one, owner.token, scan.id)));
    await act(owner, member);
    await within(1_000, () => haveEnded(ending));
    await scan.progress('still here');
    await eventually(async () => staying.every((stream) => stream.text().includes('still here') && stream.isOpen()));
    for (const stream of staying) stream.stop();
  });
}

test('when a session is signed out, its streams end on every node within a second', async () => {
  const person = await createTenant(database);
  const scan = await startedScan(person.orgId);
  const session = await sessionOf(person);
  const streams = await Promise.all(nodes.map((one) => follow(one, session, scan.id)));
  assert.deepEqual([streams[0]!.status, streams[1]!.status], [200, 200]);
  const signedOut = await node.app.inject({ method: 'POST', url: '/auth/sign-out', headers: session, payload: {} });
  assert.equal(signedOut.statusCode, 204);
  await within(1_000, () => haveEnded(streams));
});

test('a node without notifications still shows progress and ends streams, by polling', async () => {
  const deaf = await startNode();
  await deaf.notifications.close();
  const owner = await createTenant(database);
  const member = await createTestMember(database, owner.orgId, 'admin');
  const scan = await startedScan(owner.orgId);
  const [ending, staying] = [await follow(deaf, member.token, scan.id), await follow(deaf, owner.token, scan.id)];
  await scan.progress('slowly');
  await eventually(async () => staying.text().includes('slowly') && ending.text().includes('slowly'));
  await endings[0]![1](owner, member);
  await ended([ending]);
  assert.ok(staying.isOpen());
  await scan.end();
  await ended([staying]);
  assert.match(staying.text(), /event: end\n/);
  await deaf.close();
});

test('a node that stops ends its streams, so that their clients reconnect to another one', async () => {
  const stopping = await startNode();
  const { orgId, token } = await createTenant(database);
  const scan = await startedScan(orgId);
  const stream = await follow(stopping, token, scan.id);
  await stopping.close();
  await ended([stream]);
  assert.doesNotMatch(stream.text(), /event: end/);
});
