import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readMigrations } from '../../server/platform/postgres/migrate.ts';

const root = join(import.meta.dirname, '../..');

/** Changes of the largest and busiest tables, as releases make them. */
const migrations = {
  index: `CREATE INDEX next_release ON findings (org_id, due_at, id) INCLUDE (first_seen_at, updated_at, traits);
DROP INDEX findings_by_due;
ALTER INDEX next_release RENAME TO findings_by_due;
`,
  column: `ALTER TABLE findings ADD COLUMN next_release text;
ALTER TABLE findings ADD CONSTRAINT next_release_known CHECK (next_release <> '') NOT VALID;
ALTER TABLE scans ADD COLUMN next_release int NOT NULL DEFAULT 0;
`,
  outside: `-- runs outside of a transaction
CREATE INDEX CONCURRENTLY next_release_title ON findings (org_id, title, severity);
ALTER TABLE findings VALIDATE CONSTRAINT next_release_known;
UPDATE findings SET next_release = id WHERE next_release IS NULL;
CREATE INDEX CONCURRENTLY next_release_id ON findings (org_id, next_release);
`,
};

/** Makes a release of these sources with more migrations in a new folder. Returns its program. */
export async function createNextRelease(folder: string): Promise<string> {
  const server = join(folder, 'server');
  await mkdir(folder);
  await cp(join(root, 'server'), server, {
    recursive: true,
    filter: (source) => basename(source) !== 'node_modules' && !/\.(test|fixture)\.ts$/.test(source),
  });
  await symlink(join(root, 'server/node_modules'), join(server, 'node_modules'));
  for (const name of await readdir(root)) {
    if (name !== 'server' && !name.startsWith('.')) await symlink(join(root, name), join(folder, name));
  }
  let { version } = (await readMigrations()).at(-1)!;
  for (const [name, sql] of Object.entries(migrations)) {
    const number = String(++version).padStart(4, '0');
    await writeFile(join(server, 'migrations', `${number}_next_release_${name}.sql`), sql);
  }
  return join(server, 'assay.mjs');
}
