/**
 * Text that spreadsheets may treat as a formula, also after white space, and in the full-width forms that some of them
 * fold.
 */
const formula = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/;
/**
 * The sign of a formula after a character at which some spreadsheets split: those of countries with a decimal comma split
 * at `;`. They don't see the quotes of a cell that follows a comma, so that its lines become rows of theirs.
 */
const splitFormula = /(?<=[;\t|\r\n]["\s]*)[=+\-@＝＋－＠]/g;
const special = /[",\r\n]/;
/** Matches text that needs any change. Most cells do not match, so one check is enough for them. */
const suspect = /^[\s=+\-@＝＋－＠]|[",;\t|\r\n\0]/;

/** Returns a text as a cell of RFC 4180: harmless to spreadsheets whatever they split at, without NUL, quoted where necessary. */
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
