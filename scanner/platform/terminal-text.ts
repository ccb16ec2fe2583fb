/** Control characters, those that change the direction of text or can't be seen, and unusual ends of lines. */
const active = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** The same without the line feed and the tab, which JSON's own layout has. */
const activeInJson = /[\p{Cf}\p{Zl}\p{Zp}\x7f-\x9f]/gu;

/**
 * Returns a text as one line that can't control the terminal it is printed on. Names of files, answers of servers and
 * what people call their organizations may contain escape sequences.
 */
export const printable = (text: string): string => text.replace(active, ' ');

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');

/** Returns JSON with the same meaning that can't control a terminal: JSON itself escapes only the first 32 characters. */
export const printableJson = (json: string): string => json.replace(activeInJson, escaped);
