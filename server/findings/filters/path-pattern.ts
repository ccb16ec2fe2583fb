import { isPattern, wildcard } from '@assay/scanner/contract/path-glob.ts';
import { wordsOf } from '../words.ts';

/** A path filter. Without `*` and `?` it is the start of a path; otherwise it is a pattern for the whole path. */

const escaped = (literal: string): string => literal.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');

const meanings: Record<string, string> = { '**/': '(.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' };

/** Returns the regular expression of a path filter, with the same meaning in PostgreSQL and JavaScript. */
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
 * Returns a tsquery that matches every path of the filter; null if the filter contains no whole word and no start of
 * one for the index to find.
 */
export function pathWords(value: string): string | null {
  const pattern = isPattern(value);
  const literals = value.split(wildcard);
  const wildcards = value.match(wildcard) ?? [];
  const terms = literals.flatMap((literal, index) => {
    // Text next to a wildcard may be part of a longer word: its last word is matched as a prefix, and its first word is
    // not looked up.
    const startsWord = index === 0 || wildcards[index - 1] === '**/';
    const known = startsWord ? literal : literal.replace(firstWord, '');
    const isOpen = index < literals.length - 1 || !pattern;
    const open = isOpen ? (lastWord.exec(known)?.[0] ?? '') : '';
    const whole = wordsOf(known.slice(0, known.length - open.length)).map((word) => `'${word}'`);
    return [...whole, ...wordsOf(open).map((word) => `'${word}':*`)];
  });
  return terms.length === 0 ? null : terms.join(' & ');
}
