import type { Parameters } from '../filter.ts';
import { wordQuery } from '../words.ts';

/** Returns the condition for a JSON list of texts that contains any of the values, ignoring case. */
export function listCondition(list: string, values: string[], parameters: Parameters): string {
  const given = parameters.add(values.map((value) => value.toLowerCase()));
  return `EXISTS (SELECT FROM json_array_elements_text(${list}) AS item WHERE lower(item) = ANY(${given}::text[]))`;
}

/** Returns a tsquery that matches any of the queries; null if there are none. */
export function anyQuery(queries: Array<string | null>): string | null {
  const known = queries.filter((query) => query !== null);
  return known.length === 0 ? null : `(${known.join(' | ')})`;
}

/**
 * Returns a tsquery that matches the words of every finding with any of the texts; null if no finding can have them.
 */
export const anyWords = (values: string[]): string | null => anyQuery(values.map(wordQuery));

/** Returns whether a list contains any of the values, ignoring case. */
export function containsAny(list: readonly string[], values: readonly string[]): boolean {
  const wanted = new Set(values.map((value) => value.toLowerCase()));
  return list.some((text) => wanted.has(text.toLowerCase()));
}
