import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../tests/harness/properties.ts';
import { inPieces } from './pieces.ts';

async function* inBatches(batches: string[][]) {
  yield* batches;
}

test('pieces are complete, however long the texts are and wherever a multi-byte letter falls', async () => {
  const text = fc
    .tuple(fc.constantFrom('', 'a', 'é', '漢', '🔥', '\uD800'), fc.integer({ min: 0, max: 150_000 }))
    .map(([letter, times]) => letter.repeat(times));
  await checkProperty(
    fc.asyncProperty(fc.array(fc.array(text, { maxLength: 6 }), { maxLength: 4 }), async (batches) => {
      const pieces: Uint8Array[] = [];
      for await (const piece of inPieces(inBatches(batches))) pieces.push(piece);
      assert.ok(Buffer.concat(pieces).equals(Buffer.from(batches.flat().join(''))));
      assert.ok(pieces.slice(0, -1).every((piece) => piece.length === 128 * 1024));
      assert.ok(pieces.every((piece) => piece.length > 0 && piece.length <= 128 * 1024));
    }),
    { numRuns: 60 },
  );
});
