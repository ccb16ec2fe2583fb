import { Cron } from 'croner';
import { nicknames, timetableOf, wordsOf } from './timetable.ts';

type Scheduled = { id: string; name: string; cron: string; timezone: string };
/** A schedule on a day: at a time of day, or `often` in words. */
type Run = { id: string; name: string; at: number | null; often: string | null };
export type Day = { start: number; runs: Run[] };

const shownDays = 7;
/** A schedule that is due more often on a day is one line of it. */
const maxOnDay = 4;

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
  const timed = schedules.map((schedule) => ({ schedule, times: timesOf(schedule, now, days.at(-1)!) }));
  return days.slice(0, shownDays).map((start, index) => {
    const end = days[index + 1]!;
    const runs = timed.flatMap(({ schedule: { id, name, cron }, times }): Run[] => {
      const onDay = times.filter((at) => at >= start && at < end);
      if (onDay.length > maxOnDay)
        return [
          {
            id,
            name,
            at: null,
            often: timetableOf(cron, 'UTC').preset === 'hourly' ? wordsOf(cron) : `${onDay.length} times`,
          },
        ];
      return onDay.map((at) => ({ id, name, at, often: null }));
    });
    return { start, runs: runs.sort((a, b) => (a.at ?? 0) - (b.at ?? 0)) };
  });
}
