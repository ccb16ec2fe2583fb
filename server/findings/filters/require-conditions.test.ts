import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kev } from './kev.ts';
import { requireConditions } from './require-conditions.ts';

test('the server refuses to start with a filter that would select all findings', () => {
  requireConditions([['kev', kev]]);
  const wrong = [
    { ...kev, condition: () => '' },
    { ...kev, condition: (is: boolean) => (is ? 'f.kev IS NOT NULL' : ' ') },
    { ...kev, read: () => ({}) },
  ];
  for (const filter of wrong) assert.throws(() => requireConditions([['kev', filter]]), /kev has no condition/);
  assert.throws(() => requireConditions([['kev', { ...kev, samples: [] as never }]]), /no samples/);
});
