import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportFinding } from '../report-finding.fixture.ts';
import { type Numbered, numbersOf, runsOf } from './groups.ts';

const members = (...numbers: number[]): Numbered[] =>
  numbers.map((number) => ({ number: `F-${number}`, finding: reportFinding(number) }));

test('numbers of findings are shown as one number, as a run, or as the lowest and the count of the others', () => {
  assert.equal(numbersOf(members(1042)), 'F-1042');
  assert.equal(numbersOf(members(11, 9, 10)), 'F-9–F-11');
  assert.equal(numbersOf(members(100, 9, 10, 1)), 'F-1 +3');
});

test('runs are in numeric, not alphabetical order, and have every member once', () => {
  const runs = runsOf(members(12, 100, 9, 11, 10, 7)).map((run) => run.map(({ number }) => number));
  assert.deepEqual(runs, [['F-7'], ['F-9', 'F-10', 'F-11', 'F-12'], ['F-100']]);
});
