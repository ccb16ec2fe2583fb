import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { coerceQuery, readQueryString } from './query-string.ts';

const properties = { share: Type.Number(), count: Type.Integer(), shares: Type.Array(Type.Number()) };
const read = (query: string) => coerceQuery(properties, readQueryString(`/?${query}`)).query;

test('a number is read as programs write it, with an exponent and all its digits', () => {
  const written = [
    '0',
    '-1',
    '0.2',
    '5e-05',
    '5e-7',
    '1E3',
    '1e%2B21',
    '0.30000000000000004',
    '0.00012345678901234567',
  ];
  for (const text of written) {
    assert.deepEqual({ ...read(`share=${text}`) }, { share: Number(decodeURIComponent(text)) });
  }
  assert.deepEqual({ ...read('shares=5e-05,0.5') }, { shares: [0.00005, 0.5] });
});

test('text that is not a decimal number stays text, which validation refuses', () => {
  for (const text of ['', 'Infinity', '-Infinity', 'NaN', '0x10', '1e999', 'e5', '1e', '1e5.5', '1_000', '.', '1,5']) {
    assert.deepEqual({ ...read(`share=${text}`) }, { share: text });
  }
});

test('an integer has no exponent', () => {
  assert.deepEqual({ ...read('count=12') }, { count: 12 });
  for (const text of ['1e3', '5e-05', '0x10', '']) assert.deepEqual({ ...read(`count=${text}`) }, { count: text });
});
