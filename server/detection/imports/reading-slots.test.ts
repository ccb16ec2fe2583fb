import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { ApiError } from '../../platform/errors.ts';
import { createReadingSlots } from './reading-slots.ts';

/** An upload that stays open until the test ends it. */
function upload(slots: ReturnType<typeof createReadingSlots>, orgId: string, begun: string[]) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const body = new PassThrough();
  const done = slots.use(orgId, body, () => {
    begun.push(orgId);
    return promise;
  });
  const end = () => {
    resolve();
    return done;
  };
  return { body, done, end };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('an organization that keeps uploads open never makes another wait while the node has room', async () => {
  const slots = createReadingSlots({ perNode: 6, perOrganization: 2 });
  const begun: string[] = [];
  const greedy = Array.from({ length: 20 }, () => upload(slots, 'greedy', begun));
  const honest = upload(slots, 'honest', begun);
  await settled();
  assert.deepEqual(begun, ['greedy', 'greedy', 'honest']);
  await honest.end();
  for (const one of greedy) await one.end();
  assert.equal(begun.length, 21);
});

test('on a full node the organization with the fewest uploads is next, then the one that has waited longest', async () => {
  const slots = createReadingSlots({ perNode: 3, perOrganization: 3 });
  const begun: string[] = [];
  const first = Array.from({ length: 5 }, () => upload(slots, 'a', begun));
  const others = ['b', 'c', 'b'].map((orgId) => upload(slots, orgId, begun));
  await settled();
  assert.deepEqual(begun, ['a', 'a', 'a']);
  await first[0]!.end();
  await first[1]!.end();
  await settled();
  assert.deepEqual(begun.slice(3), ['b', 'c']);
  for (const one of [...others, ...first]) await one.end();
  assert.equal(begun.length, 8);
});

test('an upload that ends while it waits leaves the queue, with its own error', async () => {
  const slots = createReadingSlots({ perNode: 1, perOrganization: 1 });
  const begun: string[] = [];
  const first = upload(slots, 'a', begun);
  const slow = upload(slots, 'a', begun);
  const last = upload(slots, 'a', begun);
  slow.body.on('error', () => {}).destroy(new ApiError('request_timeout', 'Too slow.'));
  await assert.rejects(slow.done, /Too slow/);
  await first.end();
  await last.end();
  assert.deepEqual(begun, ['a', 'a']);
  const closed = new PassThrough();
  closed.destroy();
  await assert.rejects(
    slots.use('a', closed, async () => {}),
    /closed/,
  );
});

test('a failed upload makes room for the next', async () => {
  const slots = createReadingSlots({ perNode: 1, perOrganization: 1 });
  await assert.rejects(
    slots.use('a', new PassThrough(), () => Promise.reject(new Error('bad file'))),
    /bad file/,
  );
  assert.equal(await slots.use('b', new PassThrough(), async () => 'read'), 'read');
});
