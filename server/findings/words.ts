const wordPattern = /[\p{L}\p{N}]+/gu;
const asciiWordPattern = /[a-z0-9]+/g;
const notAscii = /[^\0-\x7f]/;

/** Most texts are ASCII, which needs no normalisation and takes half the time without Unicode classes. */
function matchWords(text: string): string[] {
  const matches = notAscii.test(text)
    ? text.normalize('NFKC').toLowerCase().match(wordPattern)
    : text.toLowerCase().match(asciiWordPattern);
  return matches ?? [];
}

/** Returns the distinct words of texts in lower case, at most 100 of at most 60 characters: `q` searches them. */
export function wordsOf(...texts: Array<string | null>): string[] {
  const words = new Set<string>();
  for (const word of matchWords(texts.join(' '))) {
    words.add(word.length > 60 ? [...word].slice(0, 60).join('') : word);
    if (words.size === 100) break;
  }
  return [...words];
}

/**
 * Returns a tsquery for all the words of `q`, or null when there are none. Words are letters and digits, so nothing
 * needs escaping.
 */
export function wordQuery(q: string): string | null {
  const words = wordsOf(q);
  return words.length === 0 ? null : words.map((word) => `'${word}'`).join(' & ');
}
