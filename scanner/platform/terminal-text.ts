/** Control characters, invisible characters, characters that change the direction of text, and unusual line endings. */
const active = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** The same characters without the line feed and the tab, which JSON's own layout uses. */
const activeInJson = /[\p{Cf}\p{Zl}\p{Zp}\x7f-\x9f]/gu;

/**
 * Returns a text as one line that can't control the terminal on which it is printed. Names of files and organizations
 * and responses of servers may contain escape sequences.
 */
export const printable = (text: string): string => text.replace(active, ' ');

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');

/** Returns JSON with the same meaning that can't control a terminal: JSON itself escapes only the first 32 characters. */
export const printableJson = (json: string): string => json.replace(activeInJson, escaped);
