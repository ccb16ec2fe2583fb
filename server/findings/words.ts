const wordPattern = /[\p{L}\p{N}]+/gu;

/** The distinct words of texts in lower case, at most 100 of at most 60 characters: what `q` finds a finding by. */
export function wordsOf(...texts: Array<string | null>): string[] {
  const words = new Set<string>();
  for (const text of texts) {
    for (const [word] of (text ?? '').normalize('NFKC').toLowerCase().matchAll(wordPattern)) {
      words.add([...word].length > 60 ? [...word].slice(0, 60).join('') : word);
      if (words.size === 100) return [...words];
    }
  }
  return [...words];
}

/** A tsquery that asks for all the words of `q`, or null when it holds none. Words are letters and digits, so nothing needs escaping. */
export function wordQuery(q: string): string | null {
  const words = wordsOf(q);
  return words.length === 0 ? null : words.map((word) => `'${word}'`).join(' & ');
}
