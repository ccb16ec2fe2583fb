import { useEffect, useState } from 'react';
import { serverNow } from '../api/clock.ts';

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const absolute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const zoned = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });

/** A time from now, as people say it: "3 days ago". */
function ago(time: string, now = serverNow()): string {
  const seconds = Math.round((Date.parse(time) - now) / 1000);
  if (Math.abs(seconds) < 45) return seconds <= 0 ? 'just now' : 'in a moment';
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return relative.format(Math.round(seconds / size), unit);
}

const shortUnits: [string, number][] = [
  ['y', 31_557_600],
  ['mo', 2_629_800],
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
];

/** Formats how long ago a time was, short enough for a column: "3 d". */
function shortAge(time: string, now = serverNow()): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(time)) / 1000));
  const unit = shortUnits.find(([, length]) => seconds >= length);
  return unit ? `${Math.floor(seconds / unit[1])} ${unit[0]}` : 'now';
}

export const formatTime = (time: string): string => absolute.format(new Date(time));
/** The whole time, with the time zone of this device. */
const formatExact = (time: string): string => zoned.format(new Date(time));
export const formatDay = (time: string): string => day.format(new Date(time));

/** The current time, renewed every half a minute, so that what depends on it stays true. */
export function useNow(everyMs = 30_000): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** A time from now, with the exact one on hover. */
export function Time({ at, now }: { at: string; now?: number }) {
  return (
    <time dateTime={at} title={formatExact(at)}>
      {ago(at, now)}
    </time>
  );
}

/** The age of a time in a word, with the exact time on hover. */
export function Age({ at, now }: { at: string; now?: number }) {
  return (
    <time dateTime={at} title={formatExact(at)}>
      {shortAge(at, now)}
    </time>
  );
}
