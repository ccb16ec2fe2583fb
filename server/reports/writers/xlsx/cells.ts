/**
 * A cell: text, a number, a moment (`YYYY-MM-DDThh:mm:ssZ`), a day (`YYYY-MM-DD`), a link to our own console, or
 * nothing. Only text comes from outside.
 */
export type Cell = string | number | null | { moment: string } | { day: string } | { link: string; text: string };

export const moment = (time: string | null): Cell => (time === null ? null : { moment: time });

/** The limit of Excel, in UTF-16 code units. */
export const maxCellLength = 32_767;

/** The indexes of the cell formats in styles.xml. */
const styles = { plain: 0, header: 1, moment: 2, link: 3, text: 4, day: 5 } as const;

const dayMs = 86_400_000;
/** Excel's serial number of 1970-01-01. */
const epoch = 25_569;
const serial = (time: string) => Date.parse(time) / dayMs + epoch;

const letters: string[] = [];

/** Returns the letters of a column, counting from 0. */
export function columnName(index: number): string {
  letters[index] ??=
    (index >= 26 ? columnName(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26));
  return letters[index];
}

const special = /[&<>\0-\x08\x0B-\x1F\x7F\uD800-\uDFFF\uFFFE\uFFFF]|_x[\dA-Fa-f]{4}_/;
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

/**
 * Returns text as XML. Characters that XML can't contain become U+FFFD, and text that Excel would read as an escaped
 * character (`_x000D_`) is escaped itself.
 */
export function escapeText(text: string): string {
  if (!special.test(text)) return text;
  return text
    .toWellFormed()
    .replaceAll(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(/[&<>\r]/g, (character) => entities[character]!)
    .replaceAll(/[\0-\x08\x0B\x0C\x0E-\x1F\x7F\uFFFE\uFFFF]/g, '\uFFFD');
}

const escapeQuotes = (text: string) => escapeText(text).replaceAll('"', '&quot;');

export { escapeQuotes as escapeAttribute };

/** Text that would become a formula once somebody edits its cell; its format keeps it text. */
const formula = /^\s*[=+\-@＝＋－＠]/;

/** Returns a cell of a row. Text above Excel's limit must be shortened first. */
function cellXml(cell: Cell, column: number, row: number): string {
  if (cell === null || cell === '') return '';
  const place = `r="${columnName(column)}${row}"`;
  if (typeof cell === 'number') return `<c ${place}><v>${cell}</v></c>`;
  if (typeof cell === 'string') return textXml(cell, place, formula.test(cell) ? styles.text : styles.plain);
  if ('moment' in cell) return `<c ${place} s="${styles.moment}"><v>${serial(cell.moment)}</v></c>`;
  if ('day' in cell) return `<c ${place} s="${styles.day}"><v>${serial(`${cell.day}T00:00:00Z`)}</v></c>`;
  // A formula, because Excel accepts at most 65,530 other links on a sheet.
  const call = `HYPERLINK("${cell.link.replaceAll('"', '%22')}","${cell.text.replaceAll('"', '""')}")`;
  return `<c ${place} s="${styles.link}" t="str"><f>${escapeText(call)}</f><v>${escapeText(cell.text)}</v></c>`;
}

function textXml(text: string, place: string, style: number): string {
  const space = /^\s|\s$|[\n\t]|\s\s/.test(text) ? ' xml:space="preserve"' : '';
  return `<c ${place}${style === 0 ? '' : ` s="${style}"`} t="inlineStr"><is><t${space}>${escapeText(text)}</t></is></c>`;
}

export const headerCellXml = (text: string, column: number): string =>
  textXml(text, `r="${columnName(column)}1"`, styles.header);

export function rowXml(cells: Cell[], row: number): string {
  let xml = `<row r="${row}">`;
  for (let column = 0; column < cells.length; column++) xml += cellXml(cells[column]!, column, row);
  return `${xml}</row>`;
}
