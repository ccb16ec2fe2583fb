import leven from 'leven';

/** Case, blanks, hyphens and underscores don't matter: "In progress" is `in_progress`. */
export const fold = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]+/g, '_');

/** The maximum number of edits between a text and its match: about a third of its length. */
const maxEdits = (text: string) => Math.min(3, Math.ceil(text.length / 3));

/**
 * Returns the known text that was probably meant: it starts with `text`, or differs in a few letters; null if none is
 * near.
 */
export function nearest(text: string, known: Iterable<string>): string | null {
  const typed = fold(text);
  if (typed === '') return null;
  let found: { candidate: string; edits: number } | null = null;
  for (const candidate of known) {
    const name = fold(candidate);
    const edits = name.startsWith(typed) && typed.length > 1 ? 0.5 : leven(typed, name);
    if (edits <= maxEdits(typed) && (found === null || edits < found.edits)) found = { candidate, edits };
  }
  return found?.candidate ?? null;
}
