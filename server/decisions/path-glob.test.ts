import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compilePath } from '@assay/scanner/contract/path-glob.ts';
import fc from 'fast-check';
import { checkProperty } from '../../tests/harness/properties.ts';
import { pathExpression } from '../findings/filters/path-pattern.ts';

test('a path is in a scope exactly if the filter of lists finds it', async () => {
  const piece = fc.constantFrom('a', 'b', '/', '.', '*', '**', '**/', '?', 'ä');
  const pattern = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(''));
  const path = fc.array(fc.constantFrom('a', 'b', '/', '.', 'ä'), { maxLength: 10 }).map((letters) => letters.join(''));
  await checkProperty(
    fc.property(pattern, path, (value, at) => {
      assert.equal(compilePath(value)(at), new RegExp(pathExpression(value), 'u').test(at), `${value} ${at}`);
    }),
    { numRuns: 5_000 },
  );
});

test('matching a pattern with many wildcards takes time proportional to its length and that of the path', () => {
  const started = process.cpuUsage().user;
  assert.equal(compilePath('**a'.repeat(150))(`${'a'.repeat(2_000)}b`), false);
  assert.ok(process.cpuUsage().user - started < 2_000_000);
});
