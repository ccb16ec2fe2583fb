import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { consoleSettings } from '../../server/findings/finding-schema.ts';
import { type Database, openDatabase } from '../../server/platform/postgres/database.ts';
import { migrate, readMigrations } from '../../server/platform/postgres/migrate.ts';
import { acquireCluster } from './cluster.ts';
import { testBaseUrl } from './people.ts';
import { twoSides } from './two-sides.ts';

export type TestDatabase = {
  /** The URL for the superuser that owns the tables, for reading without row-level security. */
  adminUrl: string;
  /** The URL for the role assay_app. */
  appUrl: string;
  /** A pool as assay_app, like the server's. */
  database: Database;
  /** Runs a statement as the superuser. */
  asAdmin(sql: string): Promise<void>;
  /** Closes the pool and removes the database. */
  drop(): Promise<void>;
};

const withDatabase = (url: string, name: string) => {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
};

export async function asAdmin<T>(url: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

/** Returns the name of a migrated database to clone. Each set of migrations has its own template. */
async function ensureTemplate(adminUrl: string, client: pg.Client): Promise<string> {
  const checksums = (await readMigrations()).map((migration) => migration.checksum).join();
  const name = `template_${createHash('sha256')
    .update(checksums + twoSides)
    .digest('hex')
    .slice(0, 16)}`;
  const isReady = async () => {
    const { rows } = await client.query('SELECT FROM pg_database WHERE datname = $1 AND datistemplate', [name]);
    return rows.length > 0;
  };
  if (await isReady()) return name;
  await client.query(`SELECT pg_advisory_lock(hashtext('assay test template'))`);
  try {
    if (await isReady()) return name;
    // The mark is set last: a template without it was left by a killed run.
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${name}`);
    await migrate({ adminUrl: withDatabase(adminUrl, name) });
    await asAdmin(withDatabase(adminUrl, name), (template) => template.query(twoSides));
    await client.query(`ALTER DATABASE ${name} IS_TEMPLATE true ALLOW_CONNECTIONS false`);
    return name;
  } finally {
    await client.query(`SELECT pg_advisory_unlock(hashtext('assay test template'))`);
  }
}

/**
 * Creates an empty, migrated database for a test file, on a real PostgreSQL. Takes about 30 ms once the cluster is
 * running.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const cluster = await acquireCluster();
  const clusterUrl = withDatabase(cluster.adminUrl, 'postgres');
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`;
  await asAdmin(clusterUrl, async (client) => {
    const template = await ensureTemplate(clusterUrl, client);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  });
  const adminUrl = withDatabase(clusterUrl, name);
  const appUrl = withDatabase(cluster.appUrl, name);
  const database = openDatabase({
    connectionString: appUrl,
    applicationName: name,
    settings: consoleSettings(testBaseUrl),
  });
  return {
    adminUrl,
    appUrl,
    database,
    asAdmin: (sql) =>
      asAdmin(adminUrl, async (client) => {
        await client.query(sql);
      }),
    async drop() {
      await database.close();
      await asAdmin(clusterUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    },
  };
}
