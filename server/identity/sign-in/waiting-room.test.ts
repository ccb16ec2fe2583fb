import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WaitingRoom } from '../guess-limits/guess-limits.ts';

test('waiting attempts neither pile up nor are refused: those that have waited longest continue', async () => {
  const room = new WaitingRoom({ waitMs: 50, maxWaiting: 10 });
  const order: number[] = [];
  const waits = Array.from({ length: 1_000 }, (_, index) =>
    room.wait().then(() => {
      order.push(index);
    }),
  );
  assert.equal(room.size, 10);
  await Promise.all(waits.slice(0, 990));
  assert.equal(room.size, 10);
  await Promise.all(waits);
  assert.deepEqual([room.size, order], [0, [...Array(1_000).keys()]]);
});
