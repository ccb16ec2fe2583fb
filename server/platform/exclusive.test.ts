import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exclusively } from './exclusive.ts';

test('work under one key runs one at a time and in order, even after a failure', async () => {
  const steps: string[] = [];
  const work = (name: string, fails = false) =>
    exclusively('key', async () => {
      steps.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      steps.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    });
  const results = await Promise.allSettled([work('a'), work('b', true), work('c')]);
  assert.deepEqual(
    results.map((result) => result.status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(
    steps,
    ['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]),
  );
});

test('work under different keys does not wait', async () => {
  let release = () => {};
  const waits = exclusively('one', () => new Promise<void>((resolve) => (release = resolve)));
  assert.equal(await exclusively('two', async () => 'done'), 'done');
  release();
  await waits;
});
