import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../tests/harness/properties.ts';
import { BlobKeySet, blobKey } from './scan-history.ts';

const id = fc.stringMatching(/^[0-9a-f]{40}$/);

test('BlobKeySet behaves like a Set', () => {
  checkProperty(
    fc.property(fc.array(fc.tuple(id, fc.constantFrom('a', 'b', 'c/d'))), fc.array(id), (pairs, others) => {
      const keys = new BlobKeySet();
      const model = new Set<string>();
      for (const [blob, path] of [...pairs, ...pairs]) {
        assert.equal(keys.add(blobKey(blob, path)), !model.has(blob + path));
        model.add(blob + path);
      }
      assert.equal(keys.size, model.size);
      for (const other of others) assert.equal(keys.has(blobKey(other, 'a')), model.has(`${other}a`));
    }),
  );
});

test('a hundred thousand keys stay distinct in a few megabytes', () => {
  const keys = new BlobKeySet();
  const before = process.memoryUsage().arrayBuffers;
  for (let index = 0; index < 100_000; index++) keys.add(blobKey('0'.repeat(40), `file-${index}`));
  assert.equal(keys.size, 100_000);
  assert.ok(keys.has(blobKey('0'.repeat(40), 'file-99999')));
  assert.ok(!keys.has(blobKey('1'.repeat(40), 'file-99999')));
  assert.ok(process.memoryUsage().arrayBuffers - before < 12e6);
});
