import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../tests/harness/properties.ts';
import { nextRun, requireTimetable } from './next-run.ts';

const zones = Intl.supportedValuesOf('timeZone');
const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the wall clock of a zone from the platform's zone data, independent of the code under test. */
function wallClock(zone: string, ms: number) {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      weekday: 'short',
    });
    formats.set(zone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(ms).map((part) => [part.type, part.value]));
  const weekday = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(parts.weekday!);
  return {
    minute: Number(parts.minute),
    hour: Number(parts.hour),
    day: Number(parts.day),
    month: Number(parts.month),
    weekday,
  };
}

const offsetOf = (zone: string, ms: number) => {
  const { minute, hour, day } = wallClock(zone, ms);
  const utc = new Date(ms);
  const days = day === utc.getUTCDate() ? 0 : day - utc.getUTCDate() === 1 || day - utc.getUTCDate() < -1 ? 1 : -1;
  return days * 1440 + (hour - utc.getUTCHours()) * 60 + (minute - utc.getUTCMinutes());
};

/** Returns whether the offset of a zone is constant around a time, so that daylight saving has no effect. */
const isCalm = (zone: string, fromMs: number, toMs: number) => {
  const offset = offsetOf(zone, fromMs);
  for (let ms = fromMs; ms <= toMs; ms += 6 * 3_600_000) if (offsetOf(zone, ms) !== offset) return false;
  return offsetOf(zone, toMs) === offset;
};

const minuteMs = 60_000;

test('in any zone the next run is the first later minute that matches the wall clock', () => {
  const yearStart = Date.UTC(2026, 0, 1);
  checkProperty(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: 0, max: 2 * 365 * 1440 }),
      fc.integer({ min: 0, max: 59 }),
      fc.integer({ min: 0, max: 23 }),
      fc.option(fc.integer({ min: 0, max: 6 })),
      (zone, startMinute, minute, hour, weekday) => {
        const start = yearStart + startMinute * minuteMs;
        const found = nextRun({ cron: `${minute} ${hour} * * ${weekday ?? '*'}`, timezone: zone }, new Date(start));
        const end = start + (weekday === null ? 2 : 8) * 86_400_000;
        fc.pre(isCalm(zone, start - 3_600_000, end));
        for (let ms = start + minuteMs; ms <= end; ms += minuteMs) {
          const utcMinute = new Date(ms).getUTCMinutes();
          // Offsets are multiples of 15 minutes, so most minutes can be skipped.
          if ((((utcMinute - minute) % 15) + 15) % 15 !== 0) continue;
          const wall = wallClock(zone, ms);
          if (wall.minute !== minute || wall.hour !== hour || (weekday !== null && wall.weekday !== weekday)) continue;
          assert.equal(found?.toISOString(), new Date(ms).toISOString());
          return;
        }
        assert.fail('no minute matched');
      },
    ),
    { numRuns: 300 },
  );
});

const at = (cron: string, timezone: string, from: string, count: number): string[] => {
  const runs: string[] = [];
  let last: Date | null = new Date(from);
  for (let index = 0; index < count && last; index++) {
    last = nextRun({ cron, timezone }, last);
    if (last) runs.push(`${last.toISOString().slice(0, 16)}Z`);
  }
  return runs;
};

test('a time that the clock skips is due right after the change', () => {
  assert.deepEqual(at('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 2), [
    '2026-03-29T01:00Z',
    '2026-03-30T00:30Z',
  ]);
});

test('a time that the clock shows twice is due once', () => {
  assert.deepEqual(at('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2), [
    '2026-10-25T00:30Z',
    '2026-10-26T01:30Z',
  ]);
});

test('a half-hourly timetable stays regular across both changes', () => {
  assert.deepEqual(at('*/30 * * * *', 'Europe/Berlin', '2026-10-25T00:00:00Z', 4), [
    '2026-10-25T00:30Z',
    '2026-10-25T01:00Z',
    '2026-10-25T01:30Z',
    '2026-10-25T02:00Z',
  ]);
  assert.deepEqual(at('*/30 * * * *', 'Europe/Berlin', '2026-03-29T00:30:00Z', 2), [
    '2026-03-29T01:00Z',
    '2026-03-29T01:30Z',
  ]);
});

for (const cron of ['*/4 * * * *', '0,1 3 1 1 *', '58,2 * * * *', '* * * * *', '0,59 0-23 * * *']) {
  test(`"${cron}" is rejected as too often`, () => {
    assert.throws(() => requireTimetable({ cron, timezone: 'UTC' }), /5 minutes/);
  });
}

for (const cron of [
  '*/5 * * * *',
  '0,59 3 * * *',
  '@hourly',
  '@daily',
  '@weekly',
  '@monthly',
  '15 4 * * MON-FRI',
  '0 0 29 2 *',
]) {
  test(`"${cron}" is accepted`, () => {
    assert.doesNotThrow(() => requireTimetable({ cron, timezone: 'Europe/Berlin' }));
  });
}

for (const cron of [
  '',
  '* * * *',
  '0 0 31 2 *',
  '60 * * * *',
  '@yearly',
  '0 0 L * *',
  '0 0 * * MON#2',
  '0 0 0 * * *',
  'every day',
  '0 0  * *',
]) {
  test(`"${cron}" is rejected with a message that says what is accepted`, () => {
    assert.throws(() => requireTimetable({ cron, timezone: 'UTC' }), /^ApiError: cron: must/);
  });
}

for (const timezone of ['Mars/Base', '+02:00', '', 'Europe', '../etc/passwd']) {
  test(`the time zone "${timezone}" is rejected`, () => {
    assert.throws(() => requireTimetable({ cron: '@daily', timezone }), /timezone: must be an IANA time zone/);
  });
}
