/** Presets for timetables; everything else is cron. */
export type Preset = 'hourly' | 'daily' | 'weekdays' | 'weekly' | 'monthly' | 'custom';

export type Timetable = {
  preset: Preset;
  /** `02:30`. */
  time: string;
  /** `0` is Sunday. */
  weekday: string;
  day: string;
  cron: string;
  timezone: string;
};

export const presetNames: Record<Preset, string> = {
  hourly: 'Every hour',
  daily: 'Every day',
  weekdays: 'From Monday to Friday',
  weekly: 'Once a week',
  monthly: 'Once a month',
  custom: 'Cron expression',
};

export const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

export const ownTimezone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

export const newTimetable = (): Timetable => ({
  preset: 'daily',
  time: '02:00',
  weekday: '1',
  day: '1',
  cron: '0 2 * * *',
  timezone: ownTimezone(),
});

/** The cron expression of a choice. */
export function cronOf({ preset, time, weekday, day, cron }: Timetable): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const at = `${minute} ${hour}`;
  if (preset === 'hourly') return '0 * * * *';
  if (preset === 'daily') return `${at} * * *`;
  if (preset === 'weekdays') return `${at} * * 1-5`;
  if (preset === 'weekly') return `${at} * * ${weekday}`;
  if (preset === 'monthly') return `${at} ${day} * *`;
  return cron.trim().split(/\s+/).join(' ');
}

export const nicknames: Record<string, string> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
};

const listOfDays = new Intl.ListFormat('en', { type: 'conjunction' });

const two = (text: string) => text.padStart(2, '0');

/** The choice that corresponds to a cron expression; `custom` if no preset is equivalent. */
export function timetableOf(cron: string, timezone: string): Timetable {
  const base = { ...newTimetable(), cron, timezone };
  const fields = (nicknames[cron] ?? cron).split(' ');
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields;
  if (fields.join(' ') === '0 * * * *') return { ...base, preset: 'hourly' };
  if (!/^\d{1,2}$/.test(minute) || !/^\d{1,2}$/.test(hour) || month !== '*') return { ...base, preset: 'custom' };
  const timed = { ...base, time: `${two(hour)}:${two(minute)}` };
  if (day === '*' && weekday === '*') return { ...timed, preset: 'daily' };
  if (day === '*' && weekday === '1-5') return { ...timed, preset: 'weekdays' };
  if (day === '*' && /^[0-6]$/.test(weekday)) return { ...timed, preset: 'weekly', weekday };
  if (/^\d{1,2}$/.test(day) && weekday === '*') return { ...timed, preset: 'monthly', day };
  return { ...base, preset: 'custom' };
}

/** The default name of a schedule: `Secrets, every day at 02:00`. */
export function scheduleName(scanner: string, cron: string): string {
  return `${scanner}, ${wordsOf(cron).replace(/^(Every|On)/, (word) => word.toLowerCase())}`;
}

/** The words for an interval that divides the hour or the day evenly, or for several weekdays; null for others. */
function furtherWords(cron: string): string | null {
  const minutes = Number(/^\*\/(\d{1,2}) \* \* \* \*$/.exec(cron)?.[1]);
  if (minutes > 1 && 60 % minutes === 0) return `Every ${minutes} minutes`;
  const [, minute = '', step] = /^(\d{1,2}) \*\/(\d{1,2}) \* \* \*$/.exec(cron) ?? [];
  const hours = Number(step);
  if (hours > 1 && 24 % hours === 0) return `Every ${hours} hours${minute === '0' ? '' : ` from 00:${two(minute)}`}`;
  const [, at = '', hour = '', days = ''] = /^(\d{1,2}) (\d{1,2}) \* \* ([0-6](?:,[0-6])+)$/.exec(cron) ?? [];
  if (days === '') return null;
  const names = days.split(',').map((day) => weekdayNames[Number(day)]!);
  return `Every ${listOfDays.format(names)} at ${two(hour)}:${two(at)}`;
}

/** A cron expression in a few words, or unchanged if that is not possible. */
export function wordsOf(cron: string): string {
  const { preset, time, weekday, day } = timetableOf(cron, 'UTC');
  if (preset === 'hourly') return 'Every hour';
  if (preset === 'daily') return `Every day at ${time}`;
  if (preset === 'weekdays') return `Monday to Friday at ${time}`;
  if (preset === 'weekly') return `Every ${weekdayNames[Number(weekday)]} at ${time}`;
  if (preset === 'monthly') return `On day ${day} of each month at ${time}`;
  return furtherWords(cron) ?? cron;
}
