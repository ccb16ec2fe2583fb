import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takeUpTargets } from '../server/detection/imports/take-up-targets.ts';
import { requestExport } from '../server/reports/exports/exports.ts';
import { takeUpReports } from '../server/reports/take-up-reports.ts';
import { admin, requestWork, rowsOf, testDatabase, testInterruptions } from './interruptions.fixture.ts';

// Work survives the first interruptions for the same reason as the sixteenth: interruptions.long.test.ts tests all.
testInterruptions(3);

test('work that has lost its job is resumed once, however many nodes check', async () => {
  const { database } = testDatabase;
  const work = await requestWork();
  await admin.query('DELETE FROM graphile_worker._private_jobs');
  await admin.query(`UPDATE scan_targets SET status = 'running' WHERE scan_id = '${work.importId}'`);
  const look = () => Promise.all([takeUpTargets({ database }), takeUpReports({ database })]);
  await Promise.all([look(), look(), look()]);
  const jobs = await rowsOf<{ task: string }>(
    `SELECT identifier AS task FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
     ORDER BY identifier`,
  );
  assert.deepEqual(
    jobs.map(({ task }) => task),
    ['merge-import', 'render-report-export', 'scan-target', 'take-report-snapshot'],
  );
});

test('a request for an export that pauses after failures restarts it', async () => {
  const { database } = testDatabase;
  const [row] = await rowsOf<{ org: string; report: string }>(
    `SELECT org_id AS org, report_id AS report FROM report_exports WHERE status = 'pending'`,
  );
  const { org, report } = row!;
  await admin.query(`UPDATE graphile_worker._private_jobs SET run_at = clock_timestamp() + interval '9 minutes'`);
  await database.transaction(org, (tx) => requestExport(tx, org, report, 'csv'));
  const due = await rowsOf<{ task: string }>(
    `SELECT t.identifier AS task FROM graphile_worker._private_jobs j
     JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE j.run_at <= clock_timestamp()`,
  );
  assert.deepEqual(due, [{ task: 'render-report-export' }]);
});
