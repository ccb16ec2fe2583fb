/** What spreadsheets may take for a formula, also behind white space, and in the full-width forms that some of them fold. */
const formula = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/;
const special = /[",\r\n]/;
/** What most cells have nothing of, so that one look is enough for them. */
const suspect = /^[\s=+\-@＝＋－＠]|[",\r\n\0]/;

/** A text as a cell of RFC 4180: harmless to spreadsheets, without NUL, in quotes where it must be. */
export function textCell(text: string): string {
  if (!suspect.test(text)) return text;
  let cell = text.replaceAll('\0', '\uFFFD');
  if (formula.test(cell)) cell = `'${cell}`;
  return special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** One entry of a list, so that line breaks only separate entries: `\` is written `\\`, a line break `\n` or `\r`. */
const listEntry = (text: string): string =>
  /[\\\r\n]/.test(text) ? text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r') : text;

/** Entries one below the other. */
export function listCell(entries: string[]): string {
  if (entries.length === 0) return '';
  return textCell(entries.length === 1 ? listEntry(entries[0]!) : entries.map(listEntry).join('\n'));
}
