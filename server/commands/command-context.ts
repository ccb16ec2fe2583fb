import { createNetworkPolicy } from '@assay/scanner/platform/egress/network-policy.ts';
import { type Config, loadConfig } from '../config/config.ts';
import type { WithImportServices } from '../detection/imports/import-command.ts';
import { type Check, type CheckedSettings, failed } from '../operation/check.ts';
import { type CheckedCell, checkCells } from '../operation/check-cells.ts';
import { checksWithout, runChecks } from '../operation/run-checks.ts';
import manifest from '../package.json' with { type: 'json' };
import { insertBackup, updateDrill } from '../platform/backup/backup-records.ts';
import type { BackupContext } from '../platform/backup/commands.ts';
import { restoreInstallation } from '../platform/backup/restore-installation.ts';
import type { WithDatabase } from '../platform/command-output.ts';
import { openLog } from '../platform/log.ts';
import { UnsafeRoleError } from '../platform/postgres/application-role.ts';
import { asOwner } from '../platform/postgres/cells/as-owner.ts';
import { openDatabases } from '../platform/postgres/cells/cell-database.ts';
import { migrateCells } from '../platform/postgres/cells/migrate-cells.ts';
import type { Cells } from '../platform/postgres/cells/move-servers.ts';
import { openDatabase } from '../platform/postgres/database.ts';
import { findEmbeddedUrls, openEmbeddedPostgres } from '../platform/postgres/embedded-postgres.ts';
import { migrate } from '../platform/postgres/migrate.ts';
import { ensureSecretKey, findSecretKey } from '../platform/secret-key.ts';
import { openKeyring, type SecretKeys } from '../platform/secrets/open-keyring.ts';
import { checkedSettings } from '../processes/open-rooms.ts';

/**
 * Runs `run` with the installation's database: DATABASE_URL, or the embedded one, which is started for the command when
 * no server is running.
 */
async function withUrls<T>(config: Config, run: (adminUrl: string, databaseUrl: string) => Promise<T>): Promise<T> {
  if (config.databaseUrl) return run(config.databaseUrl, config.databaseUrl);
  const log = openLog({ level: 'error' });
  const postgres = await openEmbeddedPostgres({ directory: config.dataDirectory, log, what: 'assay' });
  try {
    return await run(postgres.adminUrl, postgres.appUrl);
  } finally {
    await postgres.stop();
  }
}

/** Migrates the schema and returns the names of the applied migrations. */
export async function migrateDatabase(): Promise<string[]> {
  const config = loadConfig();
  const log = openLog({ level: config.logLevel });
  return withUrls(config, async (adminUrl) => {
    const applied = await migrate({ adminUrl, log });
    return [...applied, ...(await migrateCells(adminUrl, config.cells, log))];
  });
}

/** Provides a command with the database, after migrating the schema. */
export const withDatabase: WithDatabase = async (run) => {
  const config = loadConfig();
  await withUrls(config, async (adminUrl, databaseUrl) => {
    const log = openLog({ level: config.logLevel });
    await migrate({ adminUrl, log });
    await migrateCells(adminUrl, config.cells, log);
    const database = openDatabases(
      { connectionString: databaseUrl, maxConnections: 2, applicationName: 'assay command' },
      config.cells,
    );
    try {
      await run(database);
    } finally {
      await database.close();
    }
  });
};

/** Returns the installation's secret key, and the former one while it changes. */
export async function secretKeys(): Promise<SecretKeys> {
  const { secretKey, previousSecretKey, dataDirectory } = loadConfig();
  return { secretKey: secretKey ?? (await ensureSecretKey(dataDirectory)), previousSecretKey };
}

/** Provides a command with the requirements of an import: the database, and the keys for hashing identities. */
export const withImportServices: WithImportServices = (run) =>
  withDatabase(async (database) => {
    const { keyring } = await openKeyring(database, await secretKeys());
    await run({ database, keyring, log: openLog({ level: loadConfig().logLevel }) });
  });

/** Provides the backup commands with the existing installation, or the destination of a restored one. */
export const backupContext: BackupContext = {
  async withInstallation(run) {
    const config = loadConfig();
    const { dataDirectory } = config;
    const secretKey = config.secretKey ?? (await findSecretKey(dataDirectory));
    if (secretKey === null) {
      throw new Error(
        `There is no installation in ${dataDirectory}: it has no secret key. Set ASSAY_DATA_DIR (and DATABASE_URL) as for "assay start".`,
      );
    }
    const { version } = manifest;
    return withUrls(config, (adminUrl) => run({ adminUrl, dataDirectory, secretKey, version }));
  },
  restore: (directory) => restoreInstallation(loadConfig(), directory, openLog({ level: 'error' })),
  recordBackup: ({ adminUrl }, { directory, takenAt, bytes, organizations, findings }) =>
    asOwner(adminUrl, (owner) =>
      insertBackup(owner, { dueAt: null, directory, takenAt, error: null, bytes, organizations, findings }),
    ),
  async findDrill() {
    const { backups, secretKey, dataDirectory } = loadConfig();
    const log = openLog({ level: 'error' });
    return { directory: backups?.directory ?? null, secretKey: secretKey ?? (await findSecretKey(dataDirectory)), log };
  },
  async recordDrill(takenAt, error) {
    const { databaseUrl, dataDirectory } = loadConfig();
    const adminUrl = databaseUrl ?? findEmbeddedUrls(dataDirectory)?.adminUrl;
    // A drill may run on a machine without the installation, or while it is stopped.
    if (adminUrl) await asOwner(adminUrl, (owner) => updateDrill(owner, takenAt, error)).catch(() => {});
  },
};

/** Reads the settings of `advisories`. */
export const advisoriesSettings = () => {
  const { feeds, allowedTargets } = loadConfig();
  return { feeds, networkPolicy: createNetworkPolicy({ allowed: allowedTargets }) };
};

/** Reads the settings of `audit`. */
export const auditSettings = () => ({ timestampCaFile: loadConfig().auditHeads.timestampCaFile });

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function checkAt(connectionString: string, settings: CheckedSettings): Promise<Check[]> {
  const database = openDatabase({ connectionString, maxConnections: 2, applicationName: 'assay doctor' });
  try {
    // Returns the driver's own message, which names the server and the reason.
    await database.pool.query('SELECT 1');
    return await runChecks({ ...settings, database }, messageOf);
  } catch (error) {
    if (error instanceof UnsafeRoleError) {
      const action = 'Assay does not use the database until this is fixed, and the other checks need it.';
      return [{ name: 'roles', ...failed(error.message, action) }];
    }
    return checksWithout(messageOf(error), 'Start the database, or correct DATABASE_URL.', settings);
  } finally {
    await database.close();
  }
}

/**
 * Checks the configured installation. A stopped embedded database is started for the duration of the check; nothing
 * is created or migrated.
 */
export async function checkInstallation(): Promise<Check[]> {
  const config = loadConfig();
  const settings = checkedSettings(config);
  const { databaseUrl, dataDirectory } = config;
  if (databaseUrl !== null) return checkAt(databaseUrl, settings);
  if (findEmbeddedUrls(dataDirectory) === null) {
    const action = 'Set ASSAY_DATA_DIR (and DATABASE_URL) as for "assay start".';
    return checksWithout(`there is no installation in ${dataDirectory}.`, action, settings);
  }
  const log = openLog({ level: 'silent' });
  const opened = await openEmbeddedPostgres({ directory: dataDirectory, log, what: 'assay doctor' }).catch(
    (error: unknown) => messageOf(error),
  );
  if (typeof opened === 'string')
    return checksWithout(opened, `Its log is postgres.log in ${dataDirectory}.`, settings);
  try {
    return await checkAt(opened.appUrl, settings);
  } finally {
    await opened.stop();
  }
}

/** Returns the cells of the settings. Throws without a PostgreSQL of the operator's own. */
export function configuredCells(): Cells {
  const { databaseUrl, cells } = loadConfig();
  if (databaseUrl === null) throw new Error('Cells need a PostgreSQL of your own: set DATABASE_URL and ASSAY_CELLS.');
  return { homeUrl: databaseUrl, cells };
}

/** Checks the cells as they are: nothing is created or migrated. */
export async function checkConfiguredCells(): Promise<CheckedCell[]> {
  const { homeUrl, cells } = configuredCells();
  return checkCells(homeUrl, cells);
}
