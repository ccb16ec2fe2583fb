import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cronOf, newTimetable, scheduleName, timetableOf, wordsOf } from './timetable.ts';

test('a preset becomes cron, and parses back to the same preset', () => {
  const chosen = [
    { preset: 'hourly', cron: '0 * * * *' },
    { preset: 'daily', time: '02:30', cron: '30 2 * * *' },
    { preset: 'weekdays', time: '18:05', cron: '5 18 * * 1-5' },
    { preset: 'weekly', time: '00:00', weekday: '0', cron: '0 0 * * 0' },
    { preset: 'monthly', time: '09:15', day: '28', cron: '15 9 28 * *' },
  ] as const;
  for (const { cron, ...choice } of chosen) {
    assert.equal(cronOf({ ...newTimetable(), ...choice }), cron);
    const read = timetableOf(cron, 'Europe/Berlin');
    assert.deepEqual({ ...read, ...choice }, read);
    assert.equal(read.timezone, 'Europe/Berlin');
  }
});

test('a cron expression without an equivalent preset stays unchanged, and has words if it is regular', () => {
  for (const cron of ['*/15 * * * *', '0 2 1 1 *', '0 2 * * 1,3', '0 2 1 * 1', '0 2-4 * * *']) {
    assert.equal(timetableOf(cron, 'UTC').preset, 'custom');
    assert.equal(cronOf(timetableOf(cron, 'UTC')), cron);
  }
  for (const cron of ['0 2 1 1 *', '0 2 1 * 1', '0 2-4 * * *', '*/7 * * * *', '0 */5 * * *'])
    assert.equal(wordsOf(cron), cron);
  assert.deepEqual(['*/15 * * * *', '0 */6 * * *', '20 */12 * * *', '0 2 * * 1,3', '5 18 * * 1,3,5'].map(wordsOf), [
    'Every 15 minutes',
    'Every 6 hours',
    'Every 12 hours from 00:20',
    'Every Monday and Wednesday at 02:00',
    'Every Monday, Wednesday, and Friday at 18:05',
  ]);
  assert.equal(cronOf({ ...newTimetable(), preset: 'custom', cron: ' 0  2-4\t* * * ' }), '0 2-4 * * *');
});

test('a schedule without a name is named after its scanner and its time', () => {
  assert.equal(scheduleName('Secrets', '0 2 * * *'), 'Secrets, every day at 02:00');
  assert.equal(scheduleName('Code', '5 18 * * 1-5'), 'Code, Monday to Friday at 18:05');
  assert.equal(scheduleName('Web', '*/15 * * * *'), 'Web, every 15 minutes');
});
