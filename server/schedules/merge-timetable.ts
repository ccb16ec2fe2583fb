import { nextRun, requireTimetable, type Timetable } from './next-run.ts';

/** A timetable that can be switched off; `nextRunAt` is null while it is. */
export type RunningTimetable = Timetable & { enabled: boolean; nextRunAt: Date | null };

/**
 * The timetable that `input` makes of `before`. A changed one is due anew from now; what stays the same keeps its time.
 * Throws the 400 of one that makes no sense.
 */
export function mergeTimetable(
  before: RunningTimetable | null,
  input: { cron?: string; timezone?: string; enabled?: boolean },
): RunningTimetable {
  const merged = {
    cron: (input.cron ?? before?.cron ?? '').trim(),
    timezone: input.timezone ?? before?.timezone ?? 'UTC',
    enabled: input.enabled ?? before?.enabled ?? true,
  };
  requireTimetable(merged);
  if (!merged.enabled) return { ...merged, nextRunAt: null };
  const stays = before?.enabled && merged.cron === before.cron && merged.timezone === before.timezone;
  return { ...merged, nextRunAt: (stays ? before.nextRunAt : null) ?? nextRun(merged, new Date()) };
}
