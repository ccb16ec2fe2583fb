const wordPattern = /[\p{L}\p{N}]+/gu;
const asciiWordPattern = /[a-z0-9]+/g;
const notAscii = /[^\0-\x7f]/;

/** Most texts are ASCII, which needs no normalization and takes half the time without Unicode classes. */
function matchWords(text: string): string[] {
  const matches = notAscii.test(text)
    ? text.normalize('NFKC').toLowerCase().match(wordPattern)
    : text.toLowerCase().match(asciiWordPattern);
  return matches ?? [];
}

const none: ReadonlySet<string> = new Set();

/** Adds the words of a text, truncated to 60 characters, except `others`, until there are `max`. */
function addWords(words: Set<string>, text: string, max: number, others = none): void {
  for (const match of matchWords(text)) {
    if (words.size >= max) return;
    const word = match.length > 60 ? [...match].slice(0, 60).join('') : match;
    if (!others.has(word)) words.add(word);
  }
}

/** Returns the distinct words of texts in lower case, at most 100 of at most 60 characters: `q` searches them. */
export function wordsOf(...texts: Array<string | null>): string[] {
  const words = new Set<string>();
  addWords(words, texts.join(' '), 100);
  return [...words];
}

/**
 * Returns a tsquery for all of these search terms: words, or tsqueries in parentheses. Words are letters and digits, so
 * nothing needs escaping. `search_query()` does the same for one term.
 */
export const allOf = (terms: string[]): string =>
  terms.map((term) => (term.startsWith('(') ? term : `'${term}'`)).join(' & ');

/** Returns a tsquery for all the words of a text, or null if there are none. */
export function wordQuery(text: string): string | null {
  const words = wordsOf(text);
  return words.length === 0 ? null : allOf(words);
}

/** The searchable texts that most findings of a rule don't share. */
export type OwnTexts = {
  title: string;
  rule: { tags?: string[] };
  location: {
    path: string | null;
    package: { name: string; version: string | null; ecosystem: string } | null;
  };
  identifiers: string[];
  evidence: string | null;
};

/**
 * More than the words of a hundred identifiers and the longest paths: filters would miss a finding that lacks one of
 * its words.
 */
const maxFilteredWords = 2_000;

/**
 * Returns the words that are stored with a finding: all words of identifiers, path and rule tags, which filters look
 * up; words of title and package up to a total of 100, or 50 more than the first group; and 50 more of the
 * evidence. Of these, `q` finds `shared` words by the finding's texts: storing them twice would take 46 bytes of a
 * finding.
 */
export function ownWords(
  { title, rule, location, identifiers, evidence }: OwnTexts,
  shared: ReadonlySet<string>,
): string[] {
  const words = new Set<string>();
  const { path, package: of } = location;
  addWords(words, [...identifiers, path ?? '', ...(rule.tags ?? [])].join(' '), maxFilteredWords);
  const parts: Array<string | null> = [title];
  if (of) parts.push(of.name, of.version, of.ecosystem);
  const maxNamed = Math.max(100, words.size + 50);
  addWords(words, parts.join(' '), maxNamed, shared);
  if (evidence) addWords(words, evidence, maxNamed + 50, shared);
  return [...words];
}

/** The texts that most findings of a rule share. */
export type SharedTexts = {
  description: string | null;
  remediation: string | null;
  references: string[];
  rule: { id: string; name: string; url: string | null; tags?: string[] };
};

const maxSharedWords = 500;

/**
 * Returns the words of the rule and the texts that findings share, at most 500; each text is stored once
 * (shared-texts.ts).
 */
export function sharedWords({ rule, description, remediation, references }: SharedTexts): Set<string> {
  const words = new Set<string>();
  addWords(words, [rule.id, rule.name, description, remediation, ...references].join(' '), maxSharedWords);
  return words;
}
