import Type from 'typebox';
import { nullable, time } from '../platform/http/schema.ts';

const cron = Type.String({
  $id: 'CronExpression',
  minLength: 1,
  maxLength: 200,
  description:
    'Five fields (minute hour day month weekday), or `@hourly`, `@daily`, `@weekly`, `@monthly`. At most every 5 minutes.',
});
const timezone = Type.String({ minLength: 1, maxLength: 64, description: 'The IANA time zone of `cron`.' });
const enabled = Type.Boolean({ description: 'Whether it runs when it is due.' });

/** The timetable in a creation; only `cron` is required. */
export const timetableCreation = { cron, timezone: Type.Optional(timezone), enabled: Type.Optional(enabled) };

/** The timetable in an update. */
export const timetableUpdate = { ...timetableCreation, cron: Type.Optional(cron) };

/** The timetable in a response. */
export const timetableFields = {
  cron: Type.String(),
  timezone: Type.String(),
  enabled: Type.Boolean(),
  next_run_at: nullable(time('The next due time; null while it is disabled.')),
  last_run_at: nullable(time()),
};
