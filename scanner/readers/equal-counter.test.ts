import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EqualCounter } from './equal-counter.ts';

test('a text is counted exactly, for any number of occurrences and other texts', () => {
  const counter = new EqualCounter();
  const texts = Array.from({ length: 70_000 }, (_, index) => `text ${index}`);
  for (const [index, text] of texts.entries()) {
    assert.equal(counter.next(text), 0);
    assert.equal(counter.next('often'), index);
  }
  assert.ok(texts.every((text) => counter.has(text) && counter.next(text) === 1));
  assert.equal(counter.has('never'), false);
});

test('a million texts are counted in 16 MB, even while the table grows', () => {
  const before = process.memoryUsage().arrayBuffers;
  const counter = new EqualCounter();
  let most = 0;
  for (let index = 0; index < 1_000_000; index += 1) {
    counter.next(`v1:${index}`);
    if (index % 1_000 === 0) most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  assert.ok(counter.has('v1:999999'));
  assert.ok(most > 10_000_000 && most < 16_000_000, `${most} bytes`);
});
