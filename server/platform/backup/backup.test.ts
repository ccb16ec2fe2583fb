import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { type Application, startApplication } from '../../../tests/harness/application.ts';
import { acquireCluster } from '../../../tests/harness/cluster.ts';
import { furnish } from '../../../tests/harness/furnished.ts';
import { createTenant } from '../../../tests/harness/people.ts';
import { migrate, readMigrations } from '../postgres/migrate.ts';
import { backUp } from './backup.ts';
import { listTables } from './backup-queries.ts';
import { backupLines } from './commands.ts';
import { readManifest, writeManifest } from './manifest.ts';
import { checkBackup, checkSecretKey, restoreDatabase } from './restore.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-backup-'));
const secretKey = 'k'.repeat(40);
let app: Application;
let clusterUrl = '';
const databases: string[] = [];

async function withOwner<T>(url: string, run: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  return run(owner).finally(() => owner.end());
}

/** Creates an empty database. With `owner`, it belongs to an ordinary role, as when an administrator creates it. */
async function createDatabase(name: string, owner?: string): Promise<string> {
  const database = `backup_${process.pid}_${name}`;
  databases.push(database);
  const url = new URL(clusterUrl);
  await withOwner(clusterUrl, async (admin) => {
    await admin.query(`CREATE DATABASE ${database}`);
    if (owner) await admin.query(`ALTER DATABASE ${database} OWNER TO ${owner}`);
  });
  url.pathname = `/${database}`;
  if (owner) [url.username, url.password] = [owner, owner];
  return url.href;
}

const installationOf = (adminUrl: string, dataDirectory = join(folder, 'no data')) => ({
  adminUrl,
  dataDirectory,
  secretKey,
  version: 'test',
});

/** Returns every row of every table as text, sorted. */
const readAll = (url: string) =>
  withOwner(url, async (owner) => {
    const contents: Record<string, string[]> = {};
    for (const { schema, name, columns } of await listTables(owner)) {
      const { rows } = await owner.query<{ row: string }>(
        `SELECT ROW(${columns.map((column) => pg.escapeIdentifier(column)).join(', ')})::text AS row FROM ${schema}.${name} ORDER BY 1`,
      );
      contents[`${schema}.${name}`] = rows.map(({ row }) => row);
    }
    return contents;
  });

before(async () => {
  app = await startApplication();
  clusterUrl = (await acquireCluster()).adminUrl;
  await furnish(app, 'one');
  await furnish(app, 'other');
});
after(async () => {
  await app.close();
  await withOwner(clusterUrl, async (admin) => {
    for (const name of databases) await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.query('DROP OWNED BY backup_owner').catch(() => {});
    await admin.query('DROP ROLE IF EXISTS backup_owner');
  });
  rmSync(folder, { recursive: true, force: true });
});

describe('a backup of a database', () => {
  test('contains every row of every table, and an ordinary role can restore it into its own database', async () => {
    const directory = join(folder, 'all');
    const result = await backUp(installationOf(app.adminUrl), directory);
    // The key is a setting of this installation, and not in its data directory.
    assert.match(backupLines(result).join('\n'), /does not hold ASSAY_SECRET_KEY: keep that key elsewhere/);
    assert.doesNotMatch(backupLines(result).join('\n'), /and the key that opens/);
    assert.ok(result.rows > 100 && result.tables > 30, JSON.stringify(result));
    await withOwner(clusterUrl, async (admin) => {
      await admin.query(`CREATE ROLE backup_owner LOGIN PASSWORD 'backup_owner' CREATEROLE`);
      await admin.query('GRANT assay_app TO backup_owner');
    });
    const url = await createDatabase('all', 'backup_owner');
    const restored = await restoreDatabase(url, directory, await checkBackup(directory));
    assert.deepEqual([restored.rows, restored.migrated], [result.rows, []]);
    const [before, now] = [await readAll(app.adminUrl), await readAll(url)];
    assert.deepEqual(Object.keys(now), Object.keys(before));
    for (const [table, rows] of Object.entries(before)) assert.deepEqual(now[table], rows, table);
    const secured = `SELECT count(*)::integer AS count FROM pg_class WHERE relrowsecurity`;
    const countSecured = (at: string) => withOwner(at, async (owner) => (await owner.query(secured)).rows[0].count);
    assert.equal(await countSecured(url), await countSecured(app.adminUrl));
  });

  test('shows one point in time while others write', async () => {
    const directory = join(folder, 'busy');
    const [{ id: finding } = { id: '' }, orgId] = await withOwner(app.adminUrl, async (owner) => {
      const { rows } = await owner.query<{ id: string; org_id: string }>('SELECT id, org_id FROM findings LIMIT 1');
      return [rows[0], rows[0]!.org_id] as const;
    });
    let isOver = false;
    let written = 0;
    // A comment and its counter, which are in two tables.
    const write = async () => {
      while (!isOver) {
        await app.database.transaction(orgId, async (tx) => {
          await tx.query({
            text: `INSERT INTO finding_comments (org_id, id, finding_id, comment, created_at) VALUES ($1, $2, $3, 'x', now())`,
            values: [orgId, `cmt_busy_${written++}`, finding],
          });
          await tx.query({
            text: 'UPDATE findings SET comment_count = comment_count + 1 WHERE org_id = $1 AND id = $2',
            values: [orgId, finding],
          });
        });
      }
    };
    const writing = write();
    await backUp(installationOf(app.adminUrl), directory);
    isOver = true;
    await writing;
    const url = await createDatabase('busy');
    await restoreDatabase(url, directory, await checkBackup(directory));
    const { rows } = await withOwner(url, (owner) =>
      owner.query(
        `SELECT comment_count, (SELECT count(*)::integer FROM finding_comments c WHERE c.finding_id = f.id) AS comments
         FROM findings f WHERE id = $1`,
        [finding],
      ),
    );
    assert.equal(rows[0].comment_count, rows[0].comments);
    assert.ok(written > 0);
  });

  test('of an older release is migrated to this one', async () => {
    const older = await createDatabase('older');
    const migrations = await readMigrations();
    await migrate({ adminUrl: older, upTo: migrations.at(-2)!.version });
    const insert = `INSERT INTO organizations (id, name) VALUES ('org_older', 'Older')`;
    await withOwner(older, (owner) => owner.query(insert));
    const directory = join(folder, 'older');
    await backUp(installationOf(older), directory);
    const url = await createDatabase('upgraded');
    const { migrated } = await restoreDatabase(url, directory, await checkBackup(directory));
    assert.deepEqual(migrated, [migrations.at(-1)!.name]);
    assert.match(JSON.stringify(await readAll(url)), /org_older/);
  });
});

describe('a restore refuses', () => {
  let directory = '';
  before(async () => {
    directory = join(folder, 'refused');
    await backUp(installationOf(app.adminUrl), directory);
  });

  /** Keeps a file of the backup damaged while `check` runs. */
  async function changed(file: string, change: (path: string) => void, check: () => Promise<void>): Promise<void> {
    const path = join(directory, file);
    const content = readFileSync(path);
    change(path);
    await check().finally(() => writeFileSync(path, content));
  }

  const table = 'tables/public.findings.copy.zst';

  test('a backup with a file that was changed, truncated or removed, and names the file', async () => {
    const flip = (path: string) => {
      const content = readFileSync(path);
      content[content.length >> 1]! ^= 1;
      writeFileSync(path, content);
    };
    await changed(table, flip, () => assert.rejects(checkBackup(directory), /damaged: tables\/public\.findings/));
    const cut = (path: string) => writeFileSync(path, readFileSync(path).subarray(0, -10));
    await changed(table, cut, () => assert.rejects(checkBackup(directory), /bytes instead of/));
    await changed(table, rmSync, () => assert.rejects(checkBackup(directory), /is missing/));
    await changed(
      'manifest.json',
      (path) => appendFileSync(path, ' '),
      () => assert.rejects(checkBackup(directory), /manifest/),
    );
    await changed('manifest.json', rmSync, () =>
      assert.rejects(checkBackup(directory), /not a backup .* not finished/),
    );
    await checkBackup(directory);
  });

  test('a folder that is not a backup, and a backup with another secret key', async () => {
    await assert.rejects(checkBackup(tmpdir()), /is not a backup of Assay/);
    const manifest = await checkBackup(directory);
    checkSecretKey(manifest, secretKey);
    assert.throws(() => checkSecretKey(manifest, 'another'.repeat(6)), /ASSAY_SECRET_KEY is not the key/);
    assert.throws(() => checkSecretKey(manifest, null), /Set the same one/);
  });

  test('a backup of a version before 0.1.0 or of a newer release, and says what can restore it', async () => {
    const manifest = await readManifest(directory);
    const [first, ...others] = manifest.migrations;
    const other = mkdtempSync(join(folder, 'other-'));
    await writeManifest(other, { ...manifest, migrations: [{ ...first!, checksum: 'x' }, ...others] });
    await assert.rejects(
      checkBackup(other),
      /migration 1 \(platform\) .* before 0\.1\.0 .*Restore it with the version/,
    );
    const later = { version: 9999, name: 'later', checksum: 'x' };
    await writeManifest(other, { ...manifest, migrations: [...manifest.migrations, later] });
    await assert.rejects(checkBackup(other), /newer release of Assay .*Install that release/);
  });

  test('a database that is not empty, and leaves it unchanged', async () => {
    const url = await createDatabase('taken');
    await migrate({ adminUrl: url });
    const insert = `INSERT INTO organizations (id, name) VALUES ('org_taken', 'Taken')`;
    await withOwner(url, (owner) => owner.query(insert));
    const before = await readAll(url);
    await assert.rejects(restoreDatabase(url, directory, await checkBackup(directory)), /is not empty/);
    assert.deepEqual(await readAll(url), before);
  });

  test('to write a backup into a folder that is not empty', async () => {
    await createTenant(app.database);
    await assert.rejects(backUp(installationOf(app.adminUrl), directory), /is not empty/);
  });
});
