const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** The seconds by which the clocks of servers may differ: a past event must not appear in the future. */
const toleranceSeconds = 5;

const dayMs = 86_400_000;

/** The number of a local calendar day. */
function dayOf(time: number): number {
  const day = new Date(time);
  return Date.UTC(day.getFullYear(), day.getMonth(), day.getDate()) / dayMs;
}

/** Formats a relative time in words: "3 days ago". Times are in milliseconds. */
export function ago(time: string, now: number): string {
  const seconds = Math.round((Date.parse(time) - now) / 1000);
  if (Math.abs(seconds) < 45) return seconds <= toleranceSeconds ? 'just now' : 'in a few seconds';
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['minute', 60];
  // Tomorrow is the next day of the calendar, not 24 to 36 hours from now.
  if (unit === 'day') return relative.format(dayOf(Date.parse(time)) - dayOf(now), 'day');
  return relative.format(Math.round(seconds / size), unit);
}

const shortUnits: [string, number][] = [
  ['y', 31_557_600],
  ['mo', 2_629_800],
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
];

/** Formats the age of a time, short enough for a column: "3 d". */
export function shortAge(time: string, now: number): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(time)) / 1000));
  const unit = shortUnits.find(([, length]) => seconds >= length);
  return unit ? `${Math.floor(seconds / unit[1])} ${unit[0]}` : 'now';
}

/** Formats the time left to fix a finding in short form: `in 3 d` or `2 d late`. */
export function dueWords(at: string, now: number): string {
  const days = (Date.parse(at) - now) / dayMs;
  if (days < 0) return days > -1 ? 'late' : `${Math.floor(-days)} d late`;
  return days < 1 ? 'today' : `in ${Math.round(days)} d`;
}
