/** The form that is returned: UTC, to the second. */
export const timePattern = '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$';

/** The forms that are accepted: any time of RFC 3339, with `Z` or an offset, and with or without a fraction of a second. */
export const inputTimePattern =
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$';

const parts = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(?:\.\d+)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/** The message for a text that is not a time. */
export const timeExpectation = 'must be a time with a zone, such as 2026-01-31T09:30:00Z or 2026-01-31T10:30:00+01:00';

/** Formats a time as the API does: UTC, rounded down to the second. */
export function formatTime(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

/** Formats a time as `formatTime` does; null stays null. */
export function formatTimeOrNull(time: Date | null): string | null {
  return time === null ? null : formatTime(time);
}

/** The time that `text` names, truncated to whole seconds, or null unless it is of RFC 3339 and exists in the calendar. */
export function readTime(text: string): Date | null {
  const [, date, clock, sign, hours = '00', minutes = '00'] = parts.exec(text) ?? [];
  if (date === undefined || hours > '23' || minutes > '59') return null;
  const local = new Date(`${date}T${clock}Z`);
  // Date rolls 30 February over into March: only a real time is formatted as it was written.
  if (Number.isNaN(local.getTime()) || formatTime(local) !== `${date}T${clock}Z`) return null;
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
  const time = new Date(local.getTime() - (sign === '-' ? -offsetMs : offsetMs));
  const year = time.getUTCFullYear();
  return year >= 0 && year <= 9999 ? time : null;
}
