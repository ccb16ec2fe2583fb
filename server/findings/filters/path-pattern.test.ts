import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compilePath } from '@assay/scanner/contract/path-glob.ts';
import fc from 'fast-check';
import { checkProperty } from '../../../tests/harness/properties.ts';
import { pathExpression } from './path-pattern.ts';

test('a path filter selects exactly the matches of its regular expression', async () => {
  const parts = ['a', 'b', '/', '.', '😀', '\n', '(', 'a/', '/b'];
  const text = fc.array(fc.constantFrom(...parts), { maxLength: 9 }).map((some) => some.join(''));
  const pattern = fc
    .array(fc.constantFrom(...parts, '*', '?', '**', '**/'), { minLength: 1, maxLength: 7 })
    .map((some) => some.join(''));
  const run = fc.property(pattern, text, (value, path) => {
    // In PostgreSQL a dot matches any character, and characters are code points.
    assert.equal(compilePath(value)(path), new RegExp(pathExpression(value), 'su').test(path));
  });
  await checkProperty(run, { numRuns: 20_000 });
});

test('matching a pattern with many alternatives takes time proportional to the length of the pattern times that of the path', () => {
  const matches = compilePath(`${'**/a*'.repeat(30)}b`);
  assert.equal(matches(`${'a/'.repeat(1_000)}a`), false);
  assert.equal(matches(`${'a/'.repeat(1_000)}ab`), true);
});
