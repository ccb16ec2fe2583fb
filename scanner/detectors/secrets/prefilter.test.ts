import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../tests/harness/properties.ts';
import { createPrefilter } from './prefilter.ts';

function hits(keywords: string[], content: Uint8Array): string[] {
  const found: string[] = [];
  createPrefilter(keywords).scan(content, (keyword, end) => {
    found.push(`${keywords[keyword]}@${end}`);
    return true;
  });
  return found.sort();
}

function naively(keywords: string[], text: string): string[] {
  const lower = text.toLowerCase();
  return keywords
    .flatMap((keyword) =>
      [...lower].flatMap((_, at) => (lower.startsWith(keyword, at) ? [`${keyword}@${at + keyword.length}`] : [])),
    )
    .sort();
}

test('every keyword is reported at every position, overlapping or not, in any case', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'A', '_'), maxLength: 60 });
  const keywords = fc.uniqueArray(
    fc.string({ unit: fc.constantFrom('a', 'b', 'c', '_'), minLength: 1, maxLength: 5 }),
    {
      minLength: 1,
      maxLength: 8,
    },
  );
  checkProperty(
    fc.property(keywords, letters, (words, text) => {
      assert.deepEqual(hits(words, Buffer.from(text)), naively(words, text));
    }),
  );
});

test('a visitor can end the pass', () => {
  let seen = 0;
  createPrefilter(['aaa']).scan(Buffer.from('a'.repeat(100)), () => {
    seen += 1;
    return seen < 3;
  });
  assert.equal(seen, 3);
});
