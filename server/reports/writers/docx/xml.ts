/** Well-formed WordprocessingML. Only `xmlText` turns text into it. */
export type Xml = string;

/** Characters that XML 1.0 can't represent, not even as a character reference. */
const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const special = /[&<>"]/g;
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text as the content of an element or as an attribute value in double quotes. */
export const xmlText = (text: string): Xml =>
  text
    .toWellFormed()
    .replace(forbidden, '\uFFFD')
    .replace(special, (character) => entities[character]!);

/** Returns a color in WordprocessingML's form: `1F4FD8` for `#1f4fd8`. */
export const hex = (color: string): string => color.replace('#', '').toUpperCase();
