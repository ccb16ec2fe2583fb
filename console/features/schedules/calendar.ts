import { Cron } from 'croner';
import { plural } from '../findings/words.ts';
import { nicknames, wordsOf } from './timetable.ts';

type Scheduled = { id: string; name: string; cron: string; timezone: string };
/** A schedule on a day: at a time of day, or `often` in words. */
type Run = { id: string; name: string; at: number | null; often: string | null };
export type Day = { start: number; runs: Run[] };

const shownDays = 7;
/** A schedule that is due more often on one of the days is one line of each. */
const maxOnDay = 3;
/** The words of a timetable that is the same on all days. */
const isInterval = /^Every (hour$|\d+ (hours|minutes))/;

/** Returns the midnights, in local time, of the next seven days from a time on, and of the day after. */
function midnights(now: number): number[] {
  const today = new Date(now);
  return Array.from({ length: shownDays + 1 }, (_, index) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() + index).getTime(),
  );
}

/** Returns the due times of a schedule between two times, as the server computes them. */
function timesOf({ cron, timezone }: Scheduled, from: number, end: number): number[] {
  const timetable = new Cron(nicknames[cron] ?? cron, { timezone, mode: '5-part', paused: true });
  const times: number[] = [];
  for (let at = timetable.nextRun(new Date(from)); at !== null && at.getTime() < end; at = timetable.nextRun(at))
    times.push(at.getTime());
  return times;
}

/** Lays out the due times of schedules over the next seven days, each day in the order of time. */
export function calendarOf(schedules: readonly Scheduled[], now: number): Day[] {
  const days = midnights(now);
  const timed = schedules.map((schedule) => {
    const times = timesOf(schedule, now, days.at(-1)!);
    const byDay = days
      .slice(0, shownDays)
      .map((start, index) => times.filter((at) => at >= start && at < days[index + 1]!));
    return { schedule, byDay, isOften: byDay.some((onDay) => onDay.length > maxOnDay) };
  });
  return days.slice(0, shownDays).map((start, index) => {
    const runs = timed.flatMap(({ schedule: { id, name, cron }, byDay, isOften }): Run[] => {
      const onDay = byDay[index]!;
      if (!isOften || onDay.length === 0) return onDay.map((at) => ({ id, name, at, often: null }));
      const words = wordsOf(cron);
      return [{ id, name, at: null, often: isInterval.test(words) ? words : plural(onDay.length, 'time') }];
    });
    return { start, runs: runs.sort((a, b) => (a.at ?? 0) - (b.at ?? 0)) };
  });
}
