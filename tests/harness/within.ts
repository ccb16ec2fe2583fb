import { setTimeout as delay } from 'node:timers/promises';

/** On an idle machine a check takes a few milliseconds. */
const maxLookMs = 25;

/**
 * Waits until the condition holds, and fails after `limitMs`. On a busy machine a single check may take half a
 * second: each counts as 25 ms at most, so that only the system under test can miss the limit.
 */
export async function within(limitMs: number, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let countedMs = 0; countedMs < limitMs; ) {
    const startedAt = performance.now();
    if (await holds()) return;
    await delay(5);
    countedMs += Math.min(performance.now() - startedAt, maxLookMs);
  }
  if (!(await holds())) throw new Error(`It did not happen within ${limitMs} ms.`);
}
