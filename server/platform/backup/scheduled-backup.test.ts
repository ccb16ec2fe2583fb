import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database.ts';
import { eventually } from '../../../tests/harness/installation.ts';
import { createTenant } from '../../../tests/harness/people.ts';
import { mountSmallDisk } from '../../../tests/harness/small-disk.ts';
import { silentLog } from '../log.ts';
import { createMetrics } from '../metrics.ts';
import { folderName, listBackups } from './backup-folders.ts';
import { addBackupMetrics, findBackupState, updateDrill } from './backup-records.ts';
import { lastDue } from './backup-settings.ts';
import { drillBackup, findNewestBackup } from './drill.ts';
import { checkBackup } from './restore.ts';
import { type BackupServices, backupJobs, backupTicks } from './scheduled-backup.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-scheduled-'));
const secretKey = 'k'.repeat(40);
let db: TestDatabase;
before(async () => {
  db = await createTestDatabase();
  await createTenant(db.database);
});
after(async () => {
  await db.drop();
  rmSync(root, { recursive: true, force: true });
});

let folders = 0;
function servicesFor(keep = 2, directory = join(root, `backups-${folders++}`)): BackupServices & { directory: string } {
  return {
    directory,
    database: db.database,
    log: silentLog,
    stopping: new AbortController().signal,
    backups: { directory, at: { hour: 2, minute: 30 }, keep },
    findInstallation: async () => ({
      adminUrl: db.adminUrl,
      dataDirectory: join(root, 'no data'),
      secretKey,
      version: 'test',
    }),
  };
}

const [job] = backupJobs;
const backUpAt = (services: BackupServices, dueAt: string) => job!.run({ due_at: dueAt }, services);
const state = () => db.database.transaction(null, findBackupState);
const day = (number: number) => `2026-11-${String(number).padStart(2, '0')}T02:30:00.000Z`;

test('a backup is due each day at its time in UTC', () => {
  const at = { hour: 2, minute: 30 };
  assert.deepEqual(lastDue(at, new Date('2026-11-24T02:29:59Z')), new Date('2026-11-23T02:30:00Z'));
  assert.deepEqual(lastDue(at, new Date('2026-11-24T02:30:00Z')), new Date('2026-11-24T02:30:00Z'));
  assert.equal(folderName(new Date('2026-11-24T02:30:00Z')), 'assay-2026-11-24T023000Z');
});

test('each due backup is complete and recorded, the newest are kept, and nothing else in the folder is touched', async () => {
  const services = servicesFor(2);
  mkdirSync(join(services.directory, 'by hand'), { recursive: true });
  for (const number of [1, 2, 3]) await backUpAt(services, day(number));
  // The backup exists already: running the job again does nothing.
  await backUpAt(services, day(3));
  assert.deepEqual(readdirSync(services.directory).sort(), [
    'assay-2026-11-02T023000Z',
    'assay-2026-11-03T023000Z',
    'by hand',
  ]);
  const { createdAt } = await checkBackup(await findNewestBackup(services.directory));
  const { ageSeconds, directory, lastError, findings } = await state();
  assert.ok(ageSeconds! < 600 && Date.parse(createdAt) > 0);
  assert.deepEqual([directory, lastError, findings], [join(services.directory, 'assay-2026-11-03T023000Z'), null, 0]);
  const metrics = createMetrics();
  addBackupMetrics(metrics, db.database);
  assert.match(await metrics.registry.metrics(), /^assay_backup_age_seconds \d/m);
});

test('a backup whose process is killed is never taken for a complete one, and the next attempt completes it', async () => {
  const services = servicesFor();
  const blocker = new pg.Client({ connectionString: db.adminUrl });
  await blocker.connect();
  const blocks = 'BEGIN; LOCK TABLE worker_heartbeats IN ACCESS EXCLUSIVE MODE';
  await blocker.query(blocks);
  const script = join(root, 'killed.mts');
  const module = (name: string) => new URL(name, import.meta.url).href;
  writeFileSync(
    script,
    `import { writeWhole } from '${module('./backup-folders.ts')}';
     import { backUp } from '${module('./backup.ts')}';
     const installation = ${JSON.stringify(await services.findInstallation())};
     await writeWhole(${JSON.stringify(services.directory)}, 'assay-2026-11-04T023000Z', async (partial) => { await backUp(installation, partial); });`,
  );
  const child = fork(script);
  await eventually(async () => readdirSync(root).length > 0 && hidden(services.directory).length === 1);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await blocker.end();
  assert.deepEqual(await listBackups(services.directory), []);
  await assert.rejects(findNewestBackup(services.directory), /There is no backup/);
  await backUpAt(services, day(4));
  assert.deepEqual(readdirSync(services.directory), ['assay-2026-11-04T023000Z']);
});

const hidden = (directory: string) => {
  try {
    return readdirSync(directory).filter((name) => name.endsWith('.partial'));
  } catch {
    return [];
  }
};

test('a backup that fails is recorded with its reason, leaves nothing behind, and does not replace the newest one', async () => {
  const services = servicesFor();
  await backUpAt(services, day(5));
  const failing = { ...services, findInstallation: () => Promise.reject(new Error('The key is gone.')) };
  await backUpAt(failing, day(6));
  const { lastError, directory } = await state();
  assert.deepEqual([lastError, directory], ['The key is gone.', join(services.directory, 'assay-2026-11-05T023000Z')]);
  assert.deepEqual(readdirSync(services.directory), ['assay-2026-11-05T023000Z']);
  await backUpAt(services, day(6));
  assert.equal((await state()).lastError, null);
});

test('a disk without room for another backup is left alone, and the reason says what to do', async (context) => {
  const disk = mountSmallDisk(4 * 1024 * 1024);
  if (!disk) return context.skip('only root on Linux can mount the small disk that it needs');
  context.after(disk.remove);
  writeFileSync(join(disk.directory, 'filler'), Buffer.alloc(4_000_000));
  const services = servicesFor(2, disk.directory);
  await backUpAt(services, day(7));
  assert.match((await state()).lastError!, /too little room .* Make room, or set ASSAY_BACKUP_KEEP/);
  assert.deepEqual(readdirSync(disk.directory), ['filler']);
});

test('several workers create a due backup once', async () => {
  const services = servicesFor();
  await Promise.all([1, 2, 3].map(() => backupTicks[0]!.run(services)));
  const queued = async () => {
    const text = `SELECT 1 FROM graphile_worker._private_jobs WHERE key = 'scheduled-backup'`;
    return (await db.database.pool.query(text)).rowCount;
  };
  assert.equal(await queued(), 1);
  // Without a backup folder, no backup is due.
  await db.database.pool.query(`DELETE FROM graphile_worker._private_jobs WHERE key = 'scheduled-backup'`);
  await backupTicks[0]!.run({ ...services, backups: null });
  assert.equal(await queued(), 0);
});

test('a drill refuses a damaged backup and another key, and its outcome is recorded', async () => {
  const services = servicesFor();
  await backUpAt(services, day(8));
  const newest = await findNewestBackup(services.directory);
  await assert.rejects(drillBackup(newest, 'another'.repeat(6), silentLog), /not the key/);
  const { createdAt } = await checkBackup(newest);
  writeFileSync(join(newest, 'tables', 'public.organizations.copy.zst'), 'nonsense');
  await assert.rejects(drillBackup(newest, secretKey, silentLog), /damaged: tables\/public.organizations/);
  await db.database.transaction(null, (tx) => updateDrill(tx, createdAt, 'It is damaged.'));
  const { drilledSeconds, drillError } = await state();
  assert.ok(drilledSeconds! < 600);
  assert.equal(drillError, 'It is damaged.');
});
