import type { Severity } from '@assay/scanner/contract/severity.ts';
import type { ReportDocument, ReportLanguage } from '../report-document.ts';
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };

/**
 * The texts of each language, by key. `{n}` is replaced by a value, and `{n|finding|findings}` by the form for that
 * number, in the order of the language's plural categories. To add a language, add a file with the same keys.
 */
export const tables: Record<ReportLanguage, Record<keyof typeof en, string>> = { en, de };

export type SentenceKey = keyof typeof en;

/** The texts, numbers and days of documents in one language. */
export type Wording = {
  language: ReportLanguage;
  /** For example `en-GB`. */
  locale: string;
  /** Returns a text. Numbers among the values are formatted for the language. */
  say(key: SentenceKey, values?: Record<string, string | number>): string;
  number(value: number): string;
  /** `+3`, `−4` or `0`. */
  signed(value: number): string;
  /** A percentage such as `32%`; it is 0 or 100 only if that is exact. */
  share(part: number, whole: number): string;
  /** `2026-11-20T12:00:00Z` as `20 November 2026`, in UTC. */
  day(moment: string): string;
  /** A day for tables. */
  date(moment: string): string;
  /** `20 November 2026, 12:00 UTC`. */
  moment(moment: string): string;
  /** The abbreviated name of a month: `Nov`. */
  month(month: number): string;
  /** `21 October to 20 November 2026`, without repeating the same year or day. */
  period(period: { from: string; to: string }): string;
  list(parts: string[], conjunction?: 'and' | 'or'): string;
  severity(severity: Severity): string;
  /** The name of a severity within a sentence. */
  severityWord(severity: Severity): string;
};

const categories = ['zero', 'one', 'two', 'few', 'many', 'other'] as const;

function makeWording(language: ReportLanguage): Wording {
  const table = tables[language];
  const { locale } = table;
  const plural = new Intl.PluralRules(locale);
  const forms = categories.filter((category) => plural.resolvedOptions().pluralCategories.includes(category));
  const { format: number } = new Intl.NumberFormat(locale);
  const signedNumber = new Intl.NumberFormat(locale, { signDisplay: 'exceptZero' });
  const percent = new Intl.NumberFormat(locale, { style: 'percent' });
  const dayFormat = (options: Intl.DateTimeFormatOptions) => {
    const { format } = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
    // Keeps the day of a German date with its month.
    return (moment: string) => format(new Date(moment)).replace(/(\d\.) (?=\p{L})/u, '$1\u00A0');
  };
  const day = dayFormat({ day: 'numeric', month: 'long', year: 'numeric' });
  const dayOfYear = dayFormat({ day: 'numeric', month: 'long' });
  const clock = dayFormat({ hour: '2-digit', minute: '2-digit' });
  const dateParts = dayFormat({ day: '2-digit', month: '2-digit', year: 'numeric' });
  const month = dayFormat({ month: 'short' });
  const lists = {
    and: new Intl.ListFormat(locale, { type: 'conjunction' }),
    or: new Intl.ListFormat(locale, { type: 'disjunction' }),
  };
  const say: Wording['say'] = (key, values = {}) => {
    if (table[key] === undefined) throw new Error(`The language ${language} has no text for ${key}.`);
    return table[key].replace(/\{(\w+)(?:\|([^{}]*))?\}/g, (_, name: string, choices?: string) => {
      const value = values[name] ?? '';
      if (choices === undefined) return typeof value === 'number' ? number(value) : value;
      return choices.split('|')[forms.indexOf(plural.select(Number(value)))] ?? '';
    });
  };
  return {
    language,
    locale,
    say,
    number,
    signed: (value) => signedNumber.format(value).replace('-', '−'),
    share(part, whole) {
      const rounded = whole === 0 ? 0 : Math.round((part / whole) * 100);
      if (rounded === 0 && part > 0) return say('share.under');
      return percent.format((rounded === 100 && part < whole ? 99 : rounded) / 100);
    },
    day,
    date: (moment) => (language === 'en' ? moment.slice(0, 10) : dateParts(moment)),
    moment: (moment) => `${day(moment)}, ${clock(moment)} UTC`,
    month: (number) => month(`2000-${String(number).padStart(2, '0')}-15T00:00:00Z`),
    period({ from, to }) {
      const [first, last] = [day(from), day(to)];
      if (first === last) return last;
      return say('period.range', { from: from.slice(0, 4) === to.slice(0, 4) ? dayOfYear(from) : first, to: last });
    },
    list: (parts, conjunction = 'and') => lists[conjunction].format(parts),
    severity: (severity) => say(`severity.${severity}`),
    severityWord: (severity) => say(`severity_word.${severity}`),
  };
}

/** Returns the text of a key that may not exist. */
export const sayOwn = (key: string, { language, say }: Wording): string | undefined =>
  Object.hasOwn(tables[language], key) ? say(key as SentenceKey) : undefined;

const made = new Map<ReportLanguage, Wording>();

export function wordingIn(language: ReportLanguage): Wording {
  const wording = made.get(language) ?? makeWording(language);
  made.set(language, wording);
  return wording;
}

/** Returns the texts, numbers and days of a report's language. */
export const wordingOf = ({ document }: { document: Pick<ReportDocument, 'language'> }): Wording =>
  wordingIn(document.language);
