import { Cron } from 'croner';
import { invalid } from '../platform/errors.ts';

/** A time to come, again and again. `cron`: five fields or a nickname; `timezone`: an IANA name. */
export type Timetable = { cron: string; timezone: string };

const nicknames: Record<string, string> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
};

/** Cron's own five fields. What else croner knows (L, W, #, ?, seconds, years) is no part of the API. */
const names = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat';
const item = `(?:\\*|\\d{1,2}|${names})(?:-(?:\\d{1,2}|${names}))?(?:/\\d{1,2})?`;
const field = new RegExp(`^${item}(?:,${item})*$`, 'i');
const timezoneShape = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/;

const leastGapMs = 5 * 60_000;

const cronOf = ({ cron, timezone }: Timetable) =>
  new Cron(nicknames[cron] ?? cron, { timezone, mode: '5-part', paused: true });

/**
 * The first time after `after` at which it is due, or null when there is none any more. Daylight saving is handled as cron
 * does: a time that is skipped comes right after the change, one that comes twice counts once, and what is due every so
 * many minutes or hours goes on evenly.
 */
export function nextRun(timetable: Timetable, after: Date): Date | null {
  return cronOf(timetable).nextRun(after);
}

/** The gaps of a cron's day repeat on every day on which it is due: two days from the first one show them all. */
function isTooOften(timetable: Timetable): boolean {
  const cron = cronOf({ ...timetable, timezone: 'UTC' });
  const first = cron.nextRun(new Date('2026-01-01T00:00:00Z'));
  for (let last = first; last && first && last.getTime() - first.getTime() < 2 * 86_400_000; ) {
    const next = cron.nextRun(last);
    if (next && next.getTime() - last.getTime() < leastGapMs) return true;
    last = next;
  }
  return false;
}

function requireTimezone(timezone: string): void {
  try {
    if (!timezoneShape.test(timezone)) throw new RangeError();
    new Intl.DateTimeFormat('en', { timeZone: timezone });
  } catch {
    throw invalid('body', 'timezone', 'must be an IANA time zone such as Europe/Berlin or UTC');
  }
}

/** Throws the 400 of a timetable that makes no sense, is never due, or is due more often than every five minutes. */
export function requireTimetable(timetable: Timetable): void {
  const { cron, timezone } = timetable;
  requireTimezone(timezone);
  const known = Object.keys(nicknames);
  const fields = cron.split(' ');
  const accepted = `must be five cron fields (minute hour day month weekday) or one of ${known.join(', ')}`;
  if (!known.includes(cron) && (fields.length !== 5 || !fields.every((one) => field.test(one)))) {
    throw invalid('body', 'cron', accepted);
  }
  let next: Date | null;
  try {
    next = nextRun(timetable, new Date());
  } catch {
    throw invalid('body', 'cron', accepted);
  }
  if (next === null) throw invalid('body', 'cron', 'must be due some day: there is no such date');
  if (isTooOften(timetable)) throw invalid('body', 'cron', 'must not be due more often than every 5 minutes');
}
