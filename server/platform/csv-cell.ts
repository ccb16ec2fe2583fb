/**
 * Matches text that spreadsheets may evaluate as a formula, also after white space, and with full-width characters,
 * which some of them fold.
 */
const formula = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/;
/**
 * Matches a formula sign after a character that some spreadsheets split at: `;` in locales with a decimal comma. They
 * ignore the quotes of a cell that follows a comma, so its lines become rows of their own.
 */
const splitFormula = /(?<=[;\t|\r\n]["\s]*)[=+\-@＝＋－＠]/g;
const special = /[",\r\n]/;
/** Matches text that needs any change. Most cells don't match, so a single test suffices for them. */
const suspect = /^[\s=+\-@＝＋－＠]|[",;\t|\r\n\0]/;

/**
 * Returns a text as an RFC 4180 cell: safe in spreadsheets with any separator, without NUL, quoted where necessary.
 */
export function textCell(text: string): string {
  if (!suspect.test(text)) return text;
  let cell = text.replaceAll('\0', '\uFFFD');
  if (formula.test(cell)) cell = `'${cell}`;
  cell = cell.replace(splitFormula, "'$&");
  return special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/**
 * Escapes one entry of a list, so that line breaks only separate entries: `\` as `\\`, a line break as `\n` or `\r`.
 */
const listEntry = (text: string): string =>
  /[\\\r\n]/.test(text) ? text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r') : text;

/** Joins entries, one per line. */
export function listCell(entries: string[]): string {
  if (entries.length === 0) return '';
  return textCell(entries.length === 1 ? listEntry(entries[0]!) : entries.map(listEntry).join('\n'));
}
