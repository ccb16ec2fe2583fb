import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createToken } from '../../server/identity/token.ts';
import { findEmbeddedUrls } from '../../server/platform/postgres/embedded-postgres.ts';
import { eventually } from '../harness/installation.ts';
import { commandOf, isAlive, signal } from '../harness/processes.ts';
import type { Fault, Layout } from './layout.ts';
import { freePort, isApiReady, Service } from './service.ts';

export const program = fileURLToPath(new URL('../../server/assay.mjs', import.meta.url));

/** Settings shared by the processes under test. */
export const commonEnvironment = (directory: string) => ({
  PATH: process.env.PATH,
  HOME: directory,
  ASSAY_DATA_DIR: join(directory, 'data'),
  ASSAY_LOCAL_REPOSITORIES: join(directory, 'repositories'),
  ASSAY_RATE_LIMIT: '100000',
  ASSAY_RATE_BURST: '200000',
  ASSAY_PROCESSOR_BUDGET: '0',
  ASSAY_ORGANIZATION_PROCESSOR_BUDGET: '0',
  LOG_LEVEL: 'warn',
});

/** One `assay start` with the embedded PostgreSQL, the most common installation. */
export async function createAllInOne(): Promise<Layout> {
  const directory = mkdtempSync(join(tmpdir(), 'assay-soak-'));
  const repositories = join(directory, 'repositories');
  mkdirSync(repositories);
  const port = await freePort();
  const token = createToken();
  const origin = `http://127.0.0.1:${port}`;
  const assay = new Service({
    name: 'assay start',
    command: process.execPath,
    args: [program, 'start'],
    options: {
      detached: true,
      env: { ...commonEnvironment(directory), PORT: String(port), ASSAY_BOOTSTRAP_TOKEN: token },
    },
    isReady: () => isApiReady(origin),
  });
  const matching = (pattern: RegExp) => assay.processes().filter((pid) => pattern.test(commandOf(pid)));
  const killOne = (name: string, find: () => number[]): Fault => ({
    name,
    isKill: true,
    async run(random) {
      const pids = find();
      if (pids.length === 0) return false;
      const pid = random.pick(pids);
      signal(pid, 'SIGKILL');
      await eventually(async () => !isAlive(pid));
      await assay.start();
    },
  });
  const faults: Fault[] = [
    killOne('kill the worker', () => matching(/worker-process/)),
    killOne('kill the importer', () => matching(/import-process/)),
    killOne('kill PostgreSQL', () => matching(/native\/bin\/postgres |postgresql-[\d.]+\S*\/bin\/postgres /)),
    killOne('kill a process of PostgreSQL', () => matching(/^postgres: /)),
    killOne('kill any process', () => assay.processes()),
    {
      name: 'kill the API',
      isKill: true,
      async run() {
        await assay.kill();
        await assay.start();
      },
    },
    {
      name: 'kill everything',
      isKill: true,
      async run() {
        await assay.kill({ all: true });
        await assay.start();
      },
    },
    {
      name: 'stop and start',
      isKill: false,
      run: () => restartGracefully(assay),
    },
  ];
  return {
    name: 'one process tree',
    faults,
    left: [],
    token,
    repositories,
    origins: () => [origin],
    start: () => assay.start(),
    // Only `assay start` starts the database.
    adminUrl: async () => findEmbeddedUrls(join(directory, 'data'))!.adminUrl,
    output: () => `${assay.errors.join('\n')}\n${assay.output}`,
    async remove() {
      await assay.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** A requested stop must end without an error before a supervisor would kill the process. */
export async function restartGracefully(service: Service): Promise<void> {
  const timer = setTimeout(() => signal(service.pid, 'SIGKILL'), 40_000);
  const code = await service.stop();
  clearTimeout(timer);
  const problem = code === 0 ? null : new Error(`${service.name} did not stop cleanly: exit code ${code}.`);
  await service.start();
  if (problem) throw problem;
}
