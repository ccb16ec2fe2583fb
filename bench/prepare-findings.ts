import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { bootstrap } from '../server/identity/bootstrap.ts';
import { openLog } from '../server/platform/log.ts';
import { openDatabase } from '../server/platform/postgres/database.ts';
import { startEmbeddedPostgres } from '../server/platform/postgres/embedded-postgres.ts';
import { migrate, readMigrations } from '../server/platform/postgres/migrate.ts';
import { createOthers, loadDataset } from './dataset.ts';
import { migrateWithPartitions } from './partitions.ts';

/** A data directory with findings, ready for `assay start`. Half of the findings belong to this organization. */
export type FindingsDirectory = { directory: string; orgId: string; token: string; count: number };

export const dataDirectory = join(import.meta.dirname, '.data');
const sources = ['dataset.ts', 'dataset-sql.ts', 'partitions.ts'];

export const quietLog = () => openLog({ level: 'silent' });

/** The files that determine the dataset: a change of the schema or of the generator requires a new dataset. */
async function versionOfDataset(): Promise<string> {
  const hash = createHash('sha256');
  for (const { checksum } of await readMigrations()) hash.update(checksum);
  for (const file of sources) hash.update(await readFile(join(import.meta.dirname, file)));
  return hash.digest('hex');
}

/** Creates a database in the directory, with an empty organization. `load` may fill it. */
export async function prepareOrganization(
  directory: string,
  settings: Record<string, string> = {},
  load: (client: pg.Client, orgId: string) => Promise<void> = async () => {},
  partitions = 0,
): Promise<{ orgId: string; token: string }> {
  const postgres = await startEmbeddedPostgres({ directory, log: quietLog(), what: 'bench', settings });
  try {
    if (partitions > 0) await migrateWithPartitions(postgres.adminUrl, partitions);
    else await migrate({ adminUrl: postgres.adminUrl });
    const database = openDatabase({ connectionString: postgres.appUrl, maxConnections: 2 });
    const none = { adminEmail: null, adminPassword: null, organization: null, token: null };
    const owner = (await bootstrap(database, none))!;
    await database.close();
    const client = new pg.Client({ connectionString: postgres.adminUrl });
    await client.connect();
    try {
      await load(client, owner.organization.id);
    } finally {
      await client.end();
    }
    return { orgId: owner.organization.id, token: owner.token! };
  } finally {
    await postgres.stop();
  }
}

type Extent = {
  /** The share of the findings that belongs to the first organization. */
  share?: number;
  /** The number of its data sources. */
  dataSourceCount?: number;
  /** The number of all organizations. */
  organizationCount?: number;
  /** The number of hash partitions, by organization, of the tables of findings; 0 for none. */
  partitions?: number;
};

/** Creates a directory of this size, or reuses that of an earlier run if schema and generator are unchanged. */
export async function prepareFindings(
  count: number,
  { share = 0.5, dataSourceCount = 240, organizationCount = 10, partitions = 0 }: Extent = {},
): Promise<FindingsDirectory> {
  const name = [
    `findings-${count}`,
    ...(share === 0.5 ? [] : [share * 100, dataSourceCount]),
    ...(organizationCount === 10 ? [] : [`of-${organizationCount}`]),
    ...(partitions === 0 ? [] : [`in-${partitions}`]),
  ].join('-');
  const directory = join(dataDirectory, name);
  const noteFile = join(directory, 'dataset.json');
  const version = await versionOfDataset();
  if (existsSync(noteFile)) {
    const note = JSON.parse(await readFile(noteFile, 'utf8'));
    if (note.version === version) return { directory, count, ...note };
  }
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    max_wal_size: '16GB',
    autovacuum: 'off',
    shared_buffers: '1GB',
  };
  const load = async (client: pg.Client, orgId: string) => {
    const others = await createOthers(client, organizationCount - 1);
    await loadDataset(client, { orgId, memberCount: 30, dataSourceCount }, count, share, others);
  };
  const owner = await prepareOrganization(directory, settings, load, partitions);
  const note = { version, ...owner };
  await writeFile(noteFile, JSON.stringify(note));
  return { directory, count, ...note };
}

if (import.meta.main) {
  console.time('dataset');
  console.log(await prepareFindings(Number(process.argv[2] ?? 100_000)));
  console.timeEnd('dataset');
}
