import { useEffect, useState } from 'react';
import { serverNow } from '../api/clock.ts';
import { ago, shortAge } from './relative-time.ts';

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

export const formatTime = (time: string): string => absolute.format(new Date(time));
/** The exact time with this device's time zone. */
const formatExact = (time: string): string => zoned.format(new Date(time));
export const formatDay = (time: string): string => day.format(new Date(time));

/** The current time, updated every half minute, so that relative times stay correct. */
export function useNow(everyMs = 30_000): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** A relative time, with the exact time on hover. */
export function Time({ at, now }: { at: string; now?: number }) {
  return (
    <time dateTime={at} title={formatExact(at)}>
      {ago(at, Math.max(now ?? 0, serverNow()))}
    </time>
  );
}

/** The age of a time in short form, with the exact time on hover. */
export function Age({ at, now }: { at: string; now?: number }) {
  return (
    <time dateTime={at} title={formatExact(at)}>
      {shortAge(at, Math.max(now ?? 0, serverNow()))}
    </time>
  );
}
