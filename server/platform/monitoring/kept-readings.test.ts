import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepReadings } from './kept-readings.ts';

function countingReader() {
  let nowMs = 0;
  let calls = 0;
  let takesMs = 100;
  let fails = false;
  const read = keepReadings(
    async () => {
      calls += 1;
      nowMs += takesMs;
      if (fails) throw new Error('away');
      return calls;
    },
    () => nowMs,
  );
  return {
    read,
    calls: () => calls,
    pass: (ms: number) => {
      nowMs += ms;
    },
    set: (given: { takesMs?: number; fails?: boolean }) => {
      takesMs = given.takesMs ?? takesMs;
      fails = given.fails ?? fails;
    },
  };
}

test('figures are read once a minute, however often they are scraped', async () => {
  const { read, calls, pass } = countingReader();
  for (let i = 0; i < 20; i++) assert.equal(await read(), 1);
  pass(59_000);
  await read();
  assert.equal(calls(), 1);
  pass(1_100);
  assert.equal(await read(), 1, 'a scrape does not wait for figures that are read again');
  assert.equal(await read(), 2);
});

test('reading takes at most a twentieth of the time', async () => {
  const { read, calls, pass, set } = countingReader();
  set({ takesMs: 10_000 });
  await read();
  pass(190_000);
  await read();
  assert.equal(calls(), 1);
  pass(11_000);
  await read();
  assert.equal(calls(), 2);
});

test('figures that can no longer be read are kept for an hour, and then omitted', async () => {
  const { read, pass, set } = countingReader();
  await read();
  set({ fails: true });
  pass(120_000);
  assert.equal(await read(), 1);
  pass(3_600_000);
  await assert.rejects(read());
});
