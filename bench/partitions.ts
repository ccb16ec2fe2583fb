import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate, readMigrations } from '../server/platform/postgres/migrate.ts';

const migrations = join(import.meta.dirname, '..', 'server', 'migrations');

/** The tables that grow with the findings. */
const partitioned = ['findings', 'finding_texts', 'finding_history', 'finding_comments'];

function withPartitions(sql: string, table: string, partitions: number): string {
  const create = new RegExp(`^CREATE TABLE ${table} \\([^]*?^\\);$`, 'm');
  const found = create.exec(sql)?.[0];
  if (found === undefined) return sql;
  const parts = Array.from(
    { length: partitions },
    (_, part) =>
      `CREATE TABLE ${table}_${part} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${part});`,
  );
  return sql.replace(found, () => [`${found.slice(0, -1)} PARTITION BY HASH (org_id);`, ...parts].join('\n'));
}

async function recordChecksums(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    for (const { version, checksum } of await readMigrations())
      await client.query('UPDATE schema_migrations SET checksum = $2 WHERE version = $1', [version, checksum]);
  } finally {
    await client.end();
  }
}

/**
 * Creates the schema with the tables of findings divided by organization into hash partitions, which the service
 * then uses unchanged: the checksums recorded are those of the files without partitions.
 */
export async function migrateWithPartitions(adminUrl: string, partitions: number): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'assay-bench-'));
  try {
    await cp(migrations, directory, { recursive: true });
    let divided = 0;
    for (const file of await readdir(directory)) {
      const sql = await readFile(join(directory, file), 'utf8');
      let changed = sql;
      for (const table of partitioned) {
        const before = changed;
        changed = withPartitions(changed, table, partitions);
        if (changed !== before) divided += 1;
      }
      await writeFile(join(directory, file), changed);
    }
    if (divided !== partitioned.length)
      throw new Error(`Only ${divided} of ${partitioned} were found in the migrations.`);
    await migrate({ adminUrl, directory });
    await recordChecksums(adminUrl);
  } finally {
    await rm(directory, { recursive: true });
  }
}
