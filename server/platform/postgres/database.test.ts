import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { eventually } from '../../../tests/harness/installation.ts';
import { ApiError } from '../errors.ts';

const testDatabase = await createTestDatabase();
after(() => testDatabase.drop());

test('a transaction that the database ended as idle is 503, and the next one works', async () => {
  const stalled = testDatabase.database.transaction(null, async (tx) => {
    const { rows } = await tx.query<{ pid: number }>({
      text: `SELECT pg_backend_pid() AS pid, set_config('idle_in_transaction_session_timeout', '20ms', true)`,
    });
    // The server ends the connection while the process does something else.
    await eventually(async () => {
      const text = 'SELECT 1 FROM pg_stat_activity WHERE pid = $1';
      return (await testDatabase.database.single(null, { text, values: [rows[0]!.pid] })).length === 0;
    });
    await tx.query({ text: 'SELECT 1' });
  });
  await assert.rejects(stalled, (error) => error instanceof ApiError && error.code === 'unavailable');
  assert.deepEqual(await testDatabase.database.single(null, { text: 'SELECT 1 AS one' }), [{ one: 1 }]);
});
