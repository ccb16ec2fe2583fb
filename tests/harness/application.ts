import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNetworkPolicy } from '../../scanner/platform/egress/network-policy.ts';
import { routes } from '../../server/api.ts';
import type { Context } from '../../server/context.ts';
import { Connections } from '../../server/data-sources/connections.ts';
import { decisionsOnDataSourceDeleted } from '../../server/decisions/repository/queries.ts';
import { createImportReader } from '../../server/detection/imports/import-reader.ts';
import { detectionOnDataSourceDeleted } from '../../server/detection/scans/start-scan.ts';
import type { Database } from '../../server/platform/postgres/database.ts';
import type { Replicas } from '../../server/platform/postgres/replicas/replicas.ts';
import { createKeyring } from '../../server/platform/sealed.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { type ApiResponse, exchange, type Sent } from './exchange.ts';
import { createTestNode, type Node } from './identity.ts';

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
 * Starts the whole API with all routes on its own database and port. Every response is checked against its
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
    // Tests with any configuration access no host.
    connections: new Connections({
      networkPolicy: createNetworkPolicy({ allowed: [], resolve: () => Promise.reject(new Error('no DNS')) }),
      localRepositories: async () => [repositories],
    }),
    sampleRepository: null,
    onDeleted: [detectionOnDataSourceDeleted, decisionsOnDataSourceDeleted],
  };
  const imports = createImportReader(database, dataSources.keyring);
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
