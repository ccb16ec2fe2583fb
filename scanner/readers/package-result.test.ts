import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixedVersionIn } from './package-result.ts';

test('fixed versions are read from advice', () => {
  const named: [string, string | null][] = [
    ['Upgrade libcurl to 7.80.0-r2', '7.80.0-r2'],
    ['Upgrade to version 2.2.3 or above.', '2.2.3'],
    ['Upgrade terser to 5.14.2, 4.8.1', '5.14.2, 4.8.1'],
    ['Users should upgrade to Guzzle 6.5.8 or 7.4.5.', '6.5.8, 7.4.5'],
    ['Please update openssl to version 1.1.1q-r0. Then restart.', '1.1.1q-r0'],
    ['Upgrade to v0.0.0-20201216223049-8b5274cf688f', 'v0.0.0-20201216223049-8b5274cf688f'],
    ['Upgrade libcrypto1.1 from 1.1.1a to 1.1.1q-r0', '1.1.1q-r0'],
    ['No solution provided', null],
    ['Upgrade to a patched version.', null],
    ['Upgrade the firmware; go to 10 Downing Street.', null],
  ];
  for (const [advice, version] of named) assert.equal(fixedVersionIn(advice), version, advice);
});
