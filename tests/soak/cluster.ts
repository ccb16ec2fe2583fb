import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTenant, createTokenFor } from '../harness/people.ts';
import { startPgBouncer } from '../harness/pgbouncer.ts';
import { createReplicatedDatabase } from '../harness/replicated-database.ts';
import type { StockPostgres } from '../harness/stock-postgres.ts';
import { commonEnvironment, program } from './all-in-one.ts';
import type { Layout } from './layout.ts';
import { createRedis } from './redis.ts';
import { freePort, isApiReady, Service } from './service.ts';

/** A part that can be killed and started again. */
export type Part = {
  name: string;
  /** Whether no request can be served without it. */
  isNeeded: boolean;
  kill(): Promise<void>;
  start(): Promise<void>;
};

export type Cluster = Omit<Layout, 'faults' | 'start'> & {
  parts: Part[];
  /** Returns another token of the owner. */
  newToken(): Promise<string>;
};

const serviceOf = (service: Service, isNeeded = false): Part => ({
  name: service.name,
  isNeeded,
  kill: () => service.kill(),
  start: () => service.start(),
});

const serverOf = (name: string, server: StockPostgres, isNeeded: boolean): Part => ({
  name,
  isNeeded,
  kill: () => server.kill(),
  start: () => server.start(),
});

/**
 * Starts all parts that an installation can have at once: three APIs and two workers, which use PostgreSQL through
 * PgBouncer, a streaming replica, and Redis.
 */
export async function startCluster(): Promise<Cluster> {
  const directory = mkdtempSync(join(tmpdir(), 'assay-cluster-'));
  const repositories = join(directory, 'repositories');
  mkdirSync(repositories);
  const database = await createReplicatedDatabase();
  const pooler = await startPgBouncer(database.primary, 'transaction', ['owner'], { max_client_conn: '500' });
  const { redis, redisUrl } = await createRedis();
  await redis.start();
  const { database: opened } = await database.open();
  const owner = await createTenant(opened);
  const environment = {
    ...commonEnvironment(directory),
    DATABASE_URL: pooler.url('assay', 'owner'),
    DATABASE_READ_URL: database.replica.url('assay', 'owner'),
    REDIS_URL: redisUrl,
    ASSAY_SECRET_KEY: 'a secret key for the cluster alone, of 32 characters and more',
  };
  const node = (name: string, command: string, port: number | null, isReady: (output: string) => Promise<boolean>) =>
    new Service({
      name,
      command: process.execPath,
      args: [program, command],
      options: { env: { ...environment, ...(port !== null && { PORT: String(port) }) } },
      isReady,
    });
  const ports = [await freePort(), await freePort(), await freePort()];
  const origins = ports.map((port) => `http://127.0.0.1:${port}`);
  const apis = ports.map((port, index) => node(`API ${index + 1}`, 'serve', port, () => isApiReady(origins[index]!)));
  const isWorking = async (output: string) => output.includes('Assay is working on jobs.');
  const workers = [1, 2].map((number) => node(`worker ${number}`, 'work', null, isWorking));
  const nodes = [...apis, ...workers];
  const stopAll = () => {
    for (const service of [...nodes, redis]) void service.stop('SIGKILL');
  };
  process.once('exit', stopAll);
  await Promise.all(nodes.map((service) => service.start()));
  return {
    name: 'cluster',
    left: [],
    token: owner.token,
    newToken: () => createTokenFor(opened, owner.orgId, owner.userId),
    repositories,
    // The workers come first: it takes half a minute until another resumes their jobs, during which the other faults
    // occur.
    parts: [
      ...workers.map((worker) => serviceOf(worker)),
      serviceOf(pooler.service, true),
      serverOf('the primary', database.primary, true),
      serverOf('the replica', database.replica, false),
      serviceOf(redis),
      ...apis.map((api) => serviceOf(api)),
    ],
    origins: () => origins,
    adminUrl: async () => database.primary.url('assay'),
    output: () => nodes.map(({ name, errors, output }) => `--- ${name}\n${errors.join('\n')}\n${output}`).join('\n'),
    async remove() {
      await Promise.all([...nodes, redis].map((service) => service.kill({ all: true })));
      await opened.close();
      await pooler.stop();
      await database.remove();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
