import { nextRun, requireTimetable, type Timetable } from './next-run.ts';

/** A timetable that can be switched off; `nextRunAt`, the first due time after `nextRunFrom`, is null while it is. */
export type RunningTimetable = Timetable & { enabled: boolean; nextRunAt: Date | null; nextRunFrom: Date };

/**
 * The timetable that `input` makes of `before`. A changed one is due anew from `now`, the database's time; what stays the same keeps its due time.
 * Throws the 400 of one that makes no sense.
 */
export function mergeTimetable(
  before: RunningTimetable | null,
  input: { cron?: string; timezone?: string; enabled?: boolean },
  now: Date,
): RunningTimetable {
  const merged = {
    cron: (input.cron ?? before?.cron ?? '').trim(),
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
