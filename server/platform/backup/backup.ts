import { mkdir, readdir } from 'node:fs/promises';
import { Transform } from 'node:stream';
import pg from 'pg';
import { secretKeyId } from '../sealed.ts';
import { findSecretKey } from '../secret-key.ts';
import { formatTime } from '../times.ts';
import {
  beginSnapshot,
  findVersions,
  hasSchema,
  listSequences,
  listTables,
  type Owner,
  readRows,
  type Table,
} from './backup-queries.ts';
import { rowsOf } from './backup-records.ts';
import { storeDataFiles } from './data-files.ts';
import { filesOf, type Manifest, type TableEntry, writeManifest } from './manifest.ts';
import { storeFile } from './stored-file.ts';

/** The installation that the commands work on. */
export type Installation = {
  /** The database, as the owner of the tables. */
  adminUrl: string;
  dataDirectory: string;
  secretKey: string;
  /** The migrations of this release. */
  version: string;
};

export type BackupResult = {
  directory: string;
  takenAt: string;
  tables: number;
  rows: number;
  files: number;
  bytes: number;
  /** Whether the key that decrypts stored credentials is among the files. A key from ASSAY_SECRET_KEY is not. */
  holdsSecretKey: boolean;
  organizations: number;
  findings: number;
};

async function prepareTarget(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if ((await readdir(directory)).length === 0) return;
  throw new Error(`${directory} is not empty. Name a folder that does not exist yet: each backup needs its own.`);
}

/** Counts the rows in the text of COPY. Each is one line, since COPY escapes line breaks. */
function countingLines() {
  let lines = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++;
      done(null, chunk);
    },
  });
  return { stream, count: () => lines };
}

async function storeTable(owner: Owner, directory: string, table: Table): Promise<TableEntry> {
  const lines = countingLines();
  const rows = readRows(owner, table);
  rows.once('error', (error) => lines.stream.destroy(error));
  const path = `tables/${table.schema}.${table.name}.copy.zst`;
  const file = await storeFile(directory, path, rows.pipe(lines.stream));
  return { ...table, rows: lines.count(), file };
}

async function storeDatabase(owner: Owner, directory: string, signal?: AbortSignal) {
  if (!(await hasSchema(owner))) throw new Error('There is nothing to back up: the database holds no schema of Assay.');
  await beginSnapshot(owner, await listTables(owner));
  const versions = await findVersions(owner);
  const tables: TableEntry[] = [];
  for (const table of await listTables(owner)) {
    signal?.throwIfAborted();
    tables.push(await storeTable(owner, directory, table));
  }
  const sequences = await listSequences(owner);
  await owner.query('COMMIT');
  return { ...versions, tables, sequences };
}

/** Returns whether the key file was backed up and is the current key, not one that an earlier setting replaced. */
const holdsKey = async ({ dataDirectory, secretKey }: Installation, { files }: Manifest): Promise<boolean> =>
  files.some(({ name }) => name === 'secret-key') && (await findSecretKey(dataDirectory)) === secretKey;

/**
 * Writes a backup into `directory`, which must be empty or missing: all tables at one point in time, and the files of
 * the data directory that can't be recreated. The installation may run meanwhile.
 */
export async function backUp(
  installation: Installation,
  directory: string,
  signal?: AbortSignal,
): Promise<BackupResult> {
  await prepareTarget(directory);
  const owner = new pg.Client({ connectionString: installation.adminUrl, application_name: 'assay backup' });
  owner.on('error', () => {});
  await owner.connect();
  try {
    const createdAt = formatTime(new Date());
    const database = await storeDatabase(owner, directory, signal);
    const manifest: Manifest = {
      format: 'assay-backup',
      formatVersion: 1,
      createdAt,
      assay: installation.version,
      secretKeyId: secretKeyId(installation.secretKey),
      ...database,
      files: await storeDataFiles(installation.dataDirectory, directory),
    };
    await writeManifest(directory, manifest);
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    const bytes = filesOf(manifest).reduce((sum, file) => sum + file.bytes, 0);
    return {
      directory,
      takenAt: createdAt,
      tables: manifest.tables.length,
      rows,
      files: manifest.files.length,
      bytes,
      holdsSecretKey: await holdsKey(installation, manifest),
      organizations: rowsOf(manifest, 'organizations'),
      findings: rowsOf(manifest, 'findings'),
    };
  } finally {
    await owner.end();
  }
}
