/** Returns the Shannon entropy of `text` in bits per character; 0 for the empty string. */
export function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  let total = 0;
  for (const count of counts.values()) total += count;
  for (const count of counts.values()) bits -= (count / total) * Math.log2(count / total);
  return bits;
}

/** Returns how many of the four kinds of characters (lower case, upper case, digit, other) occur in `text`. */
export function characterClasses(text: string): number {
  return [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9]/].filter((kind) => kind.test(text)).length;
}

/** Counts the changes between letter, digit and other in `text`: few in words, many in random tokens. */
export function classChanges(text: string): number {
  let changes = 0;
  let last = '';
  for (const character of text) {
    const kind = /[a-z]/.test(character) ? 'a' : /[A-Z]/.test(character) ? 'A' : /[0-9]/.test(character) ? '0' : '.';
    if (last !== '' && kind !== last && !(last === 'A' && kind === 'a')) changes += 1;
    last = kind;
  }
  return changes;
}
