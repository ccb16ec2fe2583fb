import { nextRun, normaliseCron, requireTimetable, type Timetable } from './next-run.ts';

/**
 * A timetable that can be disabled. `nextRunAt` is the first due time after `nextRunFrom`, or null while it is
 * disabled.
 */
export type RunningTimetable = Timetable & { enabled: boolean; nextRunAt: Date | null; nextRunFrom: Date };

/**
 * Applies `input` to `before`. The next due time of a changed timetable is computed from `now`, the time of the
 * database; an unchanged timetable keeps its due time. Throws a 400 for an invalid timetable.
 */
export function mergeTimetable(
  before: RunningTimetable | null,
  input: { cron?: string; timezone?: string; enabled?: boolean },
  now: Date,
): RunningTimetable {
  const merged = {
    cron: normaliseCron(input.cron ?? before?.cron ?? ''),
    timezone: input.timezone ?? before?.timezone ?? 'UTC',
    enabled: input.enabled ?? before?.enabled ?? true,
  };
  requireTimetable(merged);
  if (!merged.enabled) return { ...merged, nextRunAt: null, nextRunFrom: now };
  const stays = before?.enabled && merged.cron === before.cron && merged.timezone === before.timezone;
  if (stays && before.nextRunAt !== null) {
    return { ...merged, nextRunAt: before.nextRunAt, nextRunFrom: before.nextRunFrom };
  }
  return { ...merged, nextRunAt: nextRun(merged, now), nextRunFrom: now };
}
