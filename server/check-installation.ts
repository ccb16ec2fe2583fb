import { type Config, loadConfig } from './config.ts';
import { type Check, type CheckedSettings, failed } from './operation/check.ts';
import { checksWithout, runChecks } from './operation/run-checks.ts';
import { openLog } from './platform/log.ts';
import { UnsafeRoleError } from './platform/postgres/application-role.ts';
import { openDatabase } from './platform/postgres/database.ts';
import { findEmbeddedUrls, openEmbeddedPostgres } from './platform/postgres/embedded-postgres.ts';
import { Room } from './platform/room/room.ts';

/** Returns what the checks look at besides the database. */
export const checkedSettings = ({ replicas, feeds, backups, dataDirectory, databaseUrl }: Config): CheckedSettings => ({
  replicas,
  feeds,
  backups,
  room: databaseUrl === null ? new Room(dataDirectory) : null,
});

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function checkAt(connectionString: string, settings: CheckedSettings): Promise<Check[]> {
  const database = openDatabase({ connectionString, maxConnections: 2, applicationName: 'assay doctor' });
  try {
    // The driver's own message, which names the server and the reason.
    await database.pool.query('SELECT 1');
    return await runChecks({ ...settings, database }, messageOf);
  } catch (error) {
    if (error instanceof UnsafeRoleError) {
      const action = 'Assay uses no connection until this is done; the other checks need one.';
      return [{ name: 'roles', ...failed(error.message, action) }];
    }
    return checksWithout(messageOf(error), 'Start the database, or correct DATABASE_URL.', settings);
  } finally {
    await database.close();
  }
}

/**
 * Checks the installation of the configuration. An embedded database that does not run is started for as long as it
 * takes; nothing is created or migrated.
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
