import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../tests/harness/properties.ts';
import { capacityOf, createMemoryRateLimiter } from './rate-limit.ts';

const usual = { requestsPerMinute: 100, burstPerMinute: 200 };
const rates = fc
  .record({ requestsPerMinute: fc.integer({ min: 1, max: 5000 }), extra: fc.integer({ min: 1, max: 5000 }) })
  .map(({ requestsPerMinute, extra }) => ({ requestsPerMinute, burstPerMinute: requestsPerMinute + extra }));

function clocked() {
  let now = 0;
  const limiter = createMemoryRateLimiter(() => now);
  return { limiter, wait: (ms: number) => (now += ms), at: () => now };
}

test('by default 100 requests are served at once; the next one is not, and costs nothing', async () => {
  const { limiter, wait } = clocked();
  for (let count = 0; count < 100; count += 1) {
    const { allowed, remaining } = await limiter.take('a', usual);
    assert.ok(allowed);
    assert.equal(remaining, 99 - count);
  }
  for (let count = 0; count < 50; count += 1) assert.equal((await limiter.take('a', usual)).allowed, false);
  assert.equal((await limiter.take('a', usual)).retryAfterSeconds, 1);
  assert.ok((await limiter.take('b', usual)).allowed, 'another key');
  wait(600);
  assert.ok((await limiter.take('a', usual)).allowed);
  assert.equal((await limiter.take('a', usual)).allowed, false);
});

test('no window of 60 seconds admits more than the burst, and in the long run the rate is admitted', async () => {
  await checkProperty(
    fc.asyncProperty(
      rates,
      fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 100, maxLength: 800 }),
      async (rate, waits) => {
        const { limiter, wait, at } = clocked();
        const admitted: number[] = [];
        for (const ms of waits) {
          wait(ms / 5);
          if ((await limiter.take('a', rate)).allowed) admitted.push(at());
        }
        admitted.forEach((time, index) => {
          const inWindow = admitted.slice(index).filter((other) => other < time + 60_000).length;
          assert.ok(inWindow <= rate.burstPerMinute);
        });
        const longRun = capacityOf(rate) + (at() * rate.requestsPerMinute) / 60_000;
        assert.ok(admitted.length <= longRun + 1e-3);
      },
    ),
    { numRuns: 40 },
  );
});

test('a caller that waits as long as Retry-After says is served, even when its timer fires a little early', async () => {
  await checkProperty(
    fc.asyncProperty(rates, fc.integer({ min: 0, max: 100_000 }), async (rate, start) => {
      const { limiter, wait } = clocked();
      wait(start / 7);
      let refused = await limiter.take('a', rate);
      for (let count = 0; refused.allowed && count < 11_000; count += 1) refused = await limiter.take('a', rate);
      assert.equal(refused.allowed, false);
      wait(refused.retryAfterSeconds * 1000 - 1);
      assert.ok((await limiter.take('a', rate)).allowed);
    }),
    { numRuns: 60 },
  );
});

test('a changed limit takes effect with the next request', async () => {
  const { limiter } = clocked();
  for (let count = 0; count < 101; count += 1) await limiter.take('a', usual);
  assert.equal((await limiter.take('a', usual)).allowed, false);
  assert.ok((await limiter.take('a', { requestsPerMinute: 1000, burstPerMinute: 2000 })).allowed);
  assert.equal((await limiter.take('a', usual)).allowed, false);
});

test('looking at a bucket takes nothing', () => {
  const { limiter } = clocked();
  for (let count = 0; count < 200; count += 1) assert.ok(limiter.peek('a', usual).allowed);
});

test('a clock that steps back refills nothing and takes nothing away', async () => {
  const { limiter, wait } = clocked();
  wait(1_000_000);
  for (let count = 0; count < 100; count += 1) await limiter.take('a', usual);
  wait(-900_000);
  assert.equal((await limiter.take('a', usual)).allowed, false);
});

test('spending raises a bucket beyond its capacity, but by no more than 59 seconds, and it is refilled', async () => {
  const { limiter, wait } = clocked();
  await limiter.spend('a', usual, 150);
  assert.equal(limiter.level('a', usual), 150);
  await limiter.spend('a', usual, 10_000);
  assert.ok(Math.abs(limiter.level('a', usual) - (100 + (100 * 59) / 60)) < 1e-6);
  wait(59_000);
  assert.ok(Math.abs(limiter.level('a', usual) - 100) < 1e-6);
  await limiter.spend('a', usual, -150);
  assert.equal(limiter.level('a', usual), 0, 'it is never below empty');
});
