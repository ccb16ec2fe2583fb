import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Logger, runMigrations } from 'graphile-worker';
import pg from 'pg';
import { errorCode } from '../errors.ts';
import type { Log } from '../log.ts';
import { applicationRole } from './application-role.ts';
import { applyNext } from './apply-migration.ts';
import { type MigrationLock, underMigrationLock } from './migration-lock.ts';
import { type Migration, splitStatements } from './migration-statements.ts';

const migrationsDirectory = fileURLToPath(new URL('../../migrations/', import.meta.url));

const oldestServer = 150000;

/**
 * Reads the numbered files in order. The checksum covers the statements only: comments may change. Throws when two
 * files have the same number.
 */
export async function readMigrations(directory: string = migrationsDirectory): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file)).sort();
  const migrations = await Promise.all(
    files.map(async (file) => {
      const sql = (await readFile(join(directory, file), 'utf8')).replaceAll('\r\n', '\n');
      const checksum = createHash('sha256').update(splitStatements(sql).join(';\n')).digest('hex');
      return { version: Number(file.slice(0, 4)), name: file.slice(5, -4), sql, checksum };
    }),
  );
  const twice = migrations.find(({ version }, index) => migrations[index + 1]?.version === version);
  if (twice) {
    const same = files.filter((file) => Number(file.slice(0, 4)) === twice.version);
    throw new Error(`Two migrations have the number ${twice.version}: ${same.join(' and ')}. Renumber the later one.`);
  }
  return migrations;
}

type Applied = { version: number; name: string; checksum: string };

/** Returns the first applied migration that differs from the one of this release; undefined when there is none. */
export function findChanged(applied: Applied[], known: Migration[]): Applied | undefined {
  const newest = known.at(-1)?.version ?? 0;
  const isKnown = ({ version, checksum }: Applied) =>
    version > newest || known.some((migration) => migration.version === version && migration.checksum === checksum);
  return applied.find((migration) => !isKnown(migration));
}

/** Throws, with a sentence that says what to do, when the schema is not from this release or an earlier one. */
function checkApplied(applied: Applied[], known: Migration[]): void {
  const changed = findChanged(applied, known);
  if (changed) {
    throw new Error(
      `Migration ${changed.version} (${changed.name}) is not the one that this database was migrated with. A database of a version ` +
        'before 0.1.0 cannot be upgraded: start with an empty one (another ASSAY_DATA_DIR or DATABASE_URL), or run the version that ' +
        'created it. Nothing was changed. If you have edited a migration, restore it, and write the change as a new one.',
    );
  }
  const newest = applied.at(-1) ?? { version: 0, name: '' };
  const newestKnown = known.at(-1)?.version ?? 0;
  if (newest.version > newestKnown) {
    throw new Error(
      `The database's schema is at version ${newest.version} (${newest.name}), and this release of Assay knows versions up to ` +
        `${newestKnown}: a newer release has used this database. Start that release, or restore a backup from before it.`,
    );
  }
  const late = known.find(
    ({ version }) => version < newest.version && !applied.some((migration) => migration.version === version),
  );
  if (late) {
    throw new Error(
      `Migration ${late.version} (${late.name}) was added below number ${newest.version}, which this database already has. ` +
        'Migrations only go forward: give it the next number.',
    );
  }
}

async function checkServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(
    `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version`,
  );
  if (rows[0]!.number >= oldestServer) return;
  throw new Error(`DATABASE_URL is PostgreSQL ${rows[0]!.version}, and Assay needs 15 or newer.`);
}

/**
 * Creates the role that the service runs as, if it is missing. It can't log in itself, so that an external database
 * needs no second password (each transaction sets the role). On the embedded server it exists already.
 */
async function ensureApplicationRole(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ exists: boolean; member: boolean; name: string }>(
    `SELECT r.oid IS NOT NULL AS exists, coalesce(pg_has_role(current_user, r.oid, 'MEMBER'), false) AS member, current_user AS name
       FROM (SELECT) AS one LEFT JOIN pg_roles r ON r.rolname = '${applicationRole}'`,
  );
  const { exists, member, name } = rows[0]!;
  try {
    if (!exists) await client.query(`CREATE ROLE ${applicationRole} NOLOGIN NOSUPERUSER NOBYPASSRLS`);
    if (!exists || !member) await client.query(`GRANT ${applicationRole} TO CURRENT_USER`);
  } catch (cause) {
    if (errorCode(cause) !== '42501') throw cause;
    throw new Error(
      `The role ${applicationRole} can't be made by ${name}. Have an administrator of the database run: ` +
        `CREATE ROLE ${applicationRole} NOLOGIN; GRANT ${applicationRole} TO ${pg.escapeIdentifier(name)};`,
      { cause },
    );
  }
}

const quiet = new Logger(() => () => {});

/**
 * Installs the job queue's own schema, and grants the application role the right to add and run jobs in it (by
 * default only the owner can use its tables).
 */
async function installJobQueue(client: pg.Client, adminUrl: string): Promise<void> {
  await runMigrations({ connectionString: adminUrl, logger: quiet });
  await client.query(`
    GRANT USAGE ON SCHEMA graphile_worker TO ${applicationRole};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA graphile_worker TO ${applicationRole};
    REVOKE INSERT, UPDATE, DELETE ON graphile_worker.migrations FROM ${applicationRole};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA graphile_worker TO ${applicationRole};
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA graphile_worker TO ${applicationRole};`);
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables t
      WHERE schemaname = 'graphile_worker' AND rowsecurity
        AND NOT EXISTS (SELECT FROM pg_policies p WHERE (p.schemaname, p.tablename, p.policyname)
                         = (t.schemaname, t.tablename, '${applicationRole}'))`,
  );
  for (const { name } of rows) {
    await client.query(
      `CREATE POLICY ${applicationRole} ON ${name} TO ${applicationRole} USING (true) WITH CHECK (true)`,
    );
  }
}

async function listApplied(client: pg.Client, known: Migration[]): Promise<Applied[]> {
  const { rows } = await client.query<Applied>(
    'SELECT version, name, checksum FROM schema_migrations ORDER BY version',
  );
  checkApplied(rows, known);
  return rows;
}

/** Returns the first migration that is missing; undefined when none is. */
async function findNext(client: pg.Client, known: Migration[]): Promise<Migration | undefined> {
  // The applied migrations are the first ones, as checked above.
  return known[(await listApplied(client, known)).length];
}

async function prepareDatabase(client: pg.Client, adminUrl: string, known: Migration[]): Promise<void> {
  await client.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
    version int PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
  await listApplied(client, known);
  await ensureApplicationRole(client);
  // The service compares the migrations of replicas with these.
  await client.query(`GRANT SELECT ON schema_migrations TO ${applicationRole}`);
  await installJobQueue(client, adminUrl);
}

export type MigrateOptions = {
  /** A connection as the owner of the schema. */
  adminUrl: string;
  directory?: string;
  /** Called when this node waits for another one that is migrating. */
  log?: Log;
  /** The time to wait for another node. */
  maxWaitMs?: number;
  /** The last migration to apply, for restoring a backup of an older release. */
  upTo?: number;
};

/**
 * Migrates the schema to this release: role, job queue, then each numbered file in a separate transaction. It takes a
 * lock, so that several nodes can start at once. Returns the names of the applied migrations. Throws for a newer or
 * changed schema.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const { upTo = Number.POSITIVE_INFINITY } = options;
  const known = (await readMigrations(options.directory)).filter(({ version }) => version <= upTo);
  const client = new pg.Client({ connectionString: options.adminUrl, application_name: 'assay migrate' });
  client.on('error', () => {});
  await client.connect();
  try {
    await checkServer(client);
    const lock: MigrationLock = { log: options.log, maxWaitMs: options.maxWaitMs };
    await underMigrationLock(client, lock, () => prepareDatabase(client, options.adminUrl, known));
    const applied: string[] = [];
    for (;;) {
      const name = await applyNext({ client, adminUrl: options.adminUrl, lock, nextOf: () => findNext(client, known) });
      if (name === null) break;
      applied.push(name);
    }
    return applied;
  } finally {
    await client.end();
  }
}
