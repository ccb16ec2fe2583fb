import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { exchange } from '../../../tests/harness/exchange.ts';
import { createTestNode } from '../../../tests/harness/identity.ts';
import { createTenant } from '../../../tests/harness/people.ts';
import { createHelperProcess } from '../../platform/helper-process.ts';
import { newId } from '../../platform/id.ts';
import { silentLog } from '../../platform/log.ts';
import { databaseOutlet } from '../../platform/postgres/database-outlet.ts';
import { hashRootOf } from '../../platform/sealed.ts';
import type { ImportProcessOrder } from '../../processes/import-process.ts';
import { scanRoutes } from '../scans/routes.ts';
import { createRemoteReader } from './call-reader.ts';
import { importRoutes } from './routes.ts';

const testDatabase = await createTestDatabase();
const { database } = testDatabase;
const order: ImportProcessOrder = {
  databaseUrl: testDatabase.appUrl,
  hashRoot: hashRootOf('k'.repeat(32)).toString('base64'),
  tracing: null,
  logLevel: 'silent',
};
const helper = createHelperProcess({
  name: 'The importer',
  module: join(import.meta.dirname, '../../processes/import-process.ts'),
  order,
  idleMs: 60_000,
  log: silentLog,
  outlets: [databaseOutlet(testDatabase.appUrl).outlet],
});
const services = { imports: createRemoteReader(helper) };
const config = { uploadPace: { windowMs: 400, minBytes: 1_000 } };
const node = await createTestNode(database, [...scanRoutes, ...importRoutes], undefined, services, undefined, config);
await node.app.listen({ host: '127.0.0.1', port: 0 });
const { port } = node.app.server.address() as AddressInfo;
const { orgId, token } = await createTenant(database);
const dataSourceId = newId('ds');
await database.single(orgId, {
  text: `INSERT INTO data_sources (org_id, id, kind, name, config) VALUES ($1, $2, 'upload', 'pipeline', '{}')`,
  values: [orgId, dataSourceId],
});
after(async () => {
  await node.close();
  await helper.close();
  await testDatabase.drop();
});

const path = `/api/v1/data-sources/${dataSourceId}/imports`;
const headers = { authorization: `Bearer ${token}` };

async function keptBatches(): Promise<number> {
  const rows = await database.single<{ count: number }>(orgId, {
    text: 'SELECT count(*)::int AS count FROM import_batches WHERE org_id = $1',
    values: [orgId],
  });
  return rows[0]!.count;
}

const wrongElement = `{"version": "2.1.0", "runs": 7, "rest": "${'x'.repeat(300_000)}"}`;
const damagedGzip = gzipSync(Buffer.from(Array.from({ length: 400_000 }, (_, index) => (index * index * 31) % 251)));
damagedGzip.fill(0xff, 50, damagedGzip.length);
const refused: [string, Buffer | string, string, number][] = [
  ['garbage', Buffer.alloc(400_000, 'garbage '), '', 400],
  ['garbage under a format', Buffer.alloc(400_000, 'garbage '), '?format=sarif', 400],
  ['a wrong element at the start', wrongElement, '?format=sarif', 400],
  ['damaged gzip', Buffer.concat([damagedGzip, Buffer.alloc(400_000, 0xff)]), '', 400],
  ['an unknown parameter', Buffer.alloc(400_000), '?x=1', 400],
];
for (const [name, body, query, status] of refused) {
  for (const key of [undefined, newId('scan')]) {
    test(`${name} ${key ? 'under an Idempotency-Key ' : ''}is refused, and the connection serves the next request`, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const origin = `http://127.0.0.1:${port}`;
      const sent = { raw: body, headers: { ...headers, ...(key && { 'idempotency-key': key }) } };
      for (let round = 0; round < 2; round += 1) {
        const response = await exchange(origin, agent, 'POST', path + query, sent);
        assert.equal(response.status, status, response.text);
        assert.equal((await exchange(origin, agent, 'GET', '/api/v1/scans', { headers })).status, 200);
      }
      agent.destroy();
      assert.equal(await keptBatches(), 0);
    });
  }
}

const results = Array.from({ length: 5_000 }, (_, index) => ({
  ruleId: 'rule',
  message: { text: 'x' },
  locations: [{ physicalLocation: { artifactLocation: { uri: `file${index}.ts` }, region: { startLine: 1 } } }],
}));
const sarif = JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'Lint' } }, results }] });
for (const [name, start, drips] of [
  ['that stalls before it is recognised', '{"version":', false],
  ['that drips', '{', true],
  ['that stalls when much of it has been read', sarif.slice(0, -1_000), false],
] as const) {
  test(`an import ${name} ends with 408 as JSON, and nothing of it is kept`, async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Length: 2000000\r\n\r\n${start}`,
    );
    let response = '';
    socket.on('data', (chunk) => {
      response += chunk;
    });
    socket.on('error', () => {});
    const timer = setInterval(() => drips && socket.write(' '), 20);
    await once(socket, 'close');
    clearInterval(timer);
    assert.match(response, /^HTTP\/1.1 408 /);
    assert.equal(JSON.parse(response.slice(response.indexOf('\r\n\r\n'))).error.code, 'request_timeout');
    assert.equal(await keptBatches(), 0);
  });
}
