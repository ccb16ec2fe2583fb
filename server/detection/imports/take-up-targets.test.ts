import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database.ts';
import { recordScan } from '../../../tests/harness/furnished.ts';
import { detectionOf, insertTenant } from '../../findings/findings.fixture.ts';
import { findDetector } from '../registry.ts';
import { detectionJobs, detectionTicks } from '../scans/jobs.ts';
import { findScan } from '../scans/queries.ts';
import { startScan } from '../scans/start-scan.ts';
import type { DetectionServices } from '../services.ts';
import { takeUpTargets } from './take-up-targets.ts';

let testDatabase: TestDatabase;
before(async () => {
  testDatabase = await createTestDatabase();
});
after(() => testDatabase.drop());

test('a scan that is still running although all its targets have ended is ended', async () => {
  const { database } = testDatabase;
  const { orgId } = await insertTenant(database);
  const dataSourceId = 'ds_0000000000000000000000000a';
  const scanId = await database.transaction(orgId, async (tx) => {
    await tx.query({
      text: `INSERT INTO data_sources (org_id, id, kind, name, config)
             VALUES ($1, $2, 'git_repository', 'code', '{"url": "https://git.example.com/a.git", "branch": null}')`,
      values: [orgId, dataSourceId],
    });
    const request = { trigger: 'api' as const, requestedBy: null, dataSourceIds: [dataSourceId] };
    return startScan(tx, orgId, { ...request, detector: findDetector('secrets')! });
  });
  const find = () => database.transaction(orgId, (tx) => findScan(tx, orgId, scanId));
  await takeUpTargets({ database });
  assert.equal((await find())!.status, 'queued');
  await testDatabase.asAdmin(
    `UPDATE scan_targets SET status = 'completed', started_at = now(), completed_at = now() WHERE scan_id = '${scanId}'`,
  );
  await takeUpTargets({ database });
  const ended = await find();
  assert.equal(ended!.status, 'completed');
  assert.notEqual(ended!.completedAt, null);
});

test('a deletion of a data source that has lost its job is completed all the same', async () => {
  const { database } = testDatabase;
  const services = { database, cacheDirectory: tmpdir() } as DetectionServices;
  const admin = new pg.Client({ connectionString: testDatabase.adminUrl });
  await admin.connect();
  after(() => admin.end());
  const { orgId, dataSourceId } = await insertTenant(database);
  await recordScan(database, orgId, dataSourceId, [detectionOf('a'), detectionOf('b')]);
  const jobs = async () => {
    const text = `SELECT task_identifier AS name FROM graphile_worker.jobs WHERE key = $1`;
    const { rows } = await admin.query(text, [`clean-up-data-source:${orgId}:${dataSourceId}`]);
    return rows.map(({ name }) => name);
  };
  const takeUp = () => Promise.all(detectionTicks.map(({ run }) => run(services)));
  await takeUp();
  assert.deepEqual(await jobs(), [], 'as long as it is not deleted');
  // The deletion resolves some findings itself and leaves the others to a job.
  await admin.query('UPDATE data_sources SET deleted_at = now() WHERE id = $1', [dataSourceId]);
  await Promise.all([takeUp(), takeUp()]);
  assert.deepEqual(await jobs(), ['clean-up-data-source']);
  const job = detectionJobs.find(({ name }) => name === 'clean-up-data-source')!;
  await job.run({ org_id: orgId, data_source_id: dataSourceId }, services);
  const text = 'SELECT status, resolution FROM findings WHERE org_id = $1';
  const resolved = { status: 'resolved', resolution: 'data_source_removed' };
  assert.deepEqual(await database.single(orgId, { text, values: [orgId] }), [resolved, resolved]);
  await admin.query('DELETE FROM graphile_worker._private_jobs');
  await takeUp();
  assert.deepEqual(await jobs(), []);
});
