import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatTime, readTime } from './times.ts';

test('every time of the calendar is read as it was written', () => {
  const range = { min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true };
  fc.assert(
    fc.property(fc.date(range), (time) => {
      const second = new Date(Math.floor(time.getTime() / 1000) * 1000);
      assert.deepEqual(readTime(formatTime(time)), second);
    }),
  );
});

const wrong = [
  '2026-02-29T00:00:00Z',
  '2026-04-31T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T23:59:60Z',
  '2026-01-01T00:00:00',
  '2026-01-01T00:00:00+00:00',
  '2026-01-01T00:00:00.000Z',
  '2026-01-01 00:00:00Z',
  '2026-01-01t00:00:00z',
  '2026-01-01',
  ' 2026-01-01T00:00:00Z',
  '2026-01-01T00:00:00Z\n',
  '+02026-01-01T00:00:00Z',
  '1767225600',
  '',
];
for (const text of wrong) {
  test(`${JSON.stringify(text)} is no time`, () => {
    assert.equal(readTime(text), null);
  });
}

test('a leap day is a time', () => {
  assert.equal(formatTime(readTime('2028-02-29T12:34:56Z')!), '2028-02-29T12:34:56Z');
});
