import { countByCode, selectionOf } from '../columns/counting.ts';
import type { FindingColumns } from '../columns/finding-columns.ts';
import type { Term } from '../columns/term.ts';

/** The filters whose values are suggested. */
type SuggestedField = 'identifier' | 'package' | 'rule';
/** A value, and how many open findings have it. */
export type Suggestion = { field: SuggestedField; value: string; count: number };

export type SuggestQuestion = {
  /** All of them occur in a value, in lower case. */
  words: readonly string[];
  limit: number;
};

/** Returns how well a value in lower case fits: 3 is the text itself, 2 begins with it, 1 has its words at word starts. */
function fitOf(value: string, words: readonly string[]): number {
  const text = words.join(' ');
  if (value === text) return 3;
  if (value.startsWith(text)) return 2;
  const starts = (word: string) => {
    for (let at = value.indexOf(word); at >= 0; at = value.indexOf(word, at + 1))
      if (at === 0 || !/[\p{L}\p{N}]/u.test(value[at - 1]!)) return true;
    return false;
  };
  return words.every(starts) ? 1 : 0;
}

/** Sorts values by how well they fit, then by their counts, and keeps the best of each field. */
export function rankSuggestions(found: readonly Suggestion[], { words, limit }: SuggestQuestion): Suggestion[] {
  const ranked = found
    .map((suggestion) => ({ suggestion, fit: fitOf(suggestion.value.toLowerCase(), words) }))
    .sort(
      (a, b) =>
        b.fit - a.fit || b.suggestion.count - a.suggestion.count || (a.suggestion.value < b.suggestion.value ? -1 : 1),
    );
  const kept = new Map<SuggestedField, number>();
  return ranked.flatMap(({ suggestion }) => {
    const count = (kept.get(suggestion.field) ?? 0) + 1;
    kept.set(suggestion.field, count);
    return count > limit ? [] : [suggestion];
  });
}

const open: Term[] = [{ flag: 'closed', is: false }];

/** Returns the identifiers, packages and rules of open findings that contain all words, the best first. */
export function suggestValues(columns: FindingColumns, question: SuggestQuestion): Suggestion[] {
  const { words } = question;
  const selection = selectionOf(columns.select(open));
  const isAsked = (value: string) => words.every((word) => value.includes(word));
  const found: Suggestion[] = [];
  for (const [field, column] of [
    ['package', columns.texts.packageName],
    ['rule', columns.texts.ruleId],
  ] as const) {
    const codes = [...column.values().entries()].filter(([, value]) => value !== null && isAsked(value.toLowerCase()));
    if (codes.length === 0) continue;
    const counts = countByCode(selection, column, columns.size);
    found.push(...codes.map(([code, value]) => ({ field, value: value!, count: counts[code]! })));
  }
  const lists = columns.lists.identifiers;
  const items = lists.itemsWith(isAsked);
  if (items.length > 0) {
    const counts = countByCode(selection, lists, columns.size);
    for (const { item, codes } of items)
      found.push({ field: 'identifier', value: item, count: codes.reduce((sum, code) => sum + counts[code]!, 0) });
  }
  return rankSuggestions(
    found.filter(({ count }) => count > 0),
    question,
  );
}
