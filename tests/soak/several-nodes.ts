import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createToken } from '../../server/identity/token.ts';
import { eventually } from '../harness/installation.ts';
import { commandOf, isAlive, signal } from '../harness/processes.ts';
import { commonEnvironment, program, restartGracefully } from './all-in-one.ts';
import { canMoveClocks, MovableClock } from './faketime.ts';
import type { Fault, Layout } from './layout.ts';
import { createOwnPostgres, type OwnPostgres } from './own-postgres.ts';
import { createRedis } from './redis.ts';
import { freePort, isApiReady, Service } from './service.ts';

type Nodes = { apis: Service[]; workers: Service[]; redis: Service; postgres: OwnPostgres; clocks: MovableClock[] };

/** The time for which a stopped part stays down, in milliseconds. */
const outageMs = { min: 500, max: 8_000 };

/** Restarts everything that is down, as a supervisor does. */
async function startAll({ apis, workers, redis, postgres }: Nodes): Promise<void> {
  await postgres.service.start();
  await redis.start();
  await Promise.all([...apis, ...workers].map((service) => service.start()));
}

function killFaults(nodes: Nodes): Fault[] {
  const { apis, workers, redis, postgres } = nodes;
  const kill = (name: string, services: Service[]): Fault => ({
    name,
    isKill: true,
    async run(random) {
      await random.pick(services).kill();
      await startAll(nodes);
    },
  });
  const killProcess = (name: string, services: Service[], command: RegExp): Fault => ({
    name,
    isKill: true,
    async run(random) {
      const pids = services.flatMap((service) => service.processes()).filter((pid) => command.test(commandOf(pid)));
      if (pids.length === 0) return;
      const pid = random.pick(pids);
      signal(pid, 'SIGKILL');
      await eventually(async () => !isAlive(pid));
      await startAll(nodes);
    },
  });
  return [
    kill('kill an API', apis),
    kill('kill a worker', workers),
    kill('kill PostgreSQL', [postgres.service]),
    kill('kill Redis', [redis]),
    killProcess('kill an importer', apis, /import-process/),
    killProcess('kill a process of PostgreSQL', [postgres.service], /^postgres: soak/),
    {
      name: 'kill everything',
      isKill: true,
      async run() {
        await Promise.all([...apis, ...workers, redis, postgres.service].map((service) => service.kill({ all: true })));
        await startAll(nodes);
      },
    },
  ];
}

function outageFaults(nodes: Nodes): Fault[] {
  const { apis, workers, redis, postgres } = nodes;
  const outage = (name: string, service: Service, how: NodeJS.Signals): Fault => ({
    name,
    isKill: false,
    async run(random) {
      await service.stop(how);
      await delay(random.between(outageMs.min, outageMs.max));
      await startAll(nodes);
    },
  });
  return [
    outage('PostgreSQL stopped and started', postgres.service, 'SIGINT'),
    outage('Redis stopped and started', redis, 'SIGTERM'),
    { name: 'an API stopped and started', isKill: false, run: (random) => restartGracefully(random.pick(apis)) },
    { name: 'a worker stopped and started', isKill: false, run: (random) => restartGracefully(random.pick(workers)) },
  ];
}

function diskFault(nodes: Nodes, disk: NonNullable<OwnPostgres['disk']>): Fault {
  return {
    name: 'disk full',
    isKill: false,
    async run(random) {
      disk.fill();
      await delay(random.between(outageMs.min, outageMs.max));
      disk.free();
      await startAll(nodes);
    },
  };
}

/** Less than a day: data kept for a day, such as idempotency keys, must still be there. */
const clockJumps = [-6 * 3_600, -600, -90, 90, 600, 8 * 3_600];

function clockFaults(nodes: Nodes, names: string[]): Fault[] {
  return nodes.clocks.map((clock, index) => ({
    name: `the clock of ${names[index]} moved`,
    isKill: false,
    async run(random) {
      clock.move(random.pick(clockJumps));
      // The library reads the file once a second.
      await delay(random.between(1_500, 5_000));
      if (random.next() < 0.5) clock.move(0);
    },
  }));
}

/** Two APIs and two workers on a PostgreSQL and a Redis of their own. */
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
    ASSAY_WORKER_CONCURRENCY: '2',
  };
  const origins: string[] = [];
  const createApi = async (name: string) => {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    origins.push(origin);
    const env = { ...environment, ...apiClock.environment, PORT: String(port) };
    return new Service({
      name,
      command: process.execPath,
      args: [program, 'serve'],
      options: { detached: true, env },
      isReady: () => isApiReady(origin),
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
  const nodes = { apis, workers, redis, postgres, clocks: [databaseClock, apiClock, workerClock] };
  const services = [...apis, ...workers, redis, postgres.service];
  const left: string[] = [];
  const faults = [...killFaults(nodes), ...outageFaults(nodes)];
  if (postgres.disk) faults.push(diskFault(nodes, postgres.disk));
  else left.push('disk full, since only root can make a small disk.');
  if (canMoveClocks) faults.push(...clockFaults(nodes, ['the database', 'the APIs', 'the workers']));
  else left.push('moved clocks, since libfaketime is not installed (Debian: faketime).');
  return {
    name: 'several nodes',
    faults,
    left,
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
      await Promise.all([...apis, ...workers, redis].map((service) => service.kill({ all: true })));
      await postgres.remove();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
