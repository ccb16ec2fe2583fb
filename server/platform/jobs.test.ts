import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { createTestDatabase } from '../../tests/harness/database.ts';
import { enqueue, startJobRunner } from './jobs.ts';
import { silentLog } from './log.ts';

test('the worker that holds a running job is heard of, so that nobody takes the job from it', async () => {
  const testDatabase = await createTestDatabase();
  const { database } = testDatabase;
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const { promise: ending, resolve: end } = Promise.withResolvers<void>();
  const job = {
    name: 'long-job',
    schema: Type.Object({}),
    run: async () => {
      start();
      await ending;
    },
  };
  const runner = await startJobRunner({
    ...{ connectionString: testDatabase.appUrl, jobs: [job], services: {}, concurrency: 2, log: silentLog, ticks: [] },
  });
  try {
    await database.transaction(null, (tx) => enqueue(tx, job, {}));
    await started;
    const { rows } = await database.pool.query(
      `SELECT h.worker_id IS NOT NULL AS heard FROM graphile_worker._private_jobs
       LEFT JOIN worker_heartbeats h ON h.worker_id = locked_by WHERE locked_by IS NOT NULL`,
    );
    assert.deepEqual(rows, [{ heard: true }]);
  } finally {
    end();
    await runner.stop();
    await testDatabase.drop();
  }
});
