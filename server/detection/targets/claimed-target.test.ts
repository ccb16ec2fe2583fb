import assert from 'node:assert/strict';
import { test } from 'node:test';
import { advance } from './claimed-target.ts';

test('progress never decreases, whatever the steps of a scan report', () => {
  const progress = { fraction: null, message: null };
  const shown: Array<[number | null, string | null]> = [];
  for (const fraction of [null, 0.4, 1, null, 0, 0.5]) {
    advance(progress, fraction, `at ${fraction}`);
    shown.push([progress.fraction, progress.message]);
  }
  assert.deepEqual(shown, [
    [null, 'at null'],
    [0.4, 'at 0.4'],
    [1, 'at 1'],
    [1, 'at null'],
    [1, 'at 0'],
    [1, 'at 0.5'],
  ]);
});
