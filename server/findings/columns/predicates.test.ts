import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allRows, listRows } from './bits.ts';
import { inPassOrder } from './costs.ts';
import { CodesTest, DecidedTest, NotTest, type Predicate, RangeTest, SomeTest } from './predicates.ts';
import { TextCodes } from './stored.ts';

// The last word of a set is incomplete, and most words are complete.
const size = 3_217;
const rows = Array.from({ length: size }, (_, row) => row);
const mixed = (row: number, of: number) => (row * 7_919) % of;

/** Codes of two bytes: each value has about ten rows, except for one that half of all rows have. */
const column = new TextCodes();
column.codes = new Uint8Array(size);
for (const row of rows) column.set(row, row % 2 === 0 ? 'usual' : `text ${mixed((row - 1) / 2, 300)}`);
const numbers = Float32Array.from(rows, (row) => (row % 5 === 0 ? Number.NaN : mixed(row, 1_000) / 1_000));

const codesOf = (...values: string[]) => values.map((value) => column.find(value)!);
const isEven = (code: number) => Number(column.value(code)!.split(' ')[1] ?? 0) % 2 === 0;
const predicates: Record<string, () => Predicate> = {
  'a frequent value': () => new CodesTest(column, codesOf('usual')),
  'rare values': () => new CodesTest(column, codesOf('text 7', 'text 8')),
  'texts that are tested': () => new DecidedTest(column.codes, new Uint8Array(column.count), isEven),
  'a range with unknown numbers': () => new RangeTest(numbers, { column: 'epss', from: 0.3, before: 0.6 }, null),
  'a range without an end': () => new RangeTest(numbers, { column: 'epss', from: 0.9, before: Number.NaN }, null),
  'no rare value': () => new NotTest(new CodesTest(column, codesOf('text 7')), size),
  'a value or a range': () =>
    new SomeTest([
      new CodesTest(column, codesOf('text 9')),
      new RangeTest(numbers, { column: 'epss', from: 0.5, before: 0.7 }, null),
    ]),
};
const sets = {
  all: () => true,
  'every other': (row: number) => row % 2 === 1,
  'a few in each word': (row: number) => row % 9 === 0,
  'a few in some words': (row: number) => row % 500 < 3,
  none: () => false,
};

for (const [name, make] of Object.entries(predicates))
  test(`a condition restricts each set to the rows that it accepts one by one: ${name}`, () => {
    const expected = rows.filter((row) => make().test(row));
    assert.ok(expected.length > 0 && expected.length < size);
    for (const [of, isIn] of Object.entries(sets)) {
      const bits = allRows(size).map((word, index) => {
        let kept = 0;
        for (let bit = 0; bit < 32; bit++) if (isIn(index * 32 + bit)) kept |= 1 << bit;
        return word & kept;
      });
      const predicate = make();
      for (const time of ['first', 'second']) {
        const left = bits.slice();
        predicate.restrict(left);
        assert.deepEqual([...listRows(left)], expected.filter(isIn), `${of}, ${time} time`);
      }
    }
    const predicate = make();
    if (predicate.isListed)
      assert.deepEqual(
        [...predicate.list()].sort((one, other) => one - other),
        expected,
      );
  });

test('a condition that rejects most rows for its cost restricts a set first', () => {
  const [many, few] = [new CodesTest(column, codesOf('usual')), new CodesTest(column, codesOf('text 7'))];
  assert.deepEqual(inPassOrder([many, few], size), [few, many]);
});
