import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { type Application, startApplication } from '../../tests/harness/application.ts';
import { asAdmin } from '../../tests/harness/database.ts';
import { addDataSource } from '../../tests/harness/finding-set.ts';
import { recordScan } from '../../tests/harness/furnished.ts';
import { createTenant, type Person } from '../../tests/harness/people.ts';
import { detectionOf } from '../findings/findings.fixture.ts';
import { insertBackup } from '../platform/backup/backup-records.ts';
import { Room } from '../platform/room/room.ts';
import type { Check, CheckInput, CheckName, CheckState } from './check.ts';
import { durationText } from './check.ts';
import { checksWithout, runChecks } from './run-checks.ts';

const gigabyte = 1024 ** 3;
const noFeeds = { advisories: null, epss: null, kev: null };
let app: Application;
let first: Person;
let second: Person;
before(async () => {
  app = await startApplication();
  first = await createTenant(app.database, 'First');
  second = await createTenant(app.database, 'Second');
});
after(() => app.close());

const admin = <T extends object>(text: string) =>
  asAdmin(app.adminUrl, (client: pg.Client) => client.query<T>(text).then(({ rows }) => rows));

const inputWith = (more: Partial<CheckInput> = {}): CheckInput => ({
  database: app.database,
  replicas: { urls: [], maxLagMs: 5_000 },
  feeds: noFeeds,
  backups: null,
  room: null,
  ...more,
});
const messageOf = (error: unknown) => (error as Error).message;
const check = async (name: CheckName, more?: Partial<CheckInput>): Promise<Check> =>
  (await runChecks(inputWith(more), messageOf)).find((found) => found.name === name)!;

/** Expects a state, and a sentence and an action that match. */
function assertFound(found: Check, state: CheckState, summary: RegExp, action: RegExp | null): void {
  assert.equal(found.state, state, JSON.stringify(found));
  assert.match(found.summary, summary);
  if (action === null) assert.equal(found.action, null);
  else assert.match(found.action!, action);
}

test('only owners of the organization that was created first can check the installation', async () => {
  const response = await app.call(first.token, 'GET', '/organization/installation');
  assert.equal(response.status, 200, response.text);
  const names = response.body.checks.map(({ name }: Check) => name);
  const expected = ['database', 'room', 'clock', 'backup', 'jobs', 'schedules', 'schema', 'roles', 'replicas', 'feeds'];
  assert.deepEqual(names, expected);
  // No worker runs beside this server.
  assert.equal(response.body.state, 'failed');
  const refused = await app.call(second.token, 'GET', '/organization/installation');
  assert.deepEqual([refused.status, refused.body.error.code], [403, 'forbidden']);
});

test('room: the state of this disk, and what fills it', async () => {
  const roomWith = (freeBytes: number) =>
    new Room('/srv/assay', async () => ({ freeBytes, totalBytes: 20 * gigabyte }));
  assertFound(await check('room', { room: roomWith(10 * gigabyte) }), 'ok', /are free for \/srv\/assay/, null);
  assertFound(
    await check('room', { room: roomWith(1.5 * gigabyte) }),
    'warning',
    /1.6 GB of 21.5 GB/,
    /caches are removed/,
  );
  assertFound(await check('room', { room: roomWith(0.5 * gigabyte) }), 'failed', /536 MB/, /fetches and imports wait/);
  assertFound(await check('room'), 'warning', /No worker has reported/, /Start a worker/);
  await admin(`INSERT INTO worker_disks VALUES ('worker-1', '/data', 500000000, 21474836480, 0, false, now())`);
  assertFound(await check('room'), 'failed', /\/data on worker-1/, /The log of the worker there/);
  await admin('DELETE FROM worker_disks');
});

test('clock: agrees, or is reported with its offset', async (context) => {
  assertFound(await check('clock'), 'ok', /agree/, null);
  const dataSourceId = await addDataSource(app, second.token, 'pipeline');
  await recordScan(app.database, second.orgId, dataSourceId, [detectionOf('a')]);
  const shift = (by: string) => admin(`UPDATE findings SET updated_at = updated_at + interval '${by}'`);
  await shift('3 days');
  const found = await check('clock');
  assertFound(found, 'warning', /ahead before: .* in org_\w+ are [23] days in the future/, /"assay repair clock"/);
  await shift('-3 days');
  const now = Date.now();
  context.mock.timers.enable({ apis: ['Date'], now: now + 3 * 86_400_000 });
  assertFound(await check('clock'), 'failed', /2 days apart|3 days apart/, /NTP/);
});

test('backup: none, new, old, failed, and a failed drill', async () => {
  const backups = { directory: '/backups', at: { hour: 2, minute: 30 }, keep: 7 };
  assertFound(await check('backup'), 'warning', /no backup yet/, /ASSAY_BACKUP_DIR/);
  const record = { dueAt: null, directory: '/backups/a', error: null, bytes: 1, organizations: 2, findings: 0 };
  const add = (takenAt: string | null, error: string | null = null) =>
    asAdmin(app.adminUrl, (client) => insertBackup(client, { ...record, takenAt, error }));
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  await add(ago(9));
  assertFound(await check('backup', { backups }), 'failed', /9 days old/, /Backups are made into \/backups/);
  await add(ago(3));
  assertFound(await check('backup', { backups }), 'warning', /3 days old/, /log of the workers/);
  await add(ago(0));
  assertFound(await check('backup', { backups }), 'ok', /\/backups\/a.*None was test-restored/, null);
  await add(null, 'The disk is full.');
  assertFound(await check('backup', { backups }), 'failed', /last backup failed: The disk is full/, /Fix the cause/);
  await add(ago(0));
  await admin(`UPDATE backups SET drilled_at = now(), drill_error = 'It is damaged.' WHERE error IS NULL`);
  assertFound(await check('backup', { backups }), 'failed', /drill .* failed: It is damaged/, /Make a backup/);
});

test('jobs: no worker, a silent one, failing jobs, and waiting jobs', async () => {
  assertFound(await check('jobs'), 'failed', /No worker has ever run/, /assay work/);
  await admin(`INSERT INTO worker_heartbeats VALUES ('w', now() - interval '5 minutes')`);
  assertFound(await check('jobs'), 'failed', /heard from for 5 minutes/, /assay work/);
  await admin(`UPDATE worker_heartbeats SET beat_at = now()`);
  assertFound(await check('jobs'), 'ok', /^0 jobs/, null);
  await admin(`SELECT graphile_worker.add_job('scan-target', '{}', run_at => now() - interval '1 hour')`);
  assertFound(await check('jobs'), 'warning', /waited for 60 minutes/, /another worker/);
  await admin(
    `UPDATE graphile_worker._private_jobs SET attempts = 4, last_error = 'x', run_at = now() + interval '1 hour'`,
  );
  assertFound(await check('jobs'), 'warning', /tried again: scan-target \(1\)/, /A job failed/);
  await admin('DELETE FROM graphile_worker._private_jobs');
});

test('schedules: overdue ones of every organization', async () => {
  assertFound(await check('schedules'), 'ok', /No schedule is overdue/, null);
  const body = { name: 'nightly', cron: '0 2 * * *', timezone: 'UTC', source: 'secrets' };
  const made = await app.call(second.token, 'POST', '/scan-schedules', { json: body });
  assert.equal(made.status, 201, made.text);
  await admin(`UPDATE scan_schedules SET next_run_at = now() - interval '3 hours'`);
  assertFound(await check('schedules'), 'failed', /^1 schedule is overdue, the oldest for 3 hours/, /Workers/);
  await admin('DELETE FROM scan_schedules');
});

test('schema: of this release, behind, ahead, and of an earlier baseline', async () => {
  assertFound(await check('schema'), 'ok', /of this release/, null);
  const [newest] = await admin<{ version: number; name: string; checksum: string }>(
    'DELETE FROM schema_migrations WHERE version = (SELECT max(version) FROM schema_migrations) RETURNING version, name, checksum',
  );
  assertFound(await check('schema'), 'failed', /^The schema lacks 1 of \d+ migrations/, /assay migrate/);
  await admin(
    `INSERT INTO schema_migrations (version, name, checksum) VALUES (${newest!.version}, '${newest!.name}', '${newest!.checksum}'), (9999, 'later', 'x')`,
  );
  assertFound(await check('schema'), 'failed', /newer release \(later\)/, /Install that release/);
  await admin('DELETE FROM schema_migrations WHERE version = 9999');
  await admin(`UPDATE schema_migrations SET checksum = 'x' || checksum WHERE version = 1`);
  assertFound(await check('schema'), 'failed', /^Migration 1 \(platform\) .* before 0\.1\.0/, /empty database/);
  await admin('UPDATE schema_migrations SET checksum = substr(checksum, 2) WHERE version = 1');
});

test('roles: a table without row-level security is reported', async () => {
  assertFound(await check('roles'), 'ok', /Row-level security separates the organizations/, null);
  await admin('ALTER TABLE findings DISABLE ROW LEVEL SECURITY');
  assertFound(await check('roles'), 'failed', /off for findings/, /ENABLE ROW LEVEL SECURITY/);
  await admin('ALTER TABLE findings ENABLE ROW LEVEL SECURITY');
});

test('replicas: none', async () => {
  assertFound(await check('replicas'), 'ok', /no replicas/, null);
});

test('feeds: none set up, set up and never loaded, loaded, and old', async () => {
  assertFound(await check('feeds'), 'warning', /No advisories are loaded/, /ASSAY_ADVISORIES/);
  const feeds = { ...noFeeds, advisories: '/srv/osv' };
  assertFound(await check('feeds', { feeds }), 'failed', /nothing of it was loaded/, /log of the workers/);
  await admin(`INSERT INTO advisory_archives VALUES ('npm', '/srv/osv', 'x', now() - interval '3 hours')`);
  assertFound(await check('feeds', { feeds }), 'ok', /advisories: 3 hours ago/, null);
  await admin(`UPDATE advisory_archives SET synced_at = now() - interval '9 days'`);
  assertFound(await check('feeds', { feeds }), 'warning', /9 days ago/, /log of the workers/);
});

test('an unavailable database is reported, and the room is still checked', async () => {
  const room = new Room('/srv/assay', async () => ({ freeBytes: 1, totalBytes: 20 * gigabyte }));
  const found = await checksWithout('connect ECONNREFUSED', 'Start it.', { room });
  assert.deepEqual(
    found.map(({ name, state }) => [name, state]),
    [
      ['database', 'failed'],
      ['room', 'failed'],
    ],
  );
  assertFound(found[0]!, 'failed', /can't be reached: connect ECONNREFUSED/, /Start it/);
});

test('durations are in a suitable unit', () => {
  assert.deepEqual([1, 90, 7_200, 200_000].map(durationText), ['1 second', '90 seconds', '2 hours', '2 days']);
});
