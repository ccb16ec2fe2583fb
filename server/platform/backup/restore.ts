import pg from 'pg';
import { findChanged, migrate, readMigrations } from '../postgres/migrate.ts';
import { secretKeyId } from '../sealed.ts';
import {
  countRows,
  findVersions,
  hasSchema,
  listTables,
  type Owner,
  replaceRows,
  setSequence,
  writeRows,
} from './backup-queries.ts';
import { filesOf, type Manifest, readManifest, UnusableBackup } from './manifest.ts';
import { checkFile, loadFile } from './stored-file.ts';

export type RestoreResult = { directory: string; createdAt: string; tables: number; rows: number; migrated: string[] };

/** Throws when this release has no migration for the schema of the backup. */
async function checkMigrations({ migrations, assay }: Manifest): Promise<void> {
  const known = await readMigrations();
  const changed = findChanged(migrations, known);
  if (changed) {
    throw new UnusableBackup(
      `The backup's migration ${changed.version} (${changed.name}) differs from the one of this release: the backup is from a version before 0.1.0 or from a changed release. Restore it with the version that created it (${assay}).`,
    );
  }
  if (migrations.at(-1)!.version > known.at(-1)!.version) {
    throw new UnusableBackup(
      `The backup was created by a newer release of Assay (${assay}), with a newer schema. Install that release and restore with it.`,
    );
  }
}

/** Reads a backup and checks every file of it. Throws UnusableBackup before anything is changed. */
export async function checkBackup(directory: string): Promise<Manifest> {
  const manifest = await readManifest(directory);
  await checkMigrations(manifest);
  for (const file of filesOf(manifest)) await checkFile(directory, file);
  return manifest;
}

/** Throws unless the installation has the key with which the backup was sealed. */
export function checkSecretKey(manifest: Manifest, secretKey: string | null): void {
  if (secretKey === null && manifest.files.some(({ name }) => name === 'secret-key')) return;
  if (secretKey !== null && secretKeyId(secretKey) === manifest.secretKeyId) return;
  throw new UnusableBackup(
    secretKey === null
      ? 'The backup does not hold its secret key, which was set by ASSAY_SECRET_KEY. Set the same one here.'
      : 'ASSAY_SECRET_KEY is not the key of the backup, so its credentials could not be opened. Set that key, or unset it if the backup contains the key.',
  );
}

async function checkEmpty(owner: Owner): Promise<void> {
  if (!(await hasSchema(owner))) return;
  for (const table of await listTables(owner)) {
    // The tables of the job queue, heartbeats and the like may have rows in an unused installation.
    if (!['organizations', 'users'].includes(table.name)) continue;
    if ((await countRows(owner, table)) === 0) continue;
    throw new Error(
      'The database is not empty: it holds an installation of Assay. Restore into an empty one; nothing was changed.',
    );
  }
}

async function loadTables(owner: Owner, directory: string, manifest: Manifest): Promise<void> {
  await replaceRows(owner, manifest.tables, async () => {
    for (const table of manifest.tables) {
      await loadFile(directory, table.file, writeRows(owner, table));
      const count = await countRows(owner, table);
      if (count !== table.rows)
        throw new UnusableBackup(`${table.name} has ${count} rows after the restore instead of ${table.rows}.`);
    }
    for (const sequence of manifest.sequences) await setSequence(owner, sequence);
  });
}

/**
 * Fills an empty database from a backup that `checkBackup` has accepted: creates the schema of the backup's release,
 * loads the rows in one transaction, and migrates to this release.
 */
export async function restoreDatabase(adminUrl: string, directory: string, manifest: Manifest): Promise<RestoreResult> {
  const owner = new pg.Client({ connectionString: adminUrl, application_name: 'assay restore' });
  owner.on('error', () => {});
  await owner.connect();
  try {
    await checkEmpty(owner);
    await migrate({ adminUrl, upTo: manifest.migrations.at(-1)!.version });
    const { jobQueue } = await findVersions(owner);
    if (jobQueue !== manifest.jobQueue) {
      throw new UnusableBackup(
        `The backup's job queue has schema ${manifest.jobQueue}, and this release has ${jobQueue}. Restore it with the release that created it (${manifest.assay}), and then upgrade.`,
      );
    }
    await loadTables(owner, directory, manifest);
    const migrated = await migrate({ adminUrl });
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    return { directory, createdAt: manifest.createdAt, tables: manifest.tables.length, rows, migrated };
  } finally {
    await owner.end();
  }
}
