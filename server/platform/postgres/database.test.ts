import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { ApiError } from '../errors.ts';

const testDatabase = await createTestDatabase();
after(() => testDatabase.drop());

test('a transaction that the database ended as idle is 503, and the next one works', async () => {
  const stalled = testDatabase.database.transaction(null, async (tx) => {
    await tx.query({ text: `SET LOCAL idle_in_transaction_session_timeout = '20ms'` });
    // The server ends the connection while the process does something else.
    await delay(200);
    await tx.query({ text: 'SELECT 1' });
  });
  await assert.rejects(stalled, (error) => error instanceof ApiError && error.code === 'unavailable');
  assert.deepEqual(await testDatabase.database.single(null, { text: 'SELECT 1 AS one' }), [{ one: 1 }]);
});
