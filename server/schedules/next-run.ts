import { Cron } from 'croner';
import { invalid } from '../platform/errors.ts';

/** A recurring time. `cron`: five fields or a nickname, normalized by `normaliseCron`; `timezone`: an IANA name. */
export type Timetable = { cron: string; timezone: string };

export const nicknames: Record<string, string> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
};

/** Returns a cron expression with one space between its fields: a crontab accepts any white space. */
export const normaliseCron = (cron: string): string => cron.trim().split(/\s+/).join(' ');

/** The five standard fields of cron. Extensions of croner (L, W, #, ?, seconds, years) are not part of the API. */
const names = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat';
const item = `(?:\\*|\\d{1,2}|${names})(?:-(?:\\d{1,2}|${names}))?(?:/\\d{1,2})?`;
const field = new RegExp(`^${item}(?:,${item})*$`, 'i');
const timezoneShape = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/;

const minGapMs = 5 * 60_000;

const cronOf = ({ cron, timezone }: Timetable) =>
  new Cron(nicknames[cron] ?? cron, { timezone, mode: '5-part', paused: true });

/**
 * Returns the first due time after `after`, or null if there is none. Daylight saving is handled as in cron: a skipped
 * time is due right after the change, a repeated time is due once, and intervals of minutes or hours stay even.
 */
export function nextRun(timetable: Timetable, after: Date): Date | null {
  return cronOf(timetable).nextRun(after);
}

/** Checks two days from the first due time: the gaps within a day are the same on every due day. */
function isTooOften(timetable: Timetable): boolean {
  const cron = cronOf({ ...timetable, timezone: 'UTC' });
  const first = cron.nextRun(new Date('2026-01-01T00:00:00Z'));
  for (let last = first; last && first && last.getTime() - first.getTime() < 2 * 86_400_000; ) {
    const next = cron.nextRun(last);
    if (next && next.getTime() - last.getTime() < minGapMs) return true;
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

/** Throws a 400 for a timetable that is invalid, never due, or due more often than every five minutes. */
export function requireTimetable(timetable: Timetable): void {
  const { cron, timezone } = timetable;
  requireTimezone(timezone);
  const known = Object.keys(nicknames);
  const fields = cron.split(' ');
  const accepted = `must be five cron fields (minute hour day month weekday) or one of ${known.join(', ')}`;
  if (!known.includes(cron) && (fields.length !== 5 || !fields.every((text) => field.test(text)))) {
    throw invalid('body', 'cron', accepted);
  }
  let next: Date | null;
  try {
    next = nextRun(timetable, new Date());
  } catch {
    throw invalid('body', 'cron', accepted);
  }
  if (next === null) throw invalid('body', 'cron', 'must be due at some time: this date does not exist');
  if (isTooOften(timetable)) throw invalid('body', 'cron', 'must not be due more often than every 5 minutes');
}
