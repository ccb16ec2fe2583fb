/** Writes numbers, days and lists as a language does. */
export type Formats = {
  number(value: number): string;
  /** `+3` or `−4`. */
  signed(value: number): string;
  /** A share such as `32%`; 0 and 100 only when that is exact. */
  share(part: number, whole: number): string;
  day(moment: string): string;
  list(parts: string[]): string;
};

/** Returns the formats of a locale such as `en-GB`. */
export function formatsOf(locale: string): Formats {
  const number = new Intl.NumberFormat(locale);
  const signed = new Intl.NumberFormat(locale, { signDisplay: 'exceptZero' });
  const percent = new Intl.NumberFormat(locale, { style: 'percent' });
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  const list = new Intl.ListFormat(locale, { type: 'conjunction' });
  return {
    number: (value) => number.format(value),
    signed: (value) => signed.format(value).replace('-', '−'),
    share(part, whole) {
      if (whole === 0 || part === 0) return percent.format(0);
      const rounded = Math.round((part / whole) * 100);
      if (part === whole) return percent.format(1);
      return percent.format(Math.min(99, Math.max(1, rounded)) / 100);
    },
    day: (moment) => day.format(new Date(moment)),
    list: (parts) => list.format(parts),
  };
}
