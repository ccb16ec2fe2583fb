import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from '@assay/client';
import { placeBesideTitle } from './words.ts';

const place = (title: string, location: { path: string | null; start_line: number | null; url?: string }) =>
  placeBesideTitle({ title, location: { package: null, url: null, commit: null, ...location } } as unknown as Finding);

test('beside a title that ends with the path stands the line alone', () => {
  const location = { path: 'src/a.ts', start_line: 3 };
  assert.equal(place('SQL built from input in src/a.ts', location), 'line 3');
  assert.equal(place('SQL built from input in src/a.ts', { ...location, start_line: null }), '');
  assert.equal(place('SQL built from input', location), 'src/a.ts:3');
  assert.equal(place('SQL built from input in lib/src/a.ts', location), 'src/a.ts:3', 'another path');
  assert.equal(place('Weak TLS', { path: null, start_line: null, url: 'https://a.example/' }), 'https://a.example/');
});
