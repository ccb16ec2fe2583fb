import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { EqualCounter } from './equal-counter.ts';

test('a text is counted exactly, however often and among however many others it occurs', () => {
  const counter = new EqualCounter();
  const texts = Array.from({ length: 70_000 }, (_, index) => `text ${index}`);
  for (const [index, text] of texts.entries()) {
    assert.equal(counter.next(text), 0);
    assert.equal(counter.next('often'), index);
  }
  assert.ok(texts.every((text) => counter.has(text) && counter.next(text) === 1));
  assert.equal(counter.has('never'), false);
});

test('a million texts are counted in 16 MB', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as (options?: object) => Promise<void>;
  await collectGarbage({ execution: 'async' });
  const before = process.memoryUsage().arrayBuffers;
  const counter = new EqualCounter();
  for (let index = 0; index < 1_000_000; index += 1) counter.next(`v1:${index}`);
  // Buffers are freed some time after the collection that finds them unused.
  let bytes = Number.POSITIVE_INFINITY;
  for (let rounds = 0; rounds < 100 && bytes >= 16_000_000; rounds += 1) {
    await collectGarbage({ execution: 'async' });
    bytes = process.memoryUsage().arrayBuffers - before;
  }
  assert.ok(counter.has('v1:999999'));
  assert.ok(bytes > 10_000_000 && bytes < 16_000_000, `${bytes} bytes`);
});
