import assert from 'node:assert/strict';
import test from 'node:test';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { checkProperty } from '../../tests/harness/properties.ts';
import { createToken, hashToken, isToken, randomBase62 } from './token.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const character = fc.constantFrom(...alphabet);

test('a token is asy_, 34 random characters and 6 of checksum', () => {
  const token = createToken();
  assert.match(token, /^asy_[0-9A-Za-z]{40}$/);
  assert.ok(isToken(token));
  const digits = [...token.slice(38)].map((digit) => alphabet.indexOf(digit));
  assert.equal(
    digits.reduce((value, digit) => value * 62 + digit, 0),
    crc32(token.slice(4, 38)),
  );
});

test('the checksum of a small CRC is padded with zeros', () => {
  let random = randomBase62(34);
  while (crc32(random) >= 62 ** 5) random = randomBase62(34);
  assert.ok(!isToken(`asy_${random}1${'0'.repeat(5)}`));
  const digits = (value: number): string =>
    value < 62 ? alphabet[value]! : digits(Math.floor(value / 62)) + alphabet[value % 62];
  assert.ok(isToken(`asy_${random}${digits(crc32(random)).padStart(6, '0')}`));
});

test('the checksum catches every change of one character', () => {
  checkProperty(
    fc.property(fc.nat({ max: 39 }), character, (index, replacement) => {
      const token = createToken();
      const at = 4 + index;
      if (token[at] === replacement) return;
      assert.ok(!isToken(token.slice(0, at) + replacement + token.slice(at + 1)));
    }),
    { numRuns: 2_000 },
  );
});

test('other text is not a token', () => {
  checkProperty(fc.property(fc.string(), (text) => !isToken(text)));
  const token = createToken();
  for (const near of [
    token.slice(1),
    `${token}0`,
    token.toUpperCase(),
    ` ${token}`,
    `${token}\n`,
    token.replace('_', '-'),
  ]) {
    assert.ok(!isToken(near), near);
  }
});

test('every character is equally likely', () => {
  const counts = new Map<string, number>();
  for (const one of randomBase62(620_000)) counts.set(one, (counts.get(one) ?? 0) + 1);
  assert.equal(counts.size, 62);
  // Chi-squared with 61 degrees of freedom: above 130 once in a million runs. A plain modulo of bytes would give over 5,000.
  const chiSquared = [...counts.values()].reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0);
  assert.ok(chiSquared < 130, `chi-squared ${chiSquared}`);
});

test('a token is stored as 32 bytes that do not contain it', () => {
  const token = createToken();
  assert.equal(hashToken(token).length, 32);
  assert.deepEqual(hashToken(token), hashToken(token));
  assert.notDeepEqual(hashToken(token), hashToken(createToken()));
});
