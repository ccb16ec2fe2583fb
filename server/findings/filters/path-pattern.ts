import { wordsOf } from '../words.ts';

/** A filter of paths. Without `*` and `?` it is the beginning of a path; otherwise a pattern of a whole path. */

const wildcard = /\*\*\/?|\*|\?/g;
/** Returns whether a path filter has wildcards. */
export const isPattern = (value: string): boolean => /[*?]/.test(value);
const escaped = (literal: string): string => literal.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');

const meanings: Record<string, string> = { '**/': '(.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' };

/** Returns the regular expression of a path filter, as PostgreSQL and JavaScript both read it. */
export function pathExpression(value: string): string {
  if (!isPattern(value)) return `^${escaped(value)}`;
  const literals = value.split(wildcard).map(escaped);
  const wildcards = [...value.matchAll(wildcard)].map(([text]) => meanings[text]!);
  return `^${literals.map((literal, index) => literal + (wildcards[index] ?? '')).join('')}$`;
}

const letterOrDigit = '[\\p{L}\\p{N}\\p{M}]';
const firstWord = new RegExp(`^${letterOrDigit}+`, 'u');
const lastWord = new RegExp(`${letterOrDigit}+$`, 'u');

/**
 * Returns a tsquery that every path of the filter matches; null when the filter contains no whole word and no beginning of
 * one, by which the index could find it.
 */
export function pathWords(value: string): string | null {
  const pattern = isPattern(value);
  const literals = value.split(wildcard);
  const wildcards = value.match(wildcard) ?? [];
  const terms = literals.flatMap((literal, index) => {
    // Text beside a wildcard may be part of a longer word: its end is open, or it can't be looked up.
    const startsWord = index === 0 || wildcards[index - 1] === '**/';
    const known = startsWord ? literal : literal.replace(firstWord, '');
    const isOpen = index < literals.length - 1 || !pattern;
    const open = isOpen ? (lastWord.exec(known)?.[0] ?? '') : '';
    const whole = wordsOf(known.slice(0, known.length - open.length)).map((word) => `'${word}'`);
    return [...whole, ...wordsOf(open).map((word) => `'${word}':*`)];
  });
  return terms.length === 0 ? null : terms.join(' & ');
}
