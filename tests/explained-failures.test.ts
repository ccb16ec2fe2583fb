import assert from 'node:assert/strict';
import { test } from 'node:test';

const { explainDifference, shortened, withLine } = await import(
  new URL('../scripts/explain-failure.mjs', import.meta.url).href
);

const { totalsAfter } = await import(new URL('../scripts/summary-reporter.mjs', import.meta.url).href);

const many = Array.from({ length: 650 }, (_, index) => `key.${index}`);

function failureOf(compare: () => void): Error {
  try {
    compare();
  } catch (error) {
    return error as Error;
  }
  throw new Error('The comparison did not fail.');
}

test('for two long lists a failure names the missing and the unexpected items, and no others', () => {
  const some = [...many.filter((key) => !key.endsWith('77')), 'key.new'];
  const { message } = shortened(failureOf(() => assert.deepEqual(some, many, 'de')));
  const lines = ['77', '177', '277', '377', '477', '577'].map((key) => `the value lacks 'key.${key}'`);
  assert.equal(message, ['de:', ...lines, "the value has 'key.new', which is not expected"].join('\n'));
});

test('for two long lists with the same items a failure names the first place where their order differs', () => {
  assert.match(explainDifference(many.toReversed(), many), /at 0 it has 'key\.649' instead of 'key\.0'$/);
});

test('for two large objects a failure names the members that differ, at most ten', () => {
  const objects = (other: number) =>
    many.map((key, index) => ({ key, place: { index: index % 50 === 3 ? other : index } }));
  const lines = explainDifference(objects(1), objects(2)).split('\n');
  assert.equal(lines[0], 'the value.3.place.index is 1 instead of 2');
  assert.deepEqual([lines.length, lines.at(-1)], [11, 'and 3 more']);
});

test('small values are printed unchanged', () => {
  const error = failureOf(() => assert.deepEqual([1], [2]));
  assert.equal(shortened(error), error);
});

test('a failure that read a property of undefined shows the line of code', () => {
  const texts: Record<string, string> = {};
  const error = failureOf(() => {
    texts.missing!.trim();
  });
  assert.match(withLine(error).message, /explained-failures\.test\.ts:\d+:\n {2}texts\.missing!\.trim\(\);$/);
  assert.match(withLine(error).stack, /failureOf/);
});

test('closing lines count a test once that failed and then passed when it ran again alone, and keep one that failed twice', () => {
  const totals = (figures: Record<string, number>) => new Map(Object.entries(figures));
  const first = totals({ tests: 100, pass: 96, fail: 2, cancelled: 1, skipped: 1, duration_ms: 1_000 });
  const figures = (again: Record<string, number>) => Object.fromEntries(totalsAfter(first, totals(again)));
  const passed = { tests: 100, pass: 99, fail: 0, cancelled: 0, skipped: 1, duration_ms: 1_050 };
  assert.deepEqual(figures({ tests: 9, pass: 9, fail: 0, cancelled: 0, duration_ms: 50 }), passed);
  const failedAgain = { ...passed, pass: 98, fail: 1 };
  assert.deepEqual(figures({ tests: 9, pass: 8, fail: 1, cancelled: 0, duration_ms: 50 }), failedAgain);
});
