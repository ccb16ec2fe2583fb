import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../log.ts';
import { startEmbeddedPostgres } from '../postgres/embedded-postgres.ts';
import { prepareDataDirectory } from '../postgres/postgres-cluster.ts';
import { loadDataFiles } from './data-files.ts';
import type { Manifest } from './manifest.ts';
import { checkBackup, checkSecretKey, type RestoreResult, restoreDatabase } from './restore.ts';

/** The destination of a restore. */
export type Destination = {
  /** null: the embedded PostgreSQL in the data directory. */
  databaseUrl: string | null;
  dataDirectory: string;
  /** ASSAY_SECRET_KEY. */
  secretKey: string | null;
};

function checkDataDirectory({ dataDirectory, databaseUrl }: Destination, { files }: Manifest): void {
  const names = [...(databaseUrl === null ? ['postgres'] : []), ...files.map(({ name }) => name)];
  const present = names.find((name) => existsSync(join(dataDirectory, name)));
  if (present === undefined) return;
  throw new Error(
    `The data directory ${dataDirectory} is not empty: it holds ${present}. Stop Assay and move the directory away, or set ASSAY_DATA_DIR to a new one. Nothing was changed.`,
  );
}

async function restoreEmbedded(dataDirectory: string, backup: string, manifest: Manifest, log: Log) {
  const postgres = await startEmbeddedPostgres({ directory: dataDirectory, log, what: 'assay restore' });
  try {
    const result = await restoreDatabase(postgres.adminUrl, backup, manifest);
    await postgres.stop();
    return result;
  } catch (error) {
    // This restore created the directory, so it can be removed and the restore tried again.
    await postgres.stop();
    for (const name of ['postgres', 'postgres-credentials.json', 'postgres.log'])
      await rm(join(dataDirectory, name), { recursive: true, force: true });
    throw error;
  }
}

/**
 * Creates an installation from a backup. Refuses a damaged backup or a destination that is not empty, without
 * changing anything.
 */
export async function restoreInstallation(destination: Destination, backup: string, log: Log): Promise<RestoreResult> {
  const { databaseUrl, dataDirectory, secretKey } = destination;
  const whole = await checkBackup(backup);
  checkSecretKey(whole, secretKey);
  const manifest = { ...whole, files: whole.files.filter(({ name }) => secretKey === null || name !== 'secret-key') };
  checkDataDirectory(destination, manifest);
  await prepareDataDirectory(dataDirectory);
  try {
    // The key comes first: a server that found the rows without it would generate a new one.
    await loadDataFiles(backup, manifest, dataDirectory);
    return databaseUrl === null
      ? await restoreEmbedded(dataDirectory, backup, manifest, log)
      : await restoreDatabase(databaseUrl, backup, manifest);
  } catch (error) {
    for (const { name } of manifest.files) await rm(join(dataDirectory, name), { force: true });
    throw error;
  }
}
