import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createToken } from '../../server/identity/token.ts';
import { proxiedName, reverseProxies } from '../harness/reverse-proxies.ts';
import { commonEnvironment, program } from './all-in-one.ts';
import { canMoveClocks, MovableClock } from './faketime.ts';
import {
  clockFaults,
  databaseClockJumps,
  diskFault,
  killFaults,
  outageFaults,
  startAll,
  upgradeOf,
} from './faults-of-nodes.ts';
import type { Layout } from './layout.ts';
import { createOwnPostgres } from './own-postgres.ts';
import { createRedis } from './redis.ts';
import { freePort, isApiReady, Service } from './service.ts';

const used = [reverseProxies.nginx, reverseProxies.HAProxy];

const hasProxies = used.every(({ command }) => existsSync(command));

/**
 * Returns an nginx and an HAProxy with the shipped configuration in front of the same nodes, and their addresses.
 * They are not started yet.
 */
async function createProxies(directory: string, nodes: number[]): Promise<{ proxies: Service[]; origins: string[] }> {
  const proxies: Service[] = [];
  const origins: string[] = [];
  for (const { command, write } of used) {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const name = command.split('/').at(-1)!;
    const folder = join(directory, name);
    mkdirSync(folder);
    proxies.push(
      new Service({
        name,
        command,
        args: write(folder, { port, nodes, tls: null }),
        options: { cwd: folder, env: { PATH: process.env.PATH, HOME: folder } },
        // It responds even if no node does: then its response says so.
        isReady: async () => (await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(5_000) })).status > 0,
      }),
    );
    origins.push(origin);
  }
  return { proxies, origins };
}

/** Two APIs behind two proxies, and two workers, with a separate PostgreSQL and Redis. */
export async function createSeveralNodes(): Promise<Layout> {
  const directory = mkdtempSync(join(tmpdir(), 'assay-soak-'));
  const repositories = join(directory, 'repositories');
  mkdirSync(repositories);
  const [databaseClock, apiClock, workerClock] = ['database', 'apis', 'workers'].map(
    (name) => new MovableClock(join(directory, `clock-of-${name}`)),
  ) as [MovableClock, MovableClock, MovableClock];
  const postgres = await createOwnPostgres(directory, databaseClock);
  const { redis, redisUrl } = await createRedis();
  const token = createToken();
  const environment = {
    ...commonEnvironment(directory),
    DATABASE_URL: postgres.databaseUrl,
    REDIS_URL: redisUrl,
    ASSAY_SECRET_KEY: 'a secret key for the soak alone, of 32 characters and more',
    ASSAY_BOOTSTRAP_TOKEN: token,
    ASSAY_BASE_URL: `https://${proxiedName}`,
    ASSAY_TRUSTED_PROXIES: '127.0.0.1',
  };
  const ports: number[] = [];
  const createApi = async (name: string) => {
    const port = await freePort();
    ports.push(port);
    const env = { ...environment, ...apiClock.environment, PORT: String(port) };
    return new Service({
      name,
      command: process.execPath,
      args: [program, 'serve'],
      options: { detached: true, env },
      isReady: () => isApiReady(`http://127.0.0.1:${port}`),
    });
  };
  const createWorker = (name: string) =>
    new Service({
      name,
      command: process.execPath,
      args: [program, 'work'],
      options: { detached: true, env: { ...environment, ...workerClock.environment } },
      isReady: (output) => output.includes('Assay is working on jobs.'),
    });
  const apis = [await createApi('the first API'), await createApi('the second API')];
  const workers = [createWorker('the first worker'), createWorker('the second worker')];
  const { proxies, origins } = hasProxies
    ? await createProxies(directory, ports)
    : { proxies: [], origins: ports.map((port) => `http://127.0.0.1:${port}`) };
  const nodes = { apis, workers, proxies, redis, postgres };
  const services = [...apis, ...workers, ...proxies, redis, postgres.service];
  const left: string[] = [];
  const faults = [...killFaults(nodes), ...outageFaults(nodes)];
  if (postgres.disk) faults.push(diskFault(nodes, postgres.disk));
  else left.push('disk full, since only root can make a small disk.');
  if (!hasProxies) left.push('proxies, since nginx and HAProxy are not installed.');
  if (canMoveClocks) {
    const database = { name: 'the database', clock: databaseClock, jumps: databaseClockJumps };
    faults.push(
      ...clockFaults([database, { name: 'the APIs', clock: apiClock }, { name: 'the workers', clock: workerClock }]),
    );
  } else left.push('moved clocks, since libfaketime is not installed (Debian: faketime).');
  return {
    name: 'several nodes',
    faults,
    left,
    upgrade: upgradeOf(nodes, directory),
    host: proxiedName,
    token,
    repositories,
    origins: () => origins,
    async start() {
      await postgres.create();
      await redis.start();
      await apis[0]!.start();
      await startAll(nodes);
    },
    adminUrl: async () => postgres.adminUrl,
    output: () =>
      services
        .map(({ name, errors, output }) => `--- ${name}\n${errors.join('\n')}\n${output.slice(-4_000)}`)
        .join('\n'),
    async remove() {
      await Promise.all([...apis, ...workers, ...proxies, redis].map((service) => service.kill({ all: true })));
      await postgres.remove();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
