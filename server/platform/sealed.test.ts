import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../tests/harness/properties.ts';
import { createKeyring, UnsealError } from './sealed.ts';

const newKey = () => randomBytes(32).toString('hex');
const keyring = createKeyring(newKey());
const place = ['org_1', 'ds_1', 'credential'];

test('a sealed text opens in its place, whatever the text', () => {
  checkProperty(
    fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.string()), (text, anyPlace) => {
      const sealed = keyring.seal(text, anyPlace);
      assert.match(sealed, /^s1\.[0-9a-f]{12}\.[\w-]+$/);
      assert.equal(keyring.open(sealed, anyPlace), text.toWellFormed());
    }),
  );
});

test('a sealed value opens nowhere else', () => {
  const sealed = keyring.seal('secret', place);
  const elsewhere = [
    ['org_2', 'ds_1', 'credential'],
    ['org_1', 'ds_2', 'credential'],
    ['org_1', 'ds_1'],
    ['org_1ds_1', 'credential'],
    [],
  ];
  for (const other of elsewhere) assert.throws(() => keyring.open(sealed, other), UnsealError);
});

test('a sealed value with any bit changed does not open', () => {
  const [form, id, body] = keyring.seal('secret', place).split('.') as [string, string, string];
  const bytes = Buffer.from(body, 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    assert.throws(() => keyring.open(`${form}.${id}.${changed.toString('base64url')}`, place), UnsealError);
  }
});

test('text that was never sealed is refused with a clear error', () => {
  for (const text of [
    '',
    's1',
    's1..',
    's2.000000000000.AAAA',
    'plain text',
    `s1.${'0'.repeat(12)}.${'A'.repeat(60)}`,
  ]) {
    assert.throws(() => keyring.open(text, place), UnsealError, text);
  }
});

test('sealing the same text twice gives different values', () => {
  assert.notEqual(keyring.seal('secret', place), keyring.seal('secret', place));
});

test('after a rotation old values open, new ones use the new key, and hashes stay the same', () => {
  const [oldKey, newerKey] = [newKey(), newKey()];
  const before = createKeyring(oldKey);
  const after = createKeyring(newerKey, [oldKey]);
  assert.equal(after.open(before.seal('secret', place), place), 'secret');
  assert.throws(() => before.open(after.seal('secret', place), place), UnsealError);
  assert.equal(after.keyedHash('org_1', 'value'), before.keyedHash('org_1', 'value'));
});

test('a keyed hash is stable within an organization and different in another', () => {
  const hash = keyring.keyedHash('org_1', 'value');
  assert.match(hash, /^[\w-]{43}$/);
  assert.equal(hash, keyring.keyedHash('org_1', Buffer.from('value')));
  assert.notEqual(hash, keyring.keyedHash('org_2', 'value'));
  assert.notEqual(hash, createKeyring(newKey()).keyedHash('org_1', 'value'));
});

test('a short secret key is refused', () => {
  assert.throws(() => createKeyring('short'), RangeError);
  assert.throws(() => createKeyring(newKey(), ['short']), RangeError);
});
