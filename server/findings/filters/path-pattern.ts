import { wordsOf } from '../words.ts';

/** A path filter. Without `*` and `?` it is the start of a path; otherwise it is a pattern for the whole path. */

const wildcard = /\*\*\/?|\*|\?/g;
/** Returns whether a path filter has wildcards. */
const isPattern = (value: string): boolean => /[*?]/.test(value);
const escaped = (literal: string): string => literal.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');

const meanings: Record<string, string> = { '**/': '(.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' };

/** Returns the regular expression of a path filter, with the same meaning in PostgreSQL and JavaScript. */
export function pathExpression(value: string): string {
  if (!isPattern(value)) return `^${escaped(value)}`;
  const literals = value.split(wildcard).map(escaped);
  const wildcards = [...value.matchAll(wildcard)].map(([text]) => meanings[text]!);
  return `^${literals.map((literal, index) => literal + (wildcards[index] ?? '')).join('')}$`;
}

const isLowSurrogate = (text: string, at: number) => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

/** Marks in `to` the positions after a wildcard that starts at one of the positions `from`. */
function passWildcard(text: string, wild: string, from: Uint8Array, to: Uint8Array): void {
  let isOpen = false;
  for (let at = 0; at <= text.length; at++) {
    const isStart = from[at] === 1;
    if (isLowSurrogate(text, at)) continue;
    const previous = at > 0 && text[at - 1] === '/';
    if (wild === '?') {
      const end = at + (isLowSurrogate(text, at + 1) ? 2 : 1);
      if (isStart && at < text.length && text[at] !== '/') to[end] = 1;
      continue;
    }
    // `*` ends at each slash; `**/` ends after each slash, or is empty.
    if (wild === '*' && previous) isOpen = false;
    if (isStart || (isOpen && (wild !== '**/' || previous))) to[at] = 1;
    isOpen ||= isStart;
  }
}

/**
 * Returns a test for paths that match a path filter. It takes time proportional to the length of the path times that of
 * the filter; a regular expression in JavaScript may backtrack far longer.
 */
export function pathTest(value: string): (path: string) => boolean {
  if (!isPattern(value)) return (path) => path.startsWith(value);
  const literals = value.split(wildcard);
  const wildcards = value.match(wildcard)!;
  const [first, last] = [literals[0]!, literals.at(-1)!];
  return (path) => {
    if (!path.startsWith(first) || !path.endsWith(last)) return false;
    let positions = new Uint8Array(path.length + 1);
    positions[first.length] = 1;
    for (const [index, wild] of wildcards.entries()) {
      const behind = new Uint8Array(path.length + 1);
      passWildcard(path, wild, positions, behind);
      const literal = literals[index + 1]!;
      positions = new Uint8Array(path.length + 1);
      for (let at = behind.indexOf(1); at >= 0; at = behind.indexOf(1, at + 1))
        if (path.startsWith(literal, at)) positions[at + literal.length] = 1;
    }
    return positions[path.length] === 1;
  };
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
