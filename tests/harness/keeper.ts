import { chmodSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { openLog } from '../../server/platform/log.ts';
import {
  DirectoryInUse,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../server/platform/postgres/embedded-postgres.ts';
import { type Cluster, clusterDirectory, keeperSocket } from './cluster.ts';

/** The time for which the cluster waits for another user, so that it does not restart between test files. */
const graceMs = 5_000;

const log = openLog({
  level: 'info',
  destination: pino.destination({ dest: join(clusterDirectory, 'keeper.log'), sync: true }),
});

const start = () =>
  startEmbeddedPostgres({
    directory: clusterDirectory,
    log,
    what: 'test cluster',
    // Nothing has to survive a test run, so speed comes before durability.
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '300',
      autovacuum: 'off',
    },
  });

async function startOrRemake(): Promise<EmbeddedPostgres> {
  try {
    return await start();
  } catch (error) {
    if (error instanceof DirectoryInUse) throw error;
    log.error({ err: error }, 'the cluster is damaged and is created again');
    for (const name of ['postgres', 'postgres.new', 'postgres-credentials.json']) {
      rmSync(join(clusterDirectory, name), { recursive: true, force: true });
    }
    return start();
  }
}

/** Removes the databases of earlier runs, and templates once there are several. */
async function dropLeftovers(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  const { rows } = await client.query<{ name: string; template: boolean }>(
    `SELECT datname AS name, datistemplate AS template FROM pg_database WHERE datname ~ '^(test|template)_'`,
  );
  const templates = rows.filter((row) => row.template);
  for (const { name, template } of rows) {
    if (template && templates.length < 5) continue;
    if (template) await client.query(`ALTER DATABASE ${pg.escapeIdentifier(name)} IS_TEMPLATE false`);
    await client.query(`DROP DATABASE ${pg.escapeIdentifier(name)} WITH (FORCE)`);
  }
  await client.end();
}

/**
 * Keeps a cluster running for all test processes that are connected to the socket, and stops it when there have been
 * none for a while.
 */
async function keep(): Promise<void> {
  const cluster = await startOrRemake();
  await dropLeftovers(cluster.adminUrl);
  const addresses: Cluster = { adminUrl: cluster.adminUrl, appUrl: cluster.appUrl };
  let users = 0;
  let timer: NodeJS.Timeout | undefined;
  const server = createServer((socket) => {
    users++;
    clearTimeout(timer);
    socket.on('error', () => {});
    socket.once('close', () => {
      users--;
      if (users === 0) timer = setTimeout(leave, graceMs);
    });
    socket.resume();
    socket.write(`${JSON.stringify(addresses)}\n`);
  });
  async function leave() {
    server.close();
    await cluster.stop();
    process.exit(0);
  }
  // This process has the directory locked, so an existing socket belongs to a dead keeper.
  rmSync(keeperSocket, { force: true });
  server.listen(keeperSocket, () => chmodSync(keeperSocket, 0o600));
  timer = setTimeout(leave, graceMs);
  process.on('SIGTERM', leave);
  process.on('SIGINT', leave);
}

await keep().catch((error: unknown) => {
  if (!(error instanceof DirectoryInUse)) log.error({ err: error }, 'the cluster could not be started');
  process.exit(1);
});
