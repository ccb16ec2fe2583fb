/** The format of returned times: UTC, to the second. */
export const timePattern = '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$';

/**
 * Accepted formats: any RFC 3339 time, with `Z` or an offset, and with or without a fraction of a second. An
 * unencoded plus sign in a query is read as a space.
 */
export const inputTimePattern =
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?([Zz]|[+ -][0-9]{2}:[0-9]{2})$';

const parts = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(?:\.\d+)?(?:[Zz]|([+ -])(\d{2}):(\d{2}))$/;

/** The message for a text that is not a time. */
export const timeExpectation = 'must be a time with a zone, such as 2026-01-31T09:30:00Z or 2026-01-31T10:30:00+01:00';

/** The message for a text that is neither a time nor a relative one. */
export const momentExpectation = `${timeExpectation}, or a time from now, such as 7d (in 7 days), -30d (30 days ago) or -12h`;

/** Formats a time for the API: UTC, rounded down to the second. */
export function formatTime(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

/** Like `formatTime`; null stays null. */
export function formatTimeOrNull(time: Date | null): string | null {
  return time === null ? null : formatTime(time);
}

/**
 * Parses an RFC 3339 time, truncated to whole seconds. Returns null for other texts and for days that don't exist.
 */
export function readTime(text: string): Date | null {
  const [, date, clock, sign, hours = '00', minutes = '00'] = parts.exec(text) ?? [];
  if (date === undefined || hours > '23' || minutes > '59') return null;
  const local = new Date(`${date}T${clock}Z`);
  // Date turns 30 February into a day in March, which would be formatted differently from the input.
  if (Number.isNaN(local.getTime()) || formatTime(local) !== `${date}T${clock}Z`) return null;
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
  const time = new Date(local.getTime() - (sign === '-' ? -offsetMs : offsetMs));
  const year = time.getUTCFullYear();
  return year >= 0 && year <= 9999 ? time : null;
}

/** A time relative to that of the request: `7d` is after it, `-30d` before it. Hours, days and weeks. */
export const relativeTimePattern = '^[+ -]?[0-9]{1,4}[hdw]$';

const relative = /^([+ -]?)(\d{1,4})([hdw])$/;
const [hourMs, dayMs] = [3_600_000, 86_400_000];

/**
 * Returns a relative time in the API's format: without a plus sign, which is a blank in a query. Null for other
 * texts.
 */
export function formatRelativeTime(text: string): string | null {
  const [, sign, count, unit] = relative.exec(text) ?? [];
  return count === undefined ? null : `${sign === '-' ? '-' : ''}${Number(count)}${unit}`;
}

/**
 * Resolves an RFC 3339 or relative time to a moment; null for other texts. Days and weeks are UTC: as the start of a
 * range (`from`) they mean the first second of the day, and as its end the last.
 */
export function readMoment(text: string, now: Date, end: 'from' | 'to'): Date | null {
  const [, sign, count, unit] = relative.exec(text) ?? [];
  if (count === undefined) return readTime(text);
  const distance = Number(count) * (sign === '-' ? -1 : 1);
  if (unit === 'h') return new Date(Math.floor((now.getTime() + distance * hourMs) / 1000) * 1000);
  const day = Math.floor(now.getTime() / dayMs) + distance * (unit === 'w' ? 7 : 1);
  return new Date(end === 'from' ? day * dayMs : (day + 1) * dayMs - 1000);
}
