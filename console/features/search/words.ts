/** A kind of result. Its name is the heading above it. */
export type Kind = 'finding' | 'value' | 'decision' | 'person' | 'page' | 'action' | 'recent';

export const kindNames: Record<Kind, string> = {
  recent: 'Recent',
  finding: 'Findings',
  value: 'CVEs, packages and rules',
  decision: 'Decisions and data sources',
  person: 'People',
  page: 'Pages and views',
  action: 'Do',
};

/** A query: its words, and the one kind that a prefix asks for. */
export type Asked = { text: string; words: string[]; only: Kind | null };

const prefixes: Record<string, Kind> = { '>': 'action', '@': 'person', '#': 'finding' };

/** Reads a query; `>` asks for commands, `@` for people and `#` for the number of a finding. */
export function readAsked(query: string): Asked {
  const only = prefixes[query.trimStart()[0] ?? ''] ?? null;
  const rest = (only ? query.trimStart().slice(1) : query).trim();
  const text = only === 'finding' && /^\d+$/.test(rest) ? `F-${rest}` : rest;
  return { text, words: text.toLowerCase().split(/\s+/).filter(Boolean), only };
}

/** Returns how well a text fits the words: 0 if one of them is missing, more where they begin the text or its words. */
export function fit(text: string, words: readonly string[]): number {
  const lower = text.toLowerCase();
  if (words.length === 0) return 1;
  if (!words.every((word) => lower.includes(word))) return 0;
  const whole = words.join(' ');
  if (lower === whole) return 4;
  if (lower.startsWith(whole)) return 3;
  return words.every((word) => new RegExp(`(^|[^\\p{L}\\p{N}])${escaped(word)}`, 'u').test(lower)) ? 2 : 1;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** The best of these by their names, at most `most`. */
export function best<T>(all: readonly T[], nameOf: (one: T) => string, words: readonly string[], most: number): T[] {
  return all
    .map((one) => ({ one, fits: fit(nameOf(one), words) }))
    .filter(({ fits }) => fits > 0)
    .sort((a, b) => b.fits - a.fits)
    .slice(0, most)
    .map(({ one }) => one);
}

/** Splits a text into parts, those with the words marked. */
export function marked(text: string, words: readonly string[]): { text: string; isMatch: boolean }[] {
  if (words.length === 0) return [{ text, isMatch: false }];
  const pattern = new RegExp(`(${words.map(escaped).join('|')})`, 'iu');
  return text
    .split(pattern)
    .map((part, index) => ({ text: part, isMatch: index % 2 === 1 }))
    .filter((part) => part.text !== '');
}
