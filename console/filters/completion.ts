import { type Field, findField, type Value } from './grammar.ts';
import { fold, nearest } from './nearest.ts';
import { quote, readTokens } from './tokens.ts';

/** The text being typed at the caret; a suggestion replaces it from `start` to `end`. */
export type Place = { start: number; end: number; typed: string } & (
  | { kind: 'key' }
  | { kind: 'value'; field: Field; excluded: boolean /** The other values of the same filter. */; others: string[] }
);

/** A suggestion for a position; `text` replaces the typed text. `fits` is false if it is only the nearest match. */
export type Suggestion = { text: string; label: string; hint: string; fits: boolean };

/** Returns the text being typed before the caret; null if nothing can be suggested there. */
export function placeAt(text: string, caret: number, fields: readonly Field[]): Place | null {
  const token = readTokens(text).find(({ start, end }) => start <= caret && caret <= end);
  if (!token) return { kind: 'key', start: caret, end: caret, typed: '' };
  if (token.kind === 'word') {
    const start = text[token.start] === '-' ? token.start + 1 : token.start;
    const typed = text.slice(start, token.end);
    return /^[a-z_]*$/i.test(typed) ? { kind: 'key', start, end: token.end, typed } : null;
  }
  const found = findField(fields, token.key);
  const part = token.parts.find(({ start, end }) => start <= caret && caret <= end);
  if (!found || found.bound !== null || !part) return null;
  const isRange = found.field.kind === 'time' || found.field.kind === 'number';
  const start = isRange ? part.start - token.operator.length : part.start;
  return {
    kind: 'value',
    start,
    end: part.end,
    typed: isRange ? text.slice(start, part.end) : part.text,
    field: found.field,
    excluded: part.excluded && !isRange,
    others: token.parts.filter((other) => other !== part).map((other) => other.text),
  };
}

/**
 * Ranks a name by the typed text: 0 starts with it, 1 has a word that starts with it, 2 contains it; null otherwise.
 */
function fit(name: string, typed: string): number | null {
  const folded = fold(name);
  if (folded.startsWith(typed)) return 0;
  if (folded.includes(`_${typed}`)) return 1;
  return folded.includes(typed) ? 2 : null;
}

/** Suggests the candidates whose names match the typed text, the best first; without a match, the nearest. */
function suggest<Item>(
  items: readonly Item[],
  typed: string,
  { namesOf, write }: { namesOf: (item: Item) => readonly string[]; write: (item: Item) => Omit<Suggestion, 'fits'> },
): Suggestion[] {
  const folded = fold(typed);
  // A name ranks before its synonyms.
  const rankOf = (item: Item) =>
    Math.min(...namesOf(item).map((name, index) => (fit(name, folded) ?? Number.POSITIVE_INFINITY) + (index && 0.5)));
  const fitting = items
    .map((item) => ({ item, rank: rankOf(item) }))
    .filter(({ rank }) => rank < Number.POSITIVE_INFINITY)
    .sort((left, right) => left.rank - right.rank);
  if (fitting.length > 0) return fitting.map(({ item }) => ({ ...write(item), fits: true }));
  const near = nearest(typed, items.flatMap(namesOf));
  const item = near === null ? undefined : items.find((one) => namesOf(one).includes(near));
  return item === undefined ? [] : [{ ...write(item), fits: false }];
}

/** Suggests keys by their names, shorter names and labels: "risk" finds `accepted_until`. */
export const suggestKeys = (fields: readonly Field[], typed: string): Suggestion[] =>
  suggest(fields, typed, {
    namesOf: ({ name, label, aliases = [] }) => [name, label, ...aliases],
    write: ({ name, label }) => ({ text: `${name}:`, label: name, hint: label }),
  });

type Counted = Value & { count?: number | undefined };

/** Suggests values by their names, with their numbers of findings. Values that are already chosen are left out. */
export function suggestValues(
  { field, typed, excluded, others }: Extract<Place, { kind: 'value' }>,
  values: readonly Counted[],
): Suggestion[] {
  const hasIds = field.kind === 'list' && field.ids;
  const isChosen = ({ value, label }: Value) =>
    others.some((other) => fold(other) === fold(value) || fold(other) === fold(label));
  const rest = values.filter((value) => !isChosen(value));
  return suggest(rest, typed, {
    namesOf: ({ value, label }) => (hasIds ? [label] : [value, label]),
    write: ({ value, label, count }) => {
      const written = hasIds ? label : value;
      const hints = [...(written === label ? [] : [label]), ...(count === undefined ? [] : [String(count)])];
      const text = (excluded ? '-' : '') + (field.kind === 'list' ? quote(written) : written);
      return { text, label: written, hint: hints.join(' · ') };
    },
  });
}

/**
 * Inserts a suggestion into the text. Returns the text and the caret's position: after a blank, unless a value follows.
 */
export function insert(text: string, { start, end }: Place, suggestion: Suggestion): { text: string; caret: number } {
  const opens = suggestion.text.endsWith(':') || suggestion.text.endsWith('<') || suggestion.text.endsWith('>');
  const before = text.slice(0, start) + suggestion.text;
  const after = text.slice(end);
  // A key that is completed a second time keeps its value.
  if (opens && after.startsWith(':')) return { text: before + after.slice(1), caret: before.length };
  if (opens || /^[\s,]/.test(after)) return { text: before + after, caret: before.length };
  return { text: `${before} ${after}`, caret: before.length + 1 };
}
