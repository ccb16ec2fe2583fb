import Type from 'typebox';
import { nullable, time } from '../platform/http/schema.ts';

const cron = Type.String({
  minLength: 1,
  maxLength: 200,
  description:
    'Five fields (minute hour day month weekday), or `@hourly`, `@daily`, `@weekly`, `@monthly`. Every 5 minutes at most.',
});
const timezone = Type.String({ minLength: 1, maxLength: 64, description: 'IANA time zone in which `cron` is read.' });
const enabled = Type.Boolean({ description: 'Whether it is due at all.' });

/** The timetable of what is made; it needs `cron` alone. */
export const timetableCreation = { cron, timezone: Type.Optional(timezone), enabled: Type.Optional(enabled) };

/** The timetable of what is changed. */
export const timetableUpdate = { ...timetableCreation, cron: Type.Optional(cron) };

/** The timetable as it is answered. */
export const timetableAnswer = {
  cron: Type.String(),
  timezone: Type.String(),
  enabled: Type.Boolean(),
  next_run_at: nullable(time('When it is due next; null while it is not enabled.')),
  last_run_at: nullable(time()),
};
