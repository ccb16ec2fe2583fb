/** WordprocessingML in the making. What is of this type is well-formed already; text becomes it by `xmlText` alone. */
export type Xml = string;

/** XML 1.0 has no way to write these, not even as a reference to the character. */
const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const special = /[&<>"]/g;
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as the content of an element or as the value of an attribute in double quotes. */
export const xmlText = (text: string): Xml =>
  text
    .toWellFormed()
    .replace(forbidden, '\uFFFD')
    .replace(special, (character) => entities[character]!);

/** A colour as WordprocessingML writes it: `1F4FD8` for `#1f4fd8`. */
export const hex = (color: string): string => color.replace('#', '').toUpperCase();
