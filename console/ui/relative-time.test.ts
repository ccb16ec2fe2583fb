import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ago, dueWords, shortAge } from './relative-time.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const at = (seconds: number) => new Date(now + seconds * 1000).toISOString();
const day = 86_400;

test('a past event is never in the future, even if clocks differ a little', () => {
  assert.deepEqual(
    [0, -44, 2, 30].map((seconds) => ago(at(seconds), now)),
    ['just now', 'just now', 'just now', 'in a few seconds'],
  );
});

test('a time is formatted in full words, and in days up to a month', () => {
  assert.deepEqual(
    [-120, -3_600, -day, -8 * day, -21 * day, -40 * day, 7 * day].map((seconds) => ago(at(seconds), now)),
    ['2 minutes ago', '1 hour ago', 'yesterday', '8 days ago', '21 days ago', 'last month', 'in 7 days'],
  );
  assert.equal(shortAge(at(-8 * day), now), '8 d');
});

test('yesterday and tomorrow are days of the calendar', () => {
  const local = (day: number, hour: number) => new Date(2026, 2, day, hour).getTime();
  const words = (day: number, hour: number) => ago(new Date(local(day, hour)).toISOString(), local(10, 22));
  assert.deepEqual(
    [words(12, 5), words(11, 23), words(9, 3), words(8, 23)],
    ['in 2 days', 'tomorrow', 'yesterday', '2 days ago'],
  );
});

test('seven days less a few seconds are seven days', () => {
  assert.deepEqual(
    [7 * day - 3, day, 3_600, -3_600, -2 * day].map((seconds) => dueWords(at(seconds), now)),
    ['in 7 d', 'in 1 d', 'today', 'late', '2 d late'],
  );
});
