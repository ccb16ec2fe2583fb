/** A filter with one or two bounds, which are filters of the API. */
export type RangeField = {
  kind: 'time' | 'number';
  name: string;
  label: string;
  aliases?: readonly string[];
  from?: string;
  to?: string;
  /** Whether its times are in the past or the future: "7d" without a sign is then 7 days ago or in 7 days. */
  direction?: 'back' | 'ahead';
};

export type Operator = '' | '<' | '>';
type Bounds = { from?: string; to?: string };

const relative = /^(-?)(\d{1,4})([hdw])$/;
const day = /^(\d{4})-(\d{2})-(\d{2})$/;
const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i;
const number = /^(\d+(?:\.\d+)?|\.\d+)(%?)$/;

export const isRelative = (text: string): boolean => relative.test(text);

const momentOf = (date: Date) => date.toISOString().replace(/\.\d+Z$/, 'Z');

/** The first and the last second of a day in the time zone of this device; null for an invalid date. */
function readDay(text: string): Bounds | null {
  const [, year, month, date] = (day.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || date === undefined) return null;
  const start = new Date(year, month - 1, date);
  if (start.getMonth() !== month - 1 || start.getDate() !== date) return null;
  return { from: momentOf(start), to: momentOf(new Date(new Date(year, month - 1, date + 1).getTime() - 1000)) };
}

const two = (part: number) => String(part).padStart(2, '0');

/** The day that starts or ends with this second in the time zone of this device; null for any other time. */
export function dayOf(text: string, bound: keyof Bounds): string | null {
  if (!moment.test(text)) return null;
  const date = new Date(text);
  const written = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const bounds = readDay(written);
  return bounds && momentOf(date) === bounds[bound] ? written : null;
}

function readTime({ direction }: RangeField, operator: Operator, text: string): Bounds | null {
  if (isRelative(text)) {
    const isAge = direction === 'back' && !text.startsWith('-');
    // "<7d" of a past time is within the last 7 days: from 7 days ago.
    if (isAge) return operator === '>' ? { to: `-${text}` } : { from: `-${text}` };
    const isUntil = operator === '' ? direction === 'ahead' : operator === '<';
    return isUntil ? { to: text } : { from: text };
  }
  const bounds = moment.test(text) ? { from: text, to: text } : readDay(text);
  if (!bounds || operator === '') return bounds;
  return operator === '<' ? { to: bounds.to! } : { from: bounds.from! };
}

function readNumber(operator: Operator, text: string): Bounds | null {
  const [, digits, percent] = number.exec(text) ?? [];
  if (digits === undefined) return null;
  const value = String(percent === '%' ? Number(digits) / 100 : Number(digits));
  return operator === '<' ? { to: value } : { from: value };
}

/**
 * Converts a relative time to an absolute one in the API's form; returns any other text unchanged. Days and weeks are
 * those of this device: the start of the day for the lower bound, its last second for the upper one.
 */
export function momentAt(text: string, bound: keyof Bounds, now: number): string {
  const [, sign, count, unit] = relative.exec(text) ?? [];
  if (count === undefined) return text;
  const distance = Number(count) * (sign === '-' ? -1 : 1);
  if (unit === 'h') return momentOf(new Date(now + distance * 3_600_000));
  const today = new Date(now);
  const days = distance * (unit === 'w' ? 7 : 1) + (bound === 'to' ? 1 : 0);
  const midnight = new Date(today.getFullYear(), today.getMonth(), today.getDate() + days);
  return momentOf(bound === 'to' ? new Date(midnight.getTime() - 1000) : midnight);
}

const units: Record<string, string> = { h: 'hour', d: 'day', w: 'week' };

/** Formats a relative time in words: "in 7 days", "30 days ago"; null for any other text. */
export function sayRelative(text: string): string | null {
  const [, sign, count, unit = ''] = relative.exec(text) ?? [];
  if (count === undefined) return null;
  const distance = `${Number(count)} ${units[unit]}${Number(count) === 1 ? '' : 's'}`;
  return sign === '-' ? `${distance} ago` : `in ${distance}`;
}

/** Reads `<7d`, `>30d`, `-30d`, `2026-01-31`, a time, or `>50` as values of the bounds; null for anything else. */
export const readRange = (field: RangeField, operator: Operator, text: string): Bounds | null =>
  field.kind === 'time' ? readTime(field, operator, text) : readNumber(operator, text);

/**
 * Writes the value of one bound in the form that `readRange` parses; null if it can't be written with the field's name.
 */
export function writeBound(field: RangeField, bound: keyof Bounds, value: string): string | null {
  const operator = bound === 'from' ? '>' : '<';
  if (field.kind === 'number') return number.test(value) ? operator + value : null;
  if (!isRelative(value)) return operator + (dayOf(value, bound) ?? value);
  if (field.direction !== 'back') return operator + value;
  if (!value.startsWith('-')) return null;
  return (bound === 'from' ? '<' : '>') + value.slice(1);
}
