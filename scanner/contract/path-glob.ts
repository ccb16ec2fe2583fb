export const wildcard = /\*\*\/?|\*|\?/g;
/** Returns whether a path filter has wildcards. */
export const isPattern = (value: string): boolean => /[*?]/.test(value);

export const countWildcards = (values: string[]): number =>
  values.reduce((sum, value) => sum + (value.match(wildcard)?.length ?? 0), 0);

/** The maximum number of wildcards in all path patterns of a scope: a path is compared with each of them. */
export const maxWildcards = 200;

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
 * Returns a function that tests whether a path is in the scope of a path filter, with the same syntax as list filters:
 * without wildcards the start of a path, otherwise a pattern for a whole path. Takes time proportional to the length of the
 * path times the number of wildcards; a regular expression may backtrack far longer. Both come from outside: patterns from
 * people, paths from repositories.
 */
export function compilePath(value: string): (path: string) => boolean {
  if (!isPattern(value)) return (path) => path.startsWith(value);
  const literals = value.split(wildcard);
  const wildcards = value.match(wildcard)!;
  const [first, last] = [literals[0]!, literals.at(-1)!];
  return (path) => {
    if (!path.startsWith(first) || !path.endsWith(last)) return false;
    let positions = new Uint8Array(path.length + 1);
    positions[first.length] = 1;
    for (const [index, wild] of wildcards.entries()) {
      if (!positions.includes(1)) return false;
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
