import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../tests/harness/properties.ts';
import { plainText, shorten } from './plain-text.ts';

const bidiControls = /[\u202A-\u202E\u2066-\u2069]/;
const controls = /[\0-\x08\x0B-\x1F\x7F-\x9F]/;
const anyText = fc.string({ unit: 'binary', maxLength: 60 });
const brokenText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes));

test('any input becomes well-formed text without control characters other than line breaks and tabs', () => {
  checkProperty(
    fc.property(fc.oneof(anyText, brokenText), (text) => {
      const plain = plainText(text);
      assert.ok(plain.isWellFormed());
      assert.doesNotMatch(plain, controls);
      assert.doesNotMatch(plain, bidiControls);
      assert.doesNotMatch(plain, /\p{Noncharacter_Code_Point}/u);
      assert.equal(plainText(plain), plain);
    }),
  );
});

test('lone surrogates and control characters leave a visible mark; bidirectional overrides leave none', () => {
  assert.equal(plainText('a\0b\x1B[31mc\uD800d\uFFFEe'), 'a\uFFFDb\uFFFD[31mc\uFFFDd\uFFFDe');
  assert.equal(plainText('pay\u202Egpj.exe\u202C \u2066x\u2069'), 'paygpj.exe x');
});

test('every kind of line break becomes one kind, and one-line texts have none', () => {
  assert.equal(plainText('a\r\nb\rc\u2028d\u2029e\u0085f\ng'), 'a\nb\nc\nd\ne\nf\ng');
  assert.equal(plainText('  a \r\n\t b ', { line: true }), 'a b');
});

test('letters of every script, direction marks and joined emoji stay unchanged', () => {
  for (const text of ['👩‍💻 👍🏽 🇩🇪 ❤️', 'עברית\u200F', 'می\u200Cخواهم', 'क्षि', 'e\u0301', '漢字かな', 'ไทย', '\t\n'])
    assert.equal(plainText(text), text);
});

test('endlessly stacked marks are reduced', () => {
  assert.equal(plainText('z' + '\u0301'.repeat(5_000)), 'z' + '\u0301'.repeat(8));
});

test('a text is shortened between visible characters, with an ellipsis, to at most the limit', () => {
  assert.equal(plainText('A'.repeat(5_000), { max: 120 }), 'A'.repeat(119) + '…');
  assert.equal(shorten('👩‍💻👩‍💻👩‍💻', 2), '👩‍💻…');
  assert.equal(shorten('👩‍💻👩‍💻', 2), '👩‍💻👩‍💻');
  assert.equal(shorten('one two three', 8), 'one two…');
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
  checkProperty(
    fc.property(anyText, fc.integer({ min: 1, max: 40 }), (text, max) => {
      const plain = plainText(text);
      const short = shorten(plain, max);
      assert.ok([...graphemes.segment(short)].length <= max);
      assert.ok(short === plain || short.endsWith('…'));
      assert.ok(short.isWellFormed());
    }),
  );
});
