import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../tests/harness/properties.ts';
import { formatTime, readTime } from './times.ts';

test('every time of the calendar is read as written', () => {
  const range = { min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true };
  checkProperty(
    fc.property(fc.date(range), (time) => {
      const second = new Date(Math.floor(time.getTime() / 1000) * 1000);
      assert.deepEqual(readTime(formatTime(time)), second);
    }),
  );
});

const same = [
  '2026-01-31T09:30:00Z',
  '2026-01-31t09:30:00z',
  '2026-01-31T09:30:00.999Z',
  '2026-01-31T09:30:00.123456789Z',
  '2026-01-31T09:30:00+00:00',
  '2026-01-31T09:30:00-00:00',
  '2026-01-31T11:00:00.5+01:30',
  '2026-01-30T22:30:00-11:00',
  '2026-01-31T10:30:00 01:00',
];
for (const text of same) {
  test(`${text} is 09:30 in UTC`, () => {
    assert.equal(formatTime(readTime(text)!), '2026-01-31T09:30:00Z');
  });
}

const wrong = [
  '2026-02-29T00:00:00Z',
  '2026-04-31T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T23:59:60Z',
  '2026-01-01T00:00:00',
  '2026-01-01T00:00:00+0100',
  '2026-01-01T00:00:00+24:00',
  '2026-01-01T00:00:00+01:60',
  '2026-01-01T00:00:00.Z',
  '2026-01-01 00:00:00Z',
  '2026-01-01',
  '0000-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-01:00',
  ' 2026-01-01T00:00:00Z',
  '2026-01-01T00:00:00Z\n',
  '+02026-01-01T00:00:00Z',
  '1767225600',
  '',
];
for (const text of wrong) {
  test(`${JSON.stringify(text)} is not a time`, () => {
    assert.equal(readTime(text), null);
  });
}

test('a leap day is a time', () => {
  assert.equal(formatTime(readTime('2028-02-29T12:34:56Z')!), '2028-02-29T12:34:56Z');
});
