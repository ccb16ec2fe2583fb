import { nicknames, type Timetable } from './next-run.ts';

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** A part of a field: `*`, a value or a range, with an optional step. */
type Item = { from: number | null; to: number | null; step: number };

/** Parses a validated field. Names of months and weekdays become numbers, with `names` counting from `first`. */
function readField(text: string, names: string[] = [], first = 0): Item[] {
  const numberOf = (value: string) => {
    const index = names.findIndex((name) => name.slice(0, 3).toLowerCase() === value.toLowerCase());
    return index >= 0 ? index + first : Number(value);
  };
  return text.split(',').map((item) => {
    const [range, step] = item.split('/');
    const [from, to] = range!.split('-');
    return {
      from: from === '*' ? null : numberOf(from!),
      to: to === undefined ? null : numberOf(to),
      step: step === undefined ? 1 : Number(step),
    };
  });
}

const isAny = (items: Item[]) => items.some(({ from, step }) => from === null && step === 1);
/** The values of a field that is a list; null for one with ranges or steps. */
const listedValues = (items: Item[]): number[] | null =>
  items.every(({ from, to, step }) => from !== null && to === null && step === 1)
    ? [...new Set(items.map(({ from }) => from!))].sort((a, b) => a - b)
    : null;
/** The step of a field that is `*` with a step; null for any other. */
const stepOf = (items: Item[]): number | null =>
  items.length === 1 && items[0]!.from === null ? items[0]!.step : null;

const join = (words: string[], last = 'and') =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
const twoDigits = (value: number) => String(value).padStart(2, '0');
const ordinal = (value: number) => {
  const ending = value % 100 >= 11 && value % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th');
  return `${value}${ending}`;
};

const describeItem = (unit: string, nameOf: (value: number) => string) => (item: Item) => {
  const every = item.step === 1 ? '' : `every ${ordinal(item.step)} ${unit}`;
  if (item.from === null) return every;
  if (item.to === null) return every === '' ? nameOf(item.from) : `${every} from ${nameOf(item.from)}`;
  return `${every === '' ? '' : `${every} from `}${nameOf(item.from)} to ${nameOf(item.to)}`;
};

/** The maximum number of times of day that are listed one by one. */
const maxTimes = 6;

function describeTime(minutes: Item[], hours: Item[]): string {
  const [minuteList, hourList] = [listedValues(minutes), listedValues(hours)];
  if (minuteList && hourList && minuteList.length * hourList.length <= maxTimes) {
    const times = hourList.flatMap((hour) => minuteList.map((minute) => `${twoDigits(hour)}:${twoDigits(minute)}`));
    return `at ${join(times)}`;
  }
  const minuteStep = stepOf(minutes);
  const past = join(minutes.map(describeItem('minute', String)));
  const isOnTheHour = minuteList?.length === 1 && minuteList[0] === 0;
  const minutePart = minuteStep === null ? `at ${past} minutes past the hour` : `every ${minuteStep} minutes`;
  if (isAny(hours)) return isOnTheHour ? 'every hour' : minutePart;
  const hourStep = stepOf(hours);
  if (isOnTheHour && hourStep !== null) return `every ${hourStep} hours from midnight`;
  const hourPart = join(hours.map(describeItem('hour', (hour) => `${twoDigits(hour)}:00`)));
  return isOnTheHour ? `on the hour: ${hourPart}` : `${minutePart}, in the hours ${hourPart}`;
}

function describeDays(days: Item[], weekdayItems: Item[]): string {
  const everyDay = isAny(days) || stepOf(days) === 1;
  const step = stepOf(days);
  const dayPart = `on ${step === null ? 'day ' : ''}${join(days.map(describeItem('day', String)))} of the month`;
  const weekdayPart = `on ${join(weekdayItems.map(describeItem('weekday', (day) => weekdays[day]!)))}`;
  if (isAny(weekdayItems)) return everyDay ? 'every day' : dayPart;
  // With both fields restricted, either one is enough, like in cron.
  return everyDay ? weekdayPart : `${dayPart}, or ${weekdayPart}`;
}

/** Describes a validated timetable in English, such as `At 02:00, on Monday to Friday (Europe/Berlin).` */
export function describeTimetable({ cron, timezone }: Timetable): string {
  const [minutes, hours, days, monthItems, weekdayItems] = (nicknames[cron] ?? cron).split(' ') as [
    string,
    string,
    string,
    string,
    string,
  ];
  const monthFields = readField(monthItems, months, 1);
  const parts = [
    describeTime(readField(minutes), readField(hours)),
    describeDays(readField(days), readField(weekdayItems, weekdays)),
    ...(isAny(monthFields)
      ? []
      : [`in ${join(monthFields.map(describeItem('month', (month) => months[month - 1]!)))}`]),
  ];
  const text = parts.join(', ');
  return `${text[0]!.toUpperCase()}${text.slice(1)} (${timezone}).`;
}
