import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { createNetworkPolicy } from '@assay/scanner/platform/egress/network-policy.ts';
import { createTestDatabase } from '../../tests/harness/database.ts';
import { call, createTestNode } from '../../tests/harness/identity.ts';
import { createTenant } from '../../tests/harness/people.ts';
import { createKeyring } from '../platform/sealed.ts';
import { Connections } from './connections.ts';
import type { DataSourceDeleted } from './delete-data-source.ts';
import { type DataSourceRow, findDataSource } from './queries.ts';
import { dataSourceRoutes } from './routes.ts';

/**
 * One API node with the endpoints of data sources, and an organization that calls them. DNS is a table of two names.
 */
export const localRepositories = await mkdtemp(join(tmpdir(), 'assay-sources-'));
export const keyring = createKeyring(randomBytes(32).toString('hex'));
const resolve = async (host: string) => {
  if (host.endsWith('.unknown.example')) throw new Error('ENOTFOUND');
  return [{ address: host.startsWith('inside') ? '10.0.0.1' : '93.184.216.34', family: 4 as const }];
};
const networkPolicy = createNetworkPolicy({ allowed: ['allowed.corp', '10.9.0.0/16'], resolve });
/** Hooks of later slices: a test that adds some removes them. */
export const onDeleted: DataSourceDeleted[] = [];
/** The path of the sample repository: a test that needs it creates it. */
export const sampleRepository = join(localRepositories, 'sample-repository');
const dataSources = {
  networkPolicy,
  keyring,
  connections: new Connections({ networkPolicy, localRepositories: async () => [localRepositories] }),
  localRepositories: async () => [localRepositories],
  sampleRepository,
  onDeleted,
};

const testDatabase = await createTestDatabase();
export const { database } = testDatabase;
export const node = await createTestNode(database, dataSourceRoutes, undefined, { dataSources });
after(async () => {
  await node.close();
  await testDatabase.drop();
  await rm(localRepositories, { recursive: true });
});

export const tenant = await createTenant(database);
export const { orgId } = tenant;
export const bearer = (more: Record<string, string>) => ({ authorization: `Bearer ${tenant.token}`, ...more });
export const post = (body: object, token = tenant.token) => call(node, token, 'POST', '/data-sources', body);
export const get = (id: string) => call(node, tenant.token, 'GET', `/data-sources/${id}`);
export const patch = (id: string, body: object, headers = {}) =>
  call(node, bearer(headers), 'PATCH', `/data-sources/${id}`, body);
export const remove = (id: string, headers = {}) => call(node, bearer(headers), 'DELETE', `/data-sources/${id}`);
export const rowOf = async (id: string) => (await database.single<DataSourceRow>(orgId, findDataSource(orgId, id)))[0]!;

let count = 0;
export const repository = (more: object = {}) => ({ url: `https://git.example.com/team/app${++count}.git`, ...more });
export const addRepository = async (config: object = repository()) => {
  const { status, body } = await post({ kind: 'git_repository', config });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
};
