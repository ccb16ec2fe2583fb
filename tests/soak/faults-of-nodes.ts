import { cp, mkdir, readdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readMigrations } from '../../server/platform/postgres/migrate.ts';
import { eventually } from '../harness/installation.ts';
import { commandOf, isAlive, signal } from '../harness/processes.ts';
import { restartGracefully } from './all-in-one.ts';
import type { MovableClock } from './faketime.ts';
import type { Fault } from './layout.ts';
import type { OwnPostgres } from './own-postgres.ts';
import type { Service } from './service.ts';

const root = join(import.meta.dirname, '../..');

/** Changes of the largest and busiest tables, like those of releases. */
const migrations = {
  index: `CREATE INDEX next_release ON findings (due_at, severity) WHERE due_at < 'infinity';
DROP INDEX findings_due;
ALTER INDEX next_release RENAME TO findings_due;
`,
  column: `ALTER TABLE findings ADD COLUMN next_release text;
ALTER TABLE findings ADD CONSTRAINT next_release_known CHECK (next_release <> '') NOT VALID;
ALTER TABLE scans ADD COLUMN next_release int NOT NULL DEFAULT 0;
`,
  outside: `-- runs outside of a transaction
CREATE INDEX CONCURRENTLY next_release_title ON findings (org_id, title, severity);
ALTER TABLE findings VALIDATE CONSTRAINT next_release_known;
UPDATE findings SET next_release = id WHERE next_release IS NULL;
CREATE INDEX CONCURRENTLY next_release_id ON findings (org_id, next_release);
`,
};

/** Builds a release of these sources with additional migrations in a new folder. Returns its program. */
async function createNextRelease(folder: string): Promise<string> {
  const server = join(folder, 'server');
  await mkdir(folder);
  await cp(join(root, 'server'), server, {
    recursive: true,
    filter: (source) => basename(source) !== 'node_modules' && !/\.(test|fixture)\.ts$/.test(source),
  });
  await symlink(join(root, 'server/node_modules'), join(server, 'node_modules'));
  const link = async (from: string, to: string, leftOut: RegExp) => {
    await mkdir(to, { recursive: true });
    for (const name of await readdir(from))
      if (!leftOut.test(name)) await symlink(await realpath(join(from, name)), join(to, name));
  };
  await link(root, folder, /^(server$|node_modules$|\.)/);
  // A separate folder, because links in this repository's packages lead to it, whatever the sandbox shows of the new
  // release.
  const packages = join(folder, 'node_modules');
  await link(join(root, 'node_modules'), packages, /^@assay$/);
  await link(join(root, 'node_modules/@assay'), join(packages, '@assay'), /^$/);
  let { version } = (await readMigrations()).at(-1)!;
  for (const [name, sql] of Object.entries(migrations)) {
    const number = String(++version).padStart(4, '0');
    await writeFile(join(server, 'migrations', `${number}_next_release_${name}.sql`), sql);
  }
  return join(server, 'assay.mjs');
}

type Nodes = {
  apis: Service[];
  workers: Service[];
  proxies: Service[];
  redis: Service;
  postgres: OwnPostgres;
};

/** The time for which a stopped part stays down, in milliseconds. */
const outageMs = { min: 500, max: 8_000 };

/** Restarts everything that is down, like a supervisor. */
export async function startAll({ apis, workers, proxies, redis, postgres }: Nodes): Promise<void> {
  await postgres.service.start();
  await redis.start();
  await Promise.all([...apis, ...workers, ...proxies].map((service) => service.start()));
}

/** Matches git, which fetches and reads repositories, in a sandbox or not. */
const isGit = /^\S*git /;
const maxWaitForGitMs = 5_000;

export function killFaults(nodes: Nodes): Fault[] {
  const { apis, workers, proxies, redis, postgres } = nodes;
  const kill = (name: string, services: Service[], { all = false } = {}): Fault => ({
    name,
    isKill: true,
    async run(random) {
      await random.pick(services).kill({ all });
      await startAll(nodes);
    },
  });
  const killProcess = (name: string, services: Service[], command: RegExp): Fault => ({
    name,
    isKill: true,
    async run(random) {
      const pids = services.flatMap((service) => service.processes()).filter((pid) => command.test(commandOf(pid)));
      if (pids.length === 0) return false;
      const pid = random.pick(pids);
      signal(pid, 'SIGKILL');
      await eventually(async () => !isAlive(pid));
      await startAll(nodes);
    },
  });
  const killGit: Fault = {
    name: 'kill a git',
    isKill: true,
    async run(random) {
      const find = () => workers.flatMap((worker) => worker.processes()).filter((pid) => isGit.test(commandOf(pid)));
      const pids = await eventually(async () => (find().length > 0 ? find() : undefined), maxWaitForGitMs).catch(
        () => [],
      );
      if (pids.length === 0) return false;
      signal(random.pick(pids), 'SIGKILL');
    },
  };
  return [
    killGit,
    kill('kill an API', apis),
    kill('kill a worker', workers),
    kill('kill PostgreSQL', [postgres.service]),
    kill('kill Redis', [redis]),
    // Its child processes outlive the first one, and keep the port.
    ...(proxies.length > 0 ? [kill('kill a proxy', proxies, { all: true })] : []),
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

export function outageFaults(nodes: Nodes): Fault[] {
  const { apis, workers, redis, postgres } = nodes;
  const outage = (name: string, stop: () => Promise<unknown>): Fault => ({
    name,
    isKill: false,
    async run(random) {
      await stop();
      await delay(random.between(outageMs.min, outageMs.max));
      await startAll(nodes);
    },
  });
  return [
    outage('PostgreSQL stopped and started', () => postgres.stop('SIGINT')),
    outage('Redis stopped and started', () => redis.stop()),
    { name: 'an API stopped and started', isKill: false, run: (random) => restartGracefully(random.pick(apis)) },
    { name: 'a worker stopped and started', isKill: false, run: (random) => restartGracefully(random.pick(workers)) },
  ];
}

export function diskFault(nodes: Nodes, disk: NonNullable<OwnPostgres['disk']>): Fault {
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

/** Less than a day: data stored for a day, such as idempotency keys, must still be there. */
const clockJumps = [-6 * 3_600, -600, -90, 90, 600, 8 * 3_600];

/**
 * libfaketime shows the real time inside a system call that waits. With a clock ahead of it, PostgreSQL's handler of
 * SIGALRM finds that no timeout is due and postpones it by the difference: it would detect no deadlock for hours. So the
 * database's clock falls back, and jumps forward when it returns.
 */
export const databaseClockJumps = clockJumps.filter((seconds) => seconds < 0);

export function clockFaults(clocks: { name: string; clock: MovableClock; jumps?: number[] }[]): Fault[] {
  return clocks.map(({ name, clock, jumps = clockJumps }) => ({
    name: `the clock of ${name} moved`,
    isKill: false,
    async run(random) {
      clock.move(random.pick(jumps));
      // The library reads the file once a second.
      await delay(random.between(1_500, 5_000));
      if (random.next() < 0.5) clock.move(0);
    },
  }));
}

/**
 * Replaces one node after the other by the next release, like a rolling update. The first one migrates the schema
 * while the others serve and write, and is killed once in the process.
 */
export function upgradeOf({ apis, workers }: Nodes, directory: string): Fault {
  return {
    name: 'upgrade to a newer schema, one node after the other, the first one killed meanwhile',
    isKill: true,
    async run(random) {
      const next = await createNextRelease(join(directory, 'next'));
      const [first, ...others] = [...apis, ...workers];
      const use = (service: Service) => service.replaceArguments([next, apis.includes(service) ? 'serve' : 'work']);
      use(first!);
      await first!.stop();
      first!.launch();
      await delay(random.between(1_000, 8_000));
      await first!.kill();
      await first!.start();
      for (const service of others) {
        use(service);
        await restartGracefully(service);
      }
    },
  };
}
