import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeTimetable } from './describe-timetable.ts';

const described: Record<string, string> = {
  '@hourly': 'Every hour, every day (UTC).',
  '@daily': 'At 00:00, every day (UTC).',
  '@weekly': 'At 00:00, on Sunday (UTC).',
  '@monthly': 'At 00:00, on day 1 of the month (UTC).',
  '*/15 * * * *': 'Every 15 minutes, every day (UTC).',
  '5,35 * * * *': 'At 5 and 35 minutes past the hour, every day (UTC).',
  '0 2 * * mon-fri': 'At 02:00, on Monday to Friday (UTC).',
  '30 6,18 1,15 * *': 'At 06:30 and 18:30, on day 1 and 15 of the month (UTC).',
  '0 */6 * * *': 'Every 6 hours from midnight, every day (UTC).',
  '0 9-17 * * 1-5': 'On the hour: 09:00 to 17:00, on Monday to Friday (UTC).',
  '*/10 8-10 * * 7': 'Every 10 minutes, in the hours 08:00 to 10:00, on Sunday (UTC).',
  '0 0 13 * 5': 'At 00:00, on day 13 of the month, or on Friday (UTC).',
  '0 0 1 jan,JUL *': 'At 00:00, on day 1 of the month, in January and July (UTC).',
  '0 0 */2 * *': 'At 00:00, on every 2nd day of the month (UTC).',
  '0 12 1-7 */3 *': 'At 12:00, on day 1 to 7 of the month, in every 3rd month (UTC).',
};

for (const [cron, text] of Object.entries(described)) {
  test(`${cron} is described as: ${text}`, () => assert.equal(describeTimetable({ cron, timezone: 'UTC' }), text));
}
