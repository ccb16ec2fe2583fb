import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cpuTimeMs } from '../../../tests/harness/cpu-time.ts';
import { checkProperty } from '../../../tests/harness/properties.ts';
import { createSecretEngine } from './engine.ts';
import type { SecretRule } from './rule.ts';

const base = { severity: 'high', risk: 'Risk.', remediation: 'Rotate it.', matches: [], misses: [] } as const;
const rule = (fields: Pick<SecretRule, 'id' | 'keywords' | 'pattern'> & Partial<SecretRule>): SecretRule => ({
  ...base,
  name: fields.id,
  matches: [],
  misses: [],
  ...fields,
});
const key = rule({ id: 'key', keywords: ['abk_'], pattern: '\\babk_[0-9a-z]{8}\\b' });
const pem = rule({
  id: 'pem',
  keywords: ['-----begin'],
  pattern: '-----BEGIN KEY-----[\\s\\S]{10,4000}?-----END KEY-----',
});
const word = rule({
  id: 'word',
  keywords: ['password'],
  pattern: 'password[ =]{1,9}(?P<secret>\\S{4,50})',
  flags: 'i',
  anchored: true,
  generic: true,
});
const engine = createSecretEngine([word, key, pem]);
const find = (text: string | Uint8Array, path = 'a.txt') =>
  engine.find(typeof text === 'string' ? Buffer.from(text) : text, path);

test('a match has the line and the columns of the secret, counted from one in UTF-16 units', () => {
  const [hit] = find('first\nähm 😀 key abk_12345678 end\n');
  assert.deepEqual(
    { ...hit, rule: hit!.rule.id },
    {
      rule: 'key',
      secret: 'abk_12345678',
      startLine: 2,
      endLine: 2,
      startColumn: 12,
      endColumn: 24,
      evidence: 'ähm 😀 key abk_…(redacted) end',
    },
  );
});

test('evidence redacts every other secret on the line', () => {
  const hits = find('abk_12345678 abk_abcdefgh password=hunter22 and hunter22 again');
  assert.equal(hits.length, 3);
  for (const { evidence } of hits) assert.doesNotMatch(evidence, /12345678|abcdefgh|hunter22/);
});

test('a specific rule wins over a generic one at the same location', () => {
  assert.deepEqual(
    find('password = abk_12345678').map((hit) => hit.rule.id),
    ['key'],
  );
});

test('a multi-line secret is found whole, and its evidence is one line', () => {
  const [hit] = find('x = """\n-----BEGIN KEY-----\nabcdefgh\nabcdefgh\n-----END KEY-----\n"""');
  assert.equal(hit!.startLine, 2);
  assert.equal(hit!.endLine, 5);
  assert.ok(!hit!.evidence.includes('\n') && !hit!.evidence.includes('abcdefgh'));
});

test('UTF-16 with and without a byte order mark is read, binary content is not', () => {
  const text = 'password = hunter22 and more text\r\n';
  const little = Buffer.from(text, 'utf16le');
  assert.equal(find(little).length, 1);
  assert.equal(find(Buffer.concat([Buffer.from([0xff, 0xfe]), little])).length, 1);
  assert.equal(find(Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(little).swap16()])).length, 1);
  assert.equal(find(`\0ELF${text}`).length, 0);
});

test('a secret anywhere in a single line of 10 MB is found quickly', () => {
  const started = cpuTimeMs();
  const filler = 'function(a,b){return a+b};password;'.repeat(30_000);
  assert.equal(find(`${filler}abk_12345678,${filler.repeat(8)}abk_87654321 ${filler}`).length, 2);
  assert.ok(cpuTimeMs() - started < 5000);
});

test('a key is found at every offset, including next to window edges', () => {
  checkProperty(
    fc.property(fc.nat(40), fc.nat(40), fc.constantFrom(' ', '\n', '.', '"'), (before, after, filler) => {
      const hits = find(`${filler.repeat(before)}abk_12345678${filler.repeat(after)}`);
      return hits.length === 1 && hits[0]!.secret === 'abk_12345678';
    }),
  );
});

test('any bytes are searched without an error', () => {
  checkProperty(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => Array.isArray(find(bytes))));
});

test('mayContainSecret is never false where find finds something', () => {
  const pieces = fc.constantFrom('abk_12345678', ' ', 'PASSWORD = ', 'hunter22', '\n', 'x');
  checkProperty(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const content = Buffer.from(parts.join(''));
      return engine.find(content, 'a').length === 0 || engine.mayContainSecret(content, 'a');
    }),
  );
});

test('a keyword with a capital matches exactly, others case-insensitively', () => {
  const exact = createSecretEngine([
    rule({ id: 'exact', keywords: ['MTa'], pattern: '[A-Za-z]{3}-[0-9]{4}' }),
    rule({ id: 'folded', keywords: ['mti'], pattern: '[A-Za-z]{3}-[0-9]{4}' }),
  ]);
  for (const [text, count] of Object.entries({ 'MTa-1234': 1, 'mta-1234': 0, 'xMTA-1234': 0, 'mTI-1234': 1 })) {
    assert.equal(exact.find(Buffer.from(text), 'a').length, count, text);
    assert.equal(exact.mayContainSecret(Buffer.from(text)), count > 0, text);
  }
});

test('a pattern that could backtrack forever runs in linear time', () => {
  const slow = createSecretEngine([rule({ id: 'slow', keywords: ['aaa'], pattern: '(?:a+)+!' })]);
  const started = cpuTimeMs();
  assert.equal(slow.find(Buffer.from('a'.repeat(20_000)), 'x').length, 0);
  assert.ok(cpuTimeMs() - started < 3000);
});
