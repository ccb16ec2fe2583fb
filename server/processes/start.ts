import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Config, ConfigError } from '../config/config.ts';
import { createSampleRepository } from '../detection/sample-repository/sample-repository.ts';
import { type Bootstrapped, bootstrap, checkBootstrapOptions } from '../identity/bootstrap.ts';
import { createLifecycle, type Lifecycle, stopOnSignals } from '../platform/lifecycle.ts';
import type { Log } from '../platform/log.ts';
import { createInstruments } from '../platform/metrics.ts';
import { requirePort, requireTemporaryFolder } from '../platform/monitoring/check-machine.ts';
import { openServerLog, switchLevelOnSignal } from '../platform/monitoring/server-log.ts';
import { logSlowStatements } from '../platform/monitoring/slow-statements.ts';
import { openDatabases } from '../platform/postgres/cells/cell-database.ts';
import { migrateCells } from '../platform/postgres/cells/migrate-cells.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../platform/postgres/embedded-postgres.ts';
import { migrate } from '../platform/postgres/migrate.ts';
import { reportPooler } from '../platform/postgres/report-pooler.ts';
import { waitForDatabase } from '../platform/postgres/wait-for-database.ts';
import { ensureSecretKey } from '../platform/secret-key.ts';
import { runApi } from './run-api.ts';
import { runWorker } from './run-worker.ts';
import { startTracing } from './start-tracing.ts';
import { type SupervisedWorker, superviseWorker } from './supervise-worker.ts';

type Welcome = {
  /** The URL of the server: `http://127.0.0.1:8080`. */
  address: string;
  /** The owner that this start created, whose secrets are printed only now. Null on later starts. */
  owner: Bootstrapped | null;
  /** `file:` URL of the sample repository; null when this process scans nothing. */
  sample: string | null;
};

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function tries({ address, owner, sample }: Welcome): string[] {
  const api = `${address}/api/v1`;
  // A token that the operator chose is not printed: the shell inserts it.
  const { token } = owner!;
  const authorization = `-H ${token === null ? '"Authorization: Bearer $ASSAY_BOOTSTRAP_TOKEN"' : quote(`Authorization: Bearer ${token}`)}`;
  const body = JSON.stringify({ kind: 'git_repository', name: 'sample', config: { url: sample } });
  return [
    '  Or use the API: add the sample repository, scan it, list the findings.',
    '',
    `curl -sw '\\n' ${api}/data-sources ${authorization} -H 'Content-Type: application/json' -d ${quote(body)}`,
    `curl -sw '\\n' -X POST ${api}/detection-sources/secrets/scan ${authorization} -H 'Prefer: wait=30'`,
    `curl -sw '\\n' ${quote(`${api}/findings?status=new&limit=5`)} ${authorization}`,
    '',
  ];
}

function credentials(owner: Bootstrapped): string[] {
  return [
    `  Organization  ${owner.organization.name}`,
    `  Sign-in       ${owner.email}${owner.password === null ? '' : `  ${owner.password}`}`,
    `  API token     ${owner.token ?? '(the one in $ASSAY_BOOTSTRAP_TOKEN)'}`,
    '',
    ...(owner.password ? ['  The password works for 24 hours: you choose your own when you sign in.'] : []),
    ...(owner.token ? ['  The token is shown this once: keep it.'] : []),
    '',
  ];
}

/** Returns the text to print when the server is ready. */
export function firstSteps(welcome: Welcome): string {
  const { address, owner, sample } = welcome;
  const lines = [
    '',
    `  Assay is ready at ${address}`,
    '  Open it in a browser and sign in.',
    '',
    `  API           ${address}/api/v1/docs`,
    '',
  ];
  if (owner) lines.push(...credentials(owner));
  if (owner && sample) lines.push(...tries(welcome));
  return `${lines.join('\n')}\n`;
}

type Parts = { api: boolean; worker: boolean };

/** The directory of the sample repository, which the first start creates for trying out a scan. */
const sampleDirectory = (config: Config) => join(config.dataDirectory, 'sample-repository');

type Connection = { adminUrl: string; databaseUrl: string; embedded: EmbeddedPostgres | null };

async function connect(config: Config, log: Log, lifecycle: Lifecycle): Promise<Connection> {
  if (config.databaseUrl) {
    const stopping = new AbortController();
    await lifecycle.onStop('waiting for the database', () => stopping.abort());
    await waitForDatabase(config.databaseUrl, log, stopping.signal);
    return { adminUrl: config.databaseUrl, databaseUrl: config.databaseUrl, embedded: null };
  }
  const embedded = await startEmbeddedPostgres({ directory: config.dataDirectory, log, what: 'assay start' });
  await lifecycle.onStop('embedded PostgreSQL', () => embedded.stop());
  return { adminUrl: embedded.adminUrl, databaseUrl: embedded.appUrl, embedded };
}

/** Creates the first owner of an empty database; null when people already exist. */
async function makeFirstOwner(config: Config, databaseUrl: string): Promise<Bootstrapped | null> {
  const database = openDatabases({ connectionString: databaseUrl, maxConnections: 2 }, config.cells);
  try {
    return await bootstrap(database, config.bootstrap);
  } finally {
    await database.close();
  }
}

function checkFirstBoot(config: Config): void {
  const errors = checkBootstrapOptions(config.bootstrap);
  if (errors.length > 0) throw new ConfigError(errors);
}

/**
 * Starts the database, migrates its schema, starts the `parts`, and prints the address. Runs until a signal arrives.
 * When all parts run together, the worker is a separate process, so that a scan at full speed does not slow down the
 * API.
 */
export async function start(config: Config, parts: Parts): Promise<void> {
  checkFirstBoot(config);
  await requireTemporaryFolder();
  if (parts.api) await requirePort(config.port, config.host);
  const serverLog = openServerLog({ level: config.logLevel });
  const { log } = serverLog;
  logSlowStatements(log, config.monitoring.slowStatementMs);
  const lifecycle = createLifecycle(log);
  stopOnSignals(lifecycle, log);
  let worker: SupervisedWorker | undefined;
  switchLevelOnSignal(serverLog, (level) => worker?.setLogLevel(level));
  try {
    await startTracing(config.tracing, parts.api ? 'api' : 'worker', log, lifecycle);
    const { adminUrl, databaseUrl, embedded } = await connect(config, log, lifecycle);
    serverLog.recogniseDatabase(databaseUrl);
    await migrate({ adminUrl, log });
    await migrateCells(adminUrl, config.cells, log);
    if (!embedded) await reportPooler(databaseUrl, log);
    const secretKey = config.secretKey ?? (await ensureSecretKey(config.dataDirectory));
    // A separately started worker would print the owner's password and token where nobody looks for them.
    const owner = parts.api ? await makeFirstOwner(config, databaseUrl) : null;
    if (owner && parts.worker) await createSampleRepository(sampleDirectory(config));
    const options = { config, databaseUrl, secretKey, ownRepositories: [sampleDirectory(config)] };
    if (parts.api && parts.worker) {
      const databaseTrouble = () => embedded?.trouble ?? null;
      const supervised = superviseWorker(options, log);
      worker = supervised;
      await lifecycle.onStop('worker', () => supervised.stop());
      const api = runApi({ ...options, databaseTrouble, log, lifecycle, worker: supervised });
      const [address] = await Promise.all([api, supervised.ready]);
      embedded?.setAddress(address);
      const sample = pathToFileURL(sampleDirectory(config)).href;
      process.stdout.write(firstSteps({ address, owner, sample }));
    } else if (parts.api) {
      const address = await runApi({ ...options, log, lifecycle, worker: null });
      process.stdout.write(firstSteps({ address, owner, sample: null }));
    } else {
      await runWorker({ ...options, log, lifecycle, alone: false, figures: createInstruments() });
      process.stdout.write('Assay is working on jobs.\n');
    }
  } catch (error) {
    await lifecycle.stop();
    throw error;
  }
}
