import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { routes } from '../../server/api.ts';
import type { Context } from '../../server/context.ts';
import { Connections } from '../../server/data-sources/connections.ts';
import { createImportReader } from '../../server/detection/imports/import-reader.ts';
import { detectionOnDataSourceDeleted } from '../../server/detection/scans/start-scan.ts';
import { createNetworkPolicy } from '../../server/platform/egress/network-policy.ts';
import type { Database } from '../../server/platform/postgres/database.ts';
import type { Replicas } from '../../server/platform/postgres/replicas/replicas.ts';
import { createKeyring } from '../../server/platform/sealed.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { createTestNode, type Node } from './identity.ts';

export type ApiResponse = {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what it reads of a response
  body: any;
};

export type Sent = { json?: unknown; raw?: string | Buffer; headers?: Record<string, string> };

/** Sends a request as given, without correcting its path or headers. */
export function exchange(
  origin: string,
  agent: Agent,
  method: string,
  path: string,
  sent: Sent = {},
): Promise<ApiResponse> {
  const payload = sent.json === undefined ? sent.raw : JSON.stringify(sent.json);
  const headers: Record<string, string | number> = { ...sent.headers };
  if (sent.json !== undefined) headers['content-type'] ??= 'application/json';
  if (payload !== undefined) headers['content-length'] = Buffer.byteLength(payload);
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const outgoing = send({ hostname, port, method, path, headers, agent }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('error', reject);
      const finish = () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = /^application\/(vnd\.assay\.\w+\+)?json/.test(incoming.headers['content-type'] ?? '');
        const body = isJson && text !== '' ? JSON.parse(text) : null;
        resolve({ status: incoming.statusCode!, headers: incoming.headers, text, body });
      };
      incoming.on('end', finish);
      const isStream = incoming.headers['content-type']?.startsWith('text/event-stream');
      incoming.on('data', (chunk) => {
        chunks.push(chunk);
        // A stream of events has no end: its beginning will do.
        if (isStream) {
          finish();
          outgoing.destroy();
        }
      });
    });
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
}

export type Application = {
  database: Database;
  adminUrl: string;
  appUrl: string;
  node: Node;
  origin: string;
  /** The directory in which `file:` repositories are allowed. */
  repositories: string;
  /** Calls the API below its prefix, with a token or with the headers in `sent`. */
  call(token: string | null, method: string, path: string, sent?: Sent): Promise<ApiResponse>;
  close(): Promise<void>;
};

/**
 * Starts the whole API with all routes on a database and a port of its own. Every response is checked against its
 * schema.
 */
export async function startApplication(
  create: () => Promise<TestDatabase> = createTestDatabase,
  replicas: Replicas | null = null,
  services: Partial<Context> = {},
): Promise<Application> {
  const testDatabase = await create();
  const { database } = testDatabase;
  const repositories = mkdtempSync(join(tmpdir(), 'assay-repositories-'));
  const dataSources = {
    keyring: createKeyring('k'.repeat(40)),
    networkPolicy: createNetworkPolicy({
      allowed: [],
      resolve: async () => [{ address: '93.184.216.34', family: 4 as const }],
    }),
    localRepositories: async () => [repositories],
    // Tests that try any configuration reach no host.
    connections: new Connections({
      networkPolicy: createNetworkPolicy({ allowed: [], resolve: () => Promise.reject(new Error('no DNS')) }),
      localRepositories: async () => [repositories],
    }),
    sampleRepository: null,
    onDeleted: [detectionOnDataSourceDeleted],
  };
  const imports = createImportReader(database, dataSources.keyring, 64 * 1024 * 1024);
  const all = { dataSources, imports, ...services };
  const node = await createTestNode(database, routes, undefined, all, undefined, {}, {}, replicas);
  await node.app.listen({ host: '127.0.0.1', port: 0 });
  const origin = `http://127.0.0.1:${(node.app.server.address() as AddressInfo).port}`;
  const agent = new Agent({ keepAlive: true });
  return {
    database,
    adminUrl: testDatabase.adminUrl,
    appUrl: testDatabase.appUrl,
    node,
    origin,
    repositories,
    call: (token, method, path, sent = {}) => {
      const headers = { ...(token !== null && { authorization: `Bearer ${token}` }), ...sent.headers };
      return exchange(origin, agent, method, `/api/v1${path}`, { ...sent, headers });
    },
    async close() {
      agent.destroy();
      await node.close();
      await testDatabase.drop();
      rmSync(repositories, { recursive: true, force: true });
    },
  };
}
