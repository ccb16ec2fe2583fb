import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calendarOf } from './calendar.ts';
import { ownTimezone } from './timetable.ts';

const now = new Date(2026, 2, 4, 10, 30).getTime();
const timezone = ownTimezone();

test('a calendar has each day of a week, with all that runs in the order of time', () => {
  const schedules = [
    { id: 'a', name: 'Nightly', cron: '0 2 * * *', timezone },
    { id: 'b', name: 'Weekly', cron: '0 1 * * 4', timezone },
    { id: 'c', name: 'Hourly', cron: '@hourly', timezone },
    { id: 'd', name: 'Office', cron: '0 3,15 * * 1-5', timezone },
    { id: 'e', name: 'Often', cron: '0 */6 * * *', timezone },
    { id: 'f', name: 'Meals', cron: '0 7,12,16,19 * * *', timezone },
  ];
  const days = calendarOf(schedules, now);
  const names = days.map(({ runs }) => runs.map(({ name }) => name));
  assert.equal(days.length, 7);
  // The fourth of March 2026 is a Wednesday.
  assert.deepEqual(names[0], ['Hourly', 'Often', 'Meals', 'Office']);
  assert.deepEqual(names[1], ['Hourly', 'Often', 'Meals', 'Weekly', 'Nightly', 'Office', 'Office']);
  assert.deepEqual(names[3], ['Hourly', 'Often', 'Meals', 'Nightly']);
  assert.deepEqual(names[6], ['Hourly', 'Often', 'Meals', 'Nightly', 'Office', 'Office']);
  const often = (day: number) => days[day]!.runs.map((run) => run.often).filter((words) => words !== null);
  assert.deepEqual(often(0), ['Every hour', 'Every 6 hours', '3 times']);
  assert.deepEqual(often(1), ['Every hour', 'Every 6 hours', '4 times']);
  assert.equal(days[0]!.runs[3]!.at, new Date(2026, 2, 4, 15).getTime());
});
